#include "app/diff.h"

#include <nlohmann/json.hpp>

#include "agents/prompts.h"
#include "app/inputs.h"
#include "core/evaluation_json.h"
#include "core/or_null.h"
#include "store/comparison_json.h"

namespace hone::app {
namespace {

using nlohmann::json;

std::optional<store::ComparisonRecord> comparison_of(store::Archive& archive,
                                                     const NamedCandidate& a,
                                                     const NamedCandidate& b) {
  constexpr int recent = 200;
  if (a.hash.empty() || b.hash.empty()) return std::nullopt;
  for (auto& record : store::comparisons_of(archive, b.hash, recent))
    if (record.a.candidate == a.hash && record.b.candidate == b.hash) return std::move(record);
  return std::nullopt;
}

json side_json(const NamedCandidate& side) {
  json cases = json::object(), outcome, id;
  std::optional<double> geomean;
  if (side.evaluation) {
    const auto& evaluation = side.evaluation->evaluation;
    for (const auto& c : evaluation.cases)
      if (c.timed)
        cases[c.name] = {{"median_s", c.median}, {"interval_s", core::to_json(c.interval)}};
    geomean = evaluation.geomean;
    outcome = core::name_of(evaluation.outcome);
    id = side.evaluation->id;
  }
  return {{"name", side.label},
          {"candidate", side.hash.empty() ? json(nullptr) : json(side.hash)},
          {"evaluation", id},
          {"outcome", outcome},
          {"geomean_s", core::or_null(geomean)},
          {"cases", cases}};
}

}  // namespace

DiffResult diff(const DiffRequest& request) {
  auto archive = archive_to_read(request);
  DiffResult result{
      candidate_named(archive, request.a), candidate_named(archive, request.b), "", {}};
  result.diff = agents::diff(result.a.source, result.b.source, result.a.label, result.b.label);
  result.compared = comparison_of(archive, result.a, result.b);
  return result;
}

json to_json(const DiffResult& result) {
  return {{"a", side_json(result.a)},
          {"b", side_json(result.b)},
          {"diff", result.diff},
          {"compared", result.compared ? store::recorded_json(*result.compared) : json(nullptr)}};
}

}  // namespace hone::app
