#include "runner/reference_limit.h"

#include <algorithm>
#include <cstdlib>

namespace hone::runner {

ReferenceLimit reference_limit(const core::Task& task) {
  constexpr double of_others = 600;
  ReferenceLimit limit;
  if (task.interface) limit.call_seconds = of_others;
  if (task.function) limit.call_seconds = task.function->seconds;
  const char* text = std::getenv(reference_limit_variable);
  if (text == nullptr || *text == '\0') return limit;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (*end != '\0' || !(seconds > 0 && seconds < 1e9))
    base::fail(base::ExitCode::usage, "{}={}: that is no number of seconds greater than 0", reference_limit_variable,
               text);
  limit.call_seconds = seconds;
  return limit;
}

double ReferenceLimit::at_most(double seconds) const {
  if (!deadline) return seconds;
  const double left = std::chrono::duration<double>(*deadline - Clock::now()).count();
  return std::clamp(left, 0.0, seconds);
}

void ReferenceLimit::fail(const std::string& what) const {
  if (over())
    throw TooSlow(fmt::format("{} had not finished when the time for everything was up (--max-seconds)", what), true);
  throw TooSlow(
      fmt::format("{} did not finish within {:.3g} s: it loops for ever, or it needs a smaller case or a longer limit "
                  "(--reference-limit SECONDS)",
                  what, call_seconds),
      false);
}

}  // namespace hone::runner
