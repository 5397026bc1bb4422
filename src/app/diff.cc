#include "app/diff.h"

#include "agents/prompts.h"
#include "app/inputs.h"
#include "base/fields.h"

namespace hone::app {
namespace {

std::optional<store::ComparisonRecord> comparison_of(store::Archive& archive,
                                                     const NamedCandidate& a,
                                                     const NamedCandidate& b) {
  constexpr int recent = 200;
  if (a.hash.empty() || b.hash.empty()) return std::nullopt;
  for (auto& record : store::comparisons_of(archive, b.hash, recent))
    if (record.a.candidate == a.hash && record.b.candidate == b.hash) return std::move(record);
  return std::nullopt;
}

void describe_side(base::Fields& f, const NamedCandidate& side) {
  const core::Evaluation* evaluation = side.evaluation ? &side.evaluation->evaluation : nullptr;
  f("name", side.label)("candidate", base::or_null(side.hash));
  f("evaluation", side.evaluation ? &side.evaluation->id : nullptr);
  f("outcome", evaluation != nullptr ? &evaluation->outcome : nullptr);
  f("geomean_s", evaluation != nullptr ? evaluation->geomean : std::nullopt);
  f.group("cases", [&] {
    if (evaluation == nullptr) return;
    for (const auto& c : evaluation->cases)
      if (c.timed) f.group(c.name, [&] { f("median_s", c.median)("interval_s", c.interval); });
  });
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

void describe(base::Fields& f, const DiffResult& result) {
  const auto compared = [&](base::Fields&) { store::describe_recorded(f, *result.compared); };
  f.group("a", [&] { describe_side(f, result.a); });
  f.group("b", [&] { describe_side(f, result.b); });
  f("diff", result.diff)("compared", result.compared ? &compared : nullptr);
}

}  // namespace hone::app
