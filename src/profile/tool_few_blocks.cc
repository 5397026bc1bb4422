// Fewer blocks than SMs: part of the device has nothing to do.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "few-blocks";
constexpr double least_idle = 0.1;      // of the SMs
constexpr double least_seconds = 2e-6;  // a launch is not quicker, however it is split

std::optional<core::Advice> look(const Facts& facts) {
  const double blocks = blocks_of(facts), sms = static_cast<double>(facts.device.sm_count);
  if (blocks <= 0 || sms <= 1 || blocks > (1 - least_idle) * sms) return std::nullopt;
  const double used = blocks / sms, seconds = launch_seconds(facts);
  auto advice = advise(facts, name, "Fewer blocks than SMs",
                       where_written(facts, {"blockIdx", "get_group_id"}));
  advice.evidence = fmt::format(
      "The grid has {:.0f} blocks for {:.0f} SMs: {} of them have nothing to do (looked at from "
      "{}).",
      blocks, sms, percent(1 - used), percent(least_idle));
  advice.cause = fmt::format("The work of {} is cut into too few pieces.", kernel_name(facts));
  advice.recommendation = fmt::format(
      "Cut it into at least {:.0f} blocks: a smaller tile{}, or split the long dimension (the "
      "reduction) and add the parts at the end, by atomics or a second small launch.",
      sms, tunables_text(facts).empty() ? "" : " (" + tunables_text(facts) + ")");
  const double next =
      std::max({memory_of_ceiling(facts).value_or(0), facts.get(tag::l2_fraction).value_or(0),
                seconds > 0 ? std::min(1.0, least_seconds / seconds) : 0});
  const double spread = std::max(used, next);
  // How busy the SMs with work are: more blocks hide each other's latency until that is all of the
  // time.
  const double within =
      std::max(facts.get(tag::issue_fraction).value_or(1),
               std::min(1.0, facts.get(tag::compute_fraction).value_or(1) / used));
  return worth(
      std::move(advice), gain_if(facts, (1 + spread) / 2, std::max(used * within, next)),
      fmt::format(
          "Work spread over all SMs takes {} of the time, or what the memory needs ({}); at the "
          "low end half of that is lost in putting the parts together, at the high end there are "
          "so many blocks that they hide each other's latency (an SM with work is {} busy).",
          percent(used), percent(next), percent(within)));
}

}  // namespace

Tool builtin::few_blocks() {
  return {name,
          "Fewer blocks than SMs.",
          {},
          Hardware::gpu,
          false,
          {tag::blocks},
          "at most 90 % as many blocks as the device has SMs; no launch is expected below 2 µs",
          look};
}

}  // namespace hone::profile
