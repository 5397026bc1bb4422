#include "runner/reference_limit.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "runner/seconds_since.h"
#include "runner/wire.h"

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
    base::fail(base::ExitCode::usage, "{}={}: that is no number of seconds greater than 0",
               reference_limit_variable, text);
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
    throw TooSlow(
        fmt::format("{} had not finished when the time for everything was up (--max-seconds)",
                    what),
        true);
  throw TooSlow(fmt::format("{} did not finish within {:.3g} s: it loops for ever, or it needs a "
                            "smaller case or a longer limit (--reference-limit SECONDS)",
                            what, call_seconds),
                false);
}

std::function<void(double)> ReferenceLimit::teller(const std::string& what, double seconds) const {
  if (!say) return {};
  constexpr double first = 5, step = 10;  // seconds; most references take none of them
  return [what, seconds, say = say, next = first](double waited) mutable {
    if (waited < next) return;
    say(fmt::format("{} has been running for {:.0f} s; its limit is {:.3g} s", what, waited,
                    seconds));
    next = step * (std::floor(waited / step) + 1);
  };
}

bool wait_and_tell(int socket, double seconds, const std::function<void(double)>& tell) {
  if (!tell) return wait_readable(socket, seconds);
  constexpr double slice = 0.5;
  const auto start = Clock::now();
  for (;;) {
    const double waited = seconds_since(start);
    if (wait_readable(socket, std::clamp(seconds - waited, 0.0, slice))) return true;
    if (waited >= seconds) return false;
    tell(seconds_since(start));
  }
}

}  // namespace hone::runner
