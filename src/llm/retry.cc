#include "llm/retry.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

namespace hone::llm {
namespace {

constexpr auto cancel_poll = std::chrono::milliseconds(50);

void sleep_unless_cancelled(double seconds, const Cancel& cancel) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!cancel && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(cancel_poll);
}

double random_between(double low, double high) {
  thread_local std::mt19937_64 generator{std::random_device{}()};
  return std::uniform_real_distribution<double>(low, high)(generator);
}

// What the provider asks for and a little more, else twice as long each time; jittered, so that
// parallel writers do not all come back in the same moment.
double pause_before(int retry, const Fault& fault, const RetryRule& rule) {
  if (fault.retry_after)
    return *fault.retry_after + random_between(0, std::min(1.0, rule.first_pause));
  const double grown = rule.first_pause * std::exp2(retry - 1);
  return std::min(grown, rule.longest_pause) * random_between(0.5, 1.0);
}

std::string title_dropped(const Prompt& longer, const Prompt& shorter) {
  std::size_t i = 0;
  while (i < shorter.sections.size() && longer.sections[i].title == shorter.sections[i].title &&
         longer.sections[i].text == shorter.sections[i].text)
    ++i;
  return longer.sections[i].title;
}

}  // namespace

base::Result<Reply, Fault> ask_with_retries(LlmClient& client, Request request,
                                            const RetryRule& rule, const AttemptHooks& hooks,
                                            const Cancel& cancel) {
  if (const auto most = client.max_output()) request.max_output_tokens = *most;
  for (int retry = 1;;) {
    if (cancel)
      return base::Failure{
          Fault{FaultKind::cancelled, "stopped before the question was asked", {}, Usage{}}};
    if (auto refusal = hooks.before(request)) return base::Failure{std::move(*refusal)};
    auto result = client.ask(request, cancel);
    hooks.after(request, result);
    if (result) {
      if (!result->note.empty()) hooks.say(result->note);
      return result;
    }
    const Fault& fault = result.error();
    if (fault.kind == FaultKind::too_long) {  // asked again at once: it is another request, and
                                              // there are few sections
      auto shorter = shrunk(request.prompt);
      if (!shorter) return result;
      hooks.say(
          fmt::format("left out '{}': {}", title_dropped(request.prompt, *shorter), fault.text));
      request.prompt = std::move(*shorter);
      continue;
    }
    const int attempts =
        fault.kind == FaultKind::unreachable ? rule.attempts_to_reach : rule.attempts;
    if (!worth_retrying(fault.kind) || retry >= attempts) return result;
    const double pause = pause_before(retry++, fault, rule);
    hooks.say(fmt::format("waiting {:.0f} s: {}", pause, fault.text));
    if (hooks.wait)
      hooks.wait(pause, cancel);
    else
      sleep_unless_cancelled(pause, cancel);
  }
}

}  // namespace hone::llm
