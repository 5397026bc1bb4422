#include "app/named_candidate.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "base/error.h"
#include "core/source_lines.h"
#include "report/summary.h"
#include "run/names.h"
#include "store/profiles.h"
#include "store/research.h"
#include "store/standing.h"
#include "store/tuning.h"
#include "task/borrowed_plan.h"
#include "task/candidate_loader.h"
#include "task/plan_comment.h"

namespace hone::app {
namespace {

using base::ExitCode;
using base::fail;

NamedCandidate of_candidate(store::Archive& archive, const std::string& hash) {
  const auto record = store::get_candidate(archive, hash);
  NamedCandidate named{record.line.name, record.source,        hash,
                       record.line.name, record.line.language, std::nullopt};
  named.label = fmt::format("{} ({})", record.line.name, store::short_hash(hash));
  return named;
}

// A kernel without a plan is recorded with the plan of some task's seed in front. The newest
// evaluated candidate of which that is true; "": none.
std::string planned_hash(store::Archive& archive, const std::string& source,
                         core::Language language) {
  constexpr int recent = 2000;
  const std::string text =
      language == core::Language::cuda
          ? task::with_plain_names(source, task::scan_kernels(source, language))
          : source;
  for (const auto& line : store::list_candidates(archive, recent)) {
    if (line.language != language || line.hash.empty()) continue;
    const std::string recorded = store::get_candidate(archive, line.hash).source;
    if (!recorded.ends_with(text) || recorded.size() == text.size()) continue;
    const auto front = std::string_view(recorded).substr(0, recorded.size() - text.size());
    const bool is_borrowed = front.ends_with(core::line_restart) || front.ends_with("*/\n");
    if (is_borrowed && !store::evaluations_of(archive, line.hash, 1).empty()) return line.hash;
  }
  return "";
}

NamedCandidate of_file(store::Archive& archive, const std::string& path) {
  NamedCandidate named;
  const auto source = task::read_source(path);
  if (!source) fail(ExitCode::bad_input, "{}", task::render_with_sources(source.error()));
  named.label = path;
  named.name = std::filesystem::path(path).filename().string();
  named.source = *source;
  if (const auto candidate = task::load_candidate(path)) {
    named.hash = candidate->hash;
    named.language = candidate->language;
    named.evaluation = representative_evaluation(archive, named.hash);
    return named;
  }
  const std::string ending = std::filesystem::path(path).extension().string();
  if ((ending != ".cu" && ending != ".cl") || task::has_plan(named.source)) return named;
  named.language = ending == ".cu" ? core::Language::cuda : core::Language::opencl;
  named.hash = planned_hash(archive, named.source, named.language);
  named.lacks_plan = true;
  if (!named.hash.empty()) named.evaluation = representative_evaluation(archive, named.hash);
  return named;
}

NamedCandidate of_node(store::Archive& archive, const std::string& run,
                       const std::string& number_text) {
  const report::RunSummary summary = report::load_summary(archive, run);
  core::NodeId number = summary.best;
  if (!number_text.empty()) {
    const auto [end, ec] =
        std::from_chars(number_text.data(), number_text.data() + number_text.size(), number);
    if (ec != std::errc() || end != number_text.data() + number_text.size())
      fail(ExitCode::bad_input,
           "'{}:{}': a candidate of a run is named by its number, as in {}:00012", run, number_text,
           summary.run.id);
  }
  if (number == 0 && number_text.empty())
    fail(ExitCode::bad_input,
         "the run {} has no accepted candidate: `hone runs {}` shows what became of each",
         summary.run.id, summary.run.id);
  const auto found = summary.records.find(number);
  if (found == summary.records.end())
    fail(ExitCode::bad_input, "the run {} has no candidate {}: it has {}", summary.run.id,
         run::node_name(number), summary.records.size());
  const report::NodeRecords& records = found->second;
  NamedCandidate named = of_candidate(archive, summary.tree.node(number)->candidate);
  named.label = fmt::format("{}:{}", summary.run.id, run::node_name(number));
  named.evaluation = records.refused     ? records.refused
                     : records.certified ? records.certified
                                         : records.screened;
  return named;
}

std::optional<store::TuningRun> tuning_run_named(store::Archive& archive, const std::string& id) {
  try {
    return store::get_tuning_run(archive, id);
  } catch (const base::Error&) {
    return std::nullopt;  // it is no tuning run: what was said before stands
  }
}

std::optional<NamedCandidate> of_tuning_run(store::Archive& archive, const std::string& id) {
  const auto run = tuning_run_named(archive, id);
  if (!run || !run->winner_candidate) return std::nullopt;
  NamedCandidate named = of_candidate(archive, *run->winner_candidate);
  named.label = fmt::format("{} (the best of tuning run {})", named.name, run->id);
  if (!run->winner_evaluation) return named;
  named.evaluation = store::get_evaluation(archive, *run->winner_evaluation);
  if (const auto refusal = store::refusal_of(archive, named.evaluation->evaluation.key))
    fail(ExitCode::bad_input,
         "the tuning run {} has no best: evaluation {} refused the point it ended with ({})",
         run->id, refusal->id, core::name_of(refusal->outcome));
  return named;
}

NamedCandidate of_id(store::Archive& archive, const std::string& text) {
  store::Found found;
  try {
    found = store::find_by_id(archive, text);
  } catch (const base::Error&) {
    if (auto named = of_tuning_run(archive, text)) return *std::move(named);
    throw;
  }
  if (found.kind == store::Found::Kind::candidate) {
    NamedCandidate named = of_candidate(archive, found.id);
    named.evaluation = representative_evaluation(archive, found.id);
    return named;
  }
  if (found.kind == store::Found::Kind::profile) {
    const auto profile = store::get_profile(archive, found.id);
    NamedCandidate named = of_candidate(archive, profile.profile.key.candidate);
    named.label = fmt::format("{} (profile {})", named.name, found.id);
    named.evaluation = representative_evaluation(archive, named.hash);
    return named;
  }
  auto evaluation = store::get_evaluation(archive, found.id);
  NamedCandidate named = of_candidate(archive, evaluation.evaluation.key.candidate);
  named.label = fmt::format("{} (evaluation {})", named.name, found.id);
  named.evaluation = std::move(evaluation);
  return named;
}

bool names_a_run(const std::string& text) {
  return text.size() > store::shortest_prefix && (text[0] == 'r' || text[0] == 'R') &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

}  // namespace

std::optional<store::EvaluationRecord> representative_evaluation(store::Archive& archive,
                                                                 const std::string& candidate) {
  const auto standing = store::standing_evaluations(archive, candidate);  // newest first
  for (const core::Depth depth : {core::Depth::certify, core::Depth::screen})
    for (const auto& one : standing)
      if (one.outcome == core::Outcome::accepted && one.depth == depth)
        return store::get_evaluation(archive, one.id);
  const auto newest = store::evaluations_of(archive, candidate, 1);
  if (newest.empty()) return std::nullopt;
  return store::get_evaluation(archive, newest.front().id);
}

NamedCandidate candidate_named(store::Archive& archive, const std::string& text) {
  if (std::error_code ec; std::filesystem::exists(text, ec)) return of_file(archive, text);
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos && names_a_run(text.substr(0, colon)))
    return of_node(archive, text.substr(0, colon), text.substr(colon + 1));
  if (names_a_run(text)) return of_node(archive, text, "");
  if (text.find_first_of("./") != std::string::npos)
    fail(ExitCode::bad_input, "{}: there is no such file", text);
  return of_id(archive, text);
}

}  // namespace hone::app
