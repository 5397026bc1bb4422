#pragma once
// One question asked until it is answered: waits as the provider says or with growing, jittered
// pauses, drops the least useful sections of a prompt that is too long, and stops at what cannot
// get better. Every attempt is booked by the caller before and after it.
#include <functional>

#include "llm/client.h"

namespace hone::llm {

struct RetryRule {
  int attempts = 6;
  double first_pause = 2, longest_pause = 120;  // seconds
  int attempts_to_reach = 6;                    // where no connection can be made
};

struct AttemptHooks {
  // Before an attempt is made: books the most it can cost, or says why it may not be made.
  std::function<std::optional<Fault>(const Request&)> before = [](const Request&) {
    return std::nullopt;
  };
  std::function<void(const Request&, const base::Result<Reply, Fault>&)> after = [](const Request&,
                                                                                    const auto&) {};
  std::function<void(const std::string&)> say = [](const std::string&) {
  };  // "waiting 20 s: 429 ..."
  // Sleeps, or returns early when cancelled; tests put their own clock here.
  std::function<void(double seconds, const Cancel&)> wait;
};

base::Result<Reply, Fault> ask_with_retries(LlmClient& client, Request request,
                                            const RetryRule& rule, const AttemptHooks& hooks,
                                            const Cancel& cancel);

}  // namespace hone::llm
