// Kernels of libraries that do nothing but pass over memory, where they could be part of a
// neighbour.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/launches.h"
#include "profile/limits.h"
#include "profile/recorded_call.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "library-passes";
constexpr double least_share = 0.1;  // of the time in kernels
constexpr std::size_t most_named = 6;

std::optional<core::Advice> look(const Facts& facts) {
  const auto launches = launches_of(facts);
  if (!only_recorded(facts) || launches.empty() || !launches.front().timed) return std::nullopt;
  double share = 0, largest = 0, runs = 0, all_runs = 0;
  std::vector<std::string> kernels;
  for (const auto& launch : launches) {
    all_runs += launch.repeats;
    if (!only_passes(launch.kernel)) continue;
    runs += launch.repeats;
    share += launch.share;
    largest = std::max(largest, launch.share / launch.repeats);
    if (kernels.size() < most_named)
      kernels.push_back(fmt::format("`{}` {}", launch.kernel, percent(launch.share)));
  }
  if (all_runs < 2 || runs <= 0) return std::nullopt;
  if (runs == all_runs) share -= largest;  // one of them has to stay
  if (share < least_share) return std::nullopt;
  auto advice = advise(facts, name, "Library kernels that only pass over memory");
  advice.evidence = fmt::format(
      "{} of the time in kernels is spent in {:.0f} of {:.0f} launches that read memory, compute "
      "little and write it again: {} (looked at from {}).",
      percent(share), runs, all_runs, fmt::join(kernels, ", "), percent(least_share));
  advice.cause =
      "Each operation of torch's is a kernel of its own, whose input and output go through memory.";
  advice.recommendation =
      "Write one kernel for all that follows a product or convolution (or for the whole chain, "
      "where there is none), so that each tensor is read and written once; let it work on the "
      "library's result in place where it may.";
  const double busy = busy_fraction(facts);
  return worth(std::move(advice), gain_of_call(facts, busy * share / 2, busy * share),
               "The time of these kernels goes where they become part of a neighbour that reads "
               "the tensor anyway (high); half of it where a pass remains (low).");
}

}  // namespace

Tool builtin::library_passes() {
  return {name,
          "Kernels of libraries that could be part of a neighbour.",
          {},
          Hardware::gpu,
          true,
          {},
          "a candidate in Python: at least 10 % of the time in kernels in elementwise kernels, "
          "reductions and copies of libraries, beside others",
          look};
}

}  // namespace hone::profile
