#include "app/best.h"

#include <fmt/format.h>

#include "app/inputs.h"
#include "base/fields.h"
#include "base/files.h"
#include "report/summary.h"
#include "text/format.h"

namespace hone::app {
namespace {

std::string research_provenance(const report::RunSummary& summary, const NamedCandidate& best) {
  const auto* evaluation = report::best_evaluation(summary);
  const auto times = report::times_as_fast(summary);
  return fmt::format(
      "{} of task {} on {}: {}, {}{}; candidate {}, evaluation {}", best.label,
      text::printable(summary.run.task_name), text::printable(summary.run.device_name),
      evaluation->evaluation.key.depth == core::Depth::certify ? "certified"
                                                               : "accepted, not certified",
      text::format_seconds(*evaluation->evaluation.geomean),
      times ? fmt::format(", {} as fast as the seed", text::format_ratio(*times)) : "",
      store::short_hash(best.hash), evaluation->id);
}

BestResult best_of(store::Archive& archive, const std::string& run) {
  if (!run.starts_with('r') && !run.starts_with('R')) {
    BestResult found{candidate_named(archive, run), "", ""};
    found.provenance = text::printable(found.candidate.label);
    return found;
  }
  const report::RunSummary summary = report::load_summary(archive, run);
  BestResult found{candidate_named(archive, summary.run.id), "", ""};
  found.provenance = research_provenance(summary, found.candidate);
  return found;
}

}  // namespace

BestResult best(const BestRequest& request) {
  auto archive = archive_to_read(request);
  BestResult result = best_of(archive, request.run);
  if (request.out.empty()) return result;
  if (!request.force) refuse_to_overwrite({{request.out, result.candidate.source}}, "-o");
  base::write_file_atomically(request.out, result.candidate.source);
  result.written = request.out;
  return result;
}

void describe(base::Fields& f, const BestResult& result) {
  const bool written = !result.written.empty();
  f("candidate", result.candidate.hash)("name", result.candidate.name);
  f("provenance", result.provenance);
  f.sparse("source", written ? std::nullopt : std::optional(result.candidate.source));
  f.sparse("written", written ? std::vector{result.written} : std::vector<std::string>());
}

}  // namespace hone::app
