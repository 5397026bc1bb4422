// Time between launches, where one launch would do.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/launches.h"
#include "profile/limits.h"
#include "profile/recorded_call.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "launch-chain";
constexpr double least_gaps = 0.1;  // of the span; less is within what launches of any program cost

std::optional<core::Advice> look(const Facts& facts) {
  if (only_recorded(facts))
    return std::nullopt;  // host-time speaks: while it is recorded its launches lie further apart
  const double span = *facts.get(tag::system_span), gaps = *facts.get(tag::system_gaps);
  const std::size_t count = facts.plan.launches.size();
  if (count < 2 || span <= 0) return std::nullopt;
  // One of the launches remains.
  const double starting = static_cast<double>(count - 1) * seconds_of_empty_launch;
  const double outside = std::min(1.0, (gaps + starting) / span);
  if (outside < least_gaps) return std::nullopt;
  std::vector<std::string> kernels;
  for (const auto& launch : launches_of(facts))
    kernels.push_back(launch.repeats > 1
                          ? fmt::format("`{}` ({:.0f} times)", launch.kernel, launch.repeats)
                          : fmt::format("`{}`", launch.kernel));
  auto advice = advise(facts, name, "A chain of launches that should be fused");
  advice.evidence = fmt::format(
      "The {} launches of a call ({}) leave {} of its span of {} between them, {} each, and "
      "starting them takes about {} more: {} together (looked at from {}); a kernel takes {} on "
      "average.",
      count, fmt::join(kernels, ", "), percent(gaps / span), seconds_text(span),
      seconds_text(gaps / static_cast<double>(count - 1)), seconds_text(starting), percent(outside),
      percent(least_gaps),
      seconds_text(facts.get(tag::system_kernels).value_or(span - gaps) /
                   static_cast<double>(count)));
  advice.cause =
      "The kernels are so short that starting the next one takes a large part of the time.";
  advice.recommendation =
      kernels.size() == 1
          ? fmt::format(
                "Put the repetitions of {} into one launch: a loop inside the kernel, with a "
                "grid-wide barrier (`cooperative = true`) where steps depend on each other.",
                kernels.front())
          : fmt::format(
                "Fuse {} into one launch (or neighbours of them): what one writes element by "
                "element the next can use from registers; where a step needs all of the one "
                "before, a grid-wide barrier (`cooperative = true`) or a last-block pattern "
                "replaces the launch.",
                fmt::join(kernels, ", "));
  return worth(std::move(advice), gain_of_call(facts, outside / 2, outside),
               fmt::format("Without the launches their gaps and starts ({} of the span) go: all at "
                           "the high end, half where only neighbours can be fused.",
                           percent(outside)));
}

}  // namespace

Tool builtin::launch_chain() {
  return {name,
          "Short launches one after the other that should be one.",
          {},
          Hardware::gpu,
          true,
          {tag::system_span, tag::system_gaps},
          "two or more launches with at least 10 % of the span between them and in starting them",
          look};
}

}  // namespace hone::profile
