// Local memory on a CPU is ordinary memory: copying into it costs and gains nothing that the caches
// do not give.
#include <fmt/format.h>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "cpu-local-memory";
constexpr double near_ceiling = 0.7;  // of the roofline: nothing is left to gain
// A staged element is loaded, stored and loaded again, where one load would do.
constexpr double staged_accesses = 3;

std::optional<core::Advice> look(const Facts& facts) {
  const double bytes = *facts.get(tag::cpu_local_bytes),
               barriers = facts.get(tag::cpu_barriers).value_or(0);
  if (bytes <= 0 || barriers <= 0 || floor_fraction(facts) >= near_ceiling) return std::nullopt;
  const auto place = where_written(facts, {"__local", "local", "barrier"});
  auto advice = advise(facts, name, "Local memory does not pay on a CPU", place);
  advice.evidence = fmt::format(
      "A group copies through {} of local memory with {:.0f} barriers in the source; the call "
      "reaches {} of the {} ceiling (looked at below {}).",
      bytes_text(bytes), barriers, percent(floor_fraction(facts)),
      facts.roofline.ceiling.empty() ? "unknown" : facts.roofline.ceiling, percent(near_ceiling));
  advice.cause =
      "On a CPU local memory is ordinary memory behind the same caches, and each barrier cuts the "
      "work-items' loop in two.";
  advice.recommendation = fmt::format(
      "Read from global memory directly, in the order in which it lies there, and keep the reused "
      "part in registers (a small tile of results for each work-item); the copies are {}.",
      place.text);
  return worth(
      std::move(advice), gain_if(facts, 0.95, 1.5 / staged_accesses),
      "A staged element costs three accesses where one would do: at the high end half of the time "
      "is such accesses and two thirds of it go; at the low end the caches hide nearly all of it.");
}

}  // namespace

Tool builtin::cpu_local_memory() {
  return {name,
          "Local memory and barriers on a CPU, where they cost and gain nothing.",
          {core::Bound::compute, core::Bound::latency, core::Bound::memory},
          Hardware::cpu,
          false,
          {tag::cpu_local_bytes},
          "local memory with barriers, and less than 70 % of the roofline reached",
          look};
}

}  // namespace hone::profile
