// What each role of a run cost: see report/summary.h.
#include <algorithm>

#include "report/summary.h"

namespace hone::report {

std::vector<RoleSpending> spending_by_role(const std::vector<store::CallRecord>& calls) {
  constexpr std::size_t characters_of_a_token = 4;  // of code and English, near enough for a size
  std::vector<RoleSpending> roles;
  for (const store::CallRecord& call : calls) {
    auto role = std::find_if(roles.begin(), roles.end(), [&](const RoleSpending& known) {
      return known.role == call.start.role;
    });
    if (role == roles.end()) role = roles.insert(roles.end(), {.role = call.start.role});
    const std::string& model =
        call.end && !call.end->model.empty() ? call.end->model : call.start.model;
    if (std::find(role->models.begin(), role->models.end(), model) == role->models.end())
      role->models.push_back(model);
    store::Spending& sum = role->spending;
    ++sum.calls;
    sum.usd += call.end ? call.end->usd : call.start.reserved_usd;
    std::int64_t prompt = 0;
    if (call.end) {
      sum.answered += call.end->answered ? 1 : 0;
      sum.tokens_in += call.end->tokens_in;
      sum.tokens_out += call.end->tokens_out;
      sum.tokens_cached += call.end->tokens_cached;
      sum.seconds += call.end->seconds;
      if (!call.end->fault.empty()) ++role->faults[call.end->fault];
      prompt = call.end->tokens_in;
    }
    if (prompt == 0 && !call.start.prompt.empty()) {
      prompt = static_cast<std::int64_t>(call.start.prompt.size() / characters_of_a_token);
      role->estimated = true;
    }
    if (prompt > 0) role->prompt_tokens.push_back(prompt);
  }
  return roles;
}

}  // namespace hone::report
