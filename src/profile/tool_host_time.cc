// Time of a call that is the host's, on its way to the kernels.
#include <fmt/format.h>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/recorded_call.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "host-time";
constexpr double least_part = 0.1;  // of the call

std::optional<core::Advice> look(const Facts& facts) {
  const auto kernels = facts.get(tag::system_kernels);
  if (!only_recorded(facts) || !kernels || facts.seconds <= 0) return std::nullopt;
  const double outside = 1 - busy_fraction(facts);
  if (outside < least_part) return std::nullopt;
  const double launches = facts.get(tag::system_launches).value_or(1);
  auto advice = advise(facts, name, "The device waits for the host");
  advice.evidence = fmt::format(
      "The call takes {}, its {:.0f} launch{} {} together: {} of the call is spent without a "
      "kernel (looked at from {}).",
      seconds_text(facts.seconds), launches, launches == 1 ? "" : "es", seconds_text(*kernels),
      percent(outside), percent(least_part));
  advice.cause =
      "Calls follow each other closely, and the host takes longer to queue one than the device to "
      "do it.";
  advice.recommendation =
      "Queue less in the call: fewer launches and fewer operations of torch's (each costs some "
      "microseconds, views and `empty` too), one fused kernel instead of a chain; make in the "
      "constructor what does not depend on inputs or weights (compiled kernels, grids, constants); "
      "wait for nothing. A recorded graph does not help: addresses are other ones in every call.";
  return worth(
      std::move(advice), gain_of_call(facts, outside / 2, outside),
      "All time without a kernel goes (high), or half of it (low): some calls always remain.");
}

}  // namespace

Tool builtin::host_time() {
  return {name,
          "Time in which the device waits for the host.",
          {},
          Hardware::gpu,
          true,
          {},
          "a candidate in Python, or a plan with operations: at least 10 % of the call without a "
          "kernel at work",
          look};
}

}  // namespace hone::profile
