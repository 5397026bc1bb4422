// mma.sync on a device whose tensor cores are only fed in full by wgmma (sm_90) or tcgen05
// (sm_100).
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "older-tensor-path";
// On Hopper mma.sync reaches about five eighths of what wgmma does, as published microbenchmarks
// report. Not measured here; on sm_100 it is an assumption.
constexpr double older_rate = 0.63;
constexpr double least_tensor =
    0.25;  // of the tensor pipe: below it something else is slower by far

std::optional<core::Advice> look(const Facts& facts) {
  const int arch = architecture(facts.device);
  if ((arch != 90 && arch != 100 && arch != 103) || *facts.get(tag::sass_hmma) <= 0 ||
      uses_wgmma(facts))
    return std::nullopt;
  const double tensor = *facts.get(tag::pipe_tensor);
  if (facts.diagnosis.theory == core::Bound::memory || tensor < least_tensor) return std::nullopt;
  const double operands = stalls(facts, {"short_scoreboard", "mio_throttle"});
  const char* newer = arch == 90 ? "wgmma" : "tcgen05.mma";
  const auto place = where(facts, {"math_pipe_throttle", "short_scoreboard", "mio_throttle"},
                           {"mma.sync", "mma_sync", "wmma", "mma.sync.aligned"});
  auto advice = advise(facts, name, "The older path to the tensor cores", place);
  advice.evidence = fmt::format(
      "The code has {:.0f} mma.sync instructions and no {}; the tensor pipe is {} busy (looked at "
      "from {}), and {} of the warps' cycles are waits for operands from shared memory.",
      *facts.get(tag::sass_hmma), newer, percent(tensor), percent(least_tensor), percent(operands));
  advice.cause = fmt::format(
      "mma.sync takes its operands through registers and reaches about {} of the rate of {}.",
      percent(older_rate), newer);
  advice.recommendation = fmt::format(
      "Use {} with operands straight from shared memory (a swizzled tile brought in by "
      "`cp.async.bulk.tensor`, warp groups of 128 threads, 64 rows each) instead of the products "
      "{}.",
      newer, place.text);
  const double high = std::max(older_rate * (1 - operands), memory_of_ceiling(facts).value_or(0));
  const double low = 1 - tensor * (1 - older_rate);
  return worth(std::move(advice), gain_if(facts, std::max(low, high), high),
               fmt::format("The time in the tensor pipe ({}) shrinks to {} (low); at the high end "
                           "all of it does, and the waits for operands go too.",
                           percent(tensor), percent(older_rate)));
}

}  // namespace

Tool builtin::older_tensor_path() {
  return {name,
          "mma.sync where wgmma or tcgen05 is possible.",
          {core::Bound::compute, core::Bound::latency},
          Hardware::nvidia,
          false,
          {tag::sass_hmma, tag::pipe_tensor},
          "sm_90 or sm_100, mma.sync and no wgmma or tcgen05, the tensor pipe at least 25 % busy",
          look};
}

}  // namespace hone::profile
