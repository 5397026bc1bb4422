#include "cli/report.h"

#include <nlohmann/json.hpp>

#include "core/evaluation_json.h"

namespace hone::cli {
using nlohmann::json;

base::ExitCode exit_code(core::Outcome outcome) {
  switch (outcome) {
    case core::Outcome::accepted:
      return base::ExitCode::ok;
    case core::Outcome::undecided:
      return base::ExitCode::undecided;
    default:
      return base::ExitCode::not_accepted;
  }
}

base::ExitCode worse(base::ExitCode a, base::ExitCode b) {
  for (const auto code : {base::ExitCode::not_accepted, base::ExitCode::undecided})
    if (a == code || b == code) return code;
  return a;
}

json to_json(const judge::ComparisonResult& result) {
  json cases = json::array();
  for (const auto& c : result.cases)
    cases.push_back({{"name", c.name},
                     {"ratio", c.ratio_estimate},
                     {"low", c.ratio.low},
                     {"high", c.ratio.high},
                     {"median_a", c.median_a},
                     {"median_b", c.median_b}});
  json answer = {{"compared", result.compared},
                 {"word", core::name_of(result.word)},
                 {"ratio", result.ratio_estimate},
                 {"low", result.ratio.low},
                 {"high", result.ratio.high},
                 {"margin", result.margin},
                 {"rule", judge::describe(result.rule)},
                 {"rounds", result.rounds},
                 {"blocks", result.blocks},
                 {"seconds", result.seconds},
                 {"seconds_needed", nullptr},
                 {"busy", result.busy},
                 {"cases", cases},
                 {"a", core::to_json(result.a)},
                 {"b", core::to_json(result.b)}};
  if (result.seconds_needed) answer["seconds_needed"] = *result.seconds_needed;
  if (!result.refusal.empty()) answer["refusal"] = result.refusal;
  return answer;
}

}  // namespace hone::cli
