#include "cli/subject.h"

#include <charconv>

#include "base/error.h"
#include "core/source_lines.h"
#include "report/story.h"
#include "store/profiles.h"
#include "store/research.h"
#include "store/standing.h"
#include "store/tuning.h"
#include "task/borrowed_plan.h"
#include "task/candidate_loader.h"

namespace hone::cli {
namespace {

using base::ExitCode;
using base::fail;

Subject of_candidate(store::Archive& archive, const std::string& hash) {
  const auto record = store::get_candidate(archive, hash);
  Subject subject{record.line.name, record.source, hash, record.line.name, record.line.language, std::nullopt};
  subject.label = fmt::format("{} ({})", record.line.name, store::short_hash(hash));
  return subject;
}

// A kernel without a plan is recorded with the plan of some task's seed in front. The newest evaluated candidate of
// which that is true; "": none.
std::string planned_hash(store::Archive& archive, const std::string& source, core::Language language) {
  constexpr int recent = 2000;
  const std::string text =
      language == core::Language::cuda ? task::with_plain_names(source, task::scan_kernels(source, language)) : source;
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

Subject of_file(store::Archive& archive, const std::string& path) {
  Subject subject;
  const auto source = task::read_source(path);
  if (!source) fail(ExitCode::bad_input, "{}", task::render_with_sources(source.error()));
  subject.label = path;
  subject.name = std::filesystem::path(path).filename().string();
  subject.source = *source;
  if (const auto candidate = task::load_candidate(path)) {
    subject.hash = candidate->hash;
    subject.language = candidate->language;
    subject.evaluation = telling_evaluation(archive, subject.hash);
    return subject;
  }
  const std::string ending = std::filesystem::path(path).extension().string();
  if ((ending != ".cu" && ending != ".cl") || task::has_plan(subject.source)) return subject;
  subject.language = ending == ".cu" ? core::Language::cuda : core::Language::opencl;
  subject.hash = planned_hash(archive, subject.source, subject.language);
  subject.lacks_plan = true;
  if (!subject.hash.empty()) subject.evaluation = telling_evaluation(archive, subject.hash);
  return subject;
}

Subject of_member(store::Archive& archive, const std::string& run, const std::string& number_text) {
  const report::Story story = report::load_story(archive, run);
  std::optional<int> number = story.best;
  if (!number_text.empty()) {
    int value = 0;
    const auto [end, ec] = std::from_chars(number_text.data(), number_text.data() + number_text.size(), value);
    if (ec != std::errc() || end != number_text.data() + number_text.size())
      fail(ExitCode::bad_input, "'{}:{}': a member is named by its number, as in {}:00012", run, number_text,
           story.run.id);
    number = value;
  }
  if (!number)
    fail(ExitCode::bad_input, "the run {} has no accepted member: `hone runs {}` shows what became of each",
         story.run.id, story.run.id);
  const report::StoryMember* member = story.find(*number);
  if (member == nullptr)
    fail(ExitCode::bad_input, "the run {} has no member {}: it has {}", story.run.id, report::member_label(*number),
         story.members.size());
  Subject subject = of_candidate(archive, member->record.candidate);
  subject.label = fmt::format("{}:{}", story.run.id, report::member_label(*number));
  subject.evaluation = member->refused ? member->refused : member->certified ? member->certified : member->screened;
  return subject;
}

std::optional<store::TuningRun> tuning_run_named(store::Archive& archive, const std::string& id) {
  try {
    return store::get_tuning_run(archive, id);
  } catch (const base::Error&) {
    return std::nullopt;  // it is no tuning run: what was said before stands
  }
}

std::optional<Subject> of_tuning_run(store::Archive& archive, const std::string& id) {
  const auto run = tuning_run_named(archive, id);
  if (!run || !run->winner_candidate) return std::nullopt;
  Subject subject = of_candidate(archive, *run->winner_candidate);
  subject.label = fmt::format("{} (the best of tuning run {})", subject.name, run->id);
  if (!run->winner_evaluation) return subject;
  subject.evaluation = store::get_evaluation(archive, *run->winner_evaluation);
  if (const auto refusal = store::refusal_of(archive, subject.evaluation->evaluation.key))
    fail(ExitCode::bad_input, "the tuning run {} has no best: evaluation {} refused the point it ended with ({})",
         run->id, refusal->id, core::name_of(refusal->outcome));
  return subject;
}

Subject of_id(store::Archive& archive, const std::string& text) {
  store::Found found;
  try {
    found = store::find_by_id(archive, text);
  } catch (const base::Error&) {
    if (auto subject = of_tuning_run(archive, text)) return *std::move(subject);
    throw;
  }
  if (found.kind == store::Found::Kind::candidate) {
    Subject subject = of_candidate(archive, found.id);
    subject.evaluation = telling_evaluation(archive, found.id);
    return subject;
  }
  if (found.kind == store::Found::Kind::profile) {
    const auto profile = store::get_profile(archive, found.id);
    Subject subject = of_candidate(archive, profile.profile.key.candidate);
    subject.label = fmt::format("{} (profile {})", subject.name, found.id);
    subject.evaluation = telling_evaluation(archive, subject.hash);
    return subject;
  }
  auto evaluation = store::get_evaluation(archive, found.id);
  Subject subject = of_candidate(archive, evaluation.evaluation.key.candidate);
  subject.label = fmt::format("{} (evaluation {})", subject.name, found.id);
  subject.evaluation = std::move(evaluation);
  return subject;
}

bool names_a_run(const std::string& text) {
  return text.size() > store::shortest_prefix && (text[0] == 'r' || text[0] == 'R') &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

}  // namespace

std::optional<store::EvaluationRecord> telling_evaluation(store::Archive& archive, const std::string& candidate) {
  const auto standing = store::standing_evaluations(archive, candidate);  // newest first
  for (const core::Depth depth : {core::Depth::certify, core::Depth::screen})
    for (const auto& one : standing)
      if (one.outcome == core::Outcome::accepted && one.depth == depth) return store::get_evaluation(archive, one.id);
  const auto newest = store::evaluations_of(archive, candidate, 1);
  if (newest.empty()) return std::nullopt;
  return store::get_evaluation(archive, newest.front().id);
}

Subject subject_from(store::Archive& archive, const std::string& text) {
  if (std::error_code ec; std::filesystem::exists(text, ec)) return of_file(archive, text);
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos && names_a_run(text.substr(0, colon)))
    return of_member(archive, text.substr(0, colon), text.substr(colon + 1));
  if (names_a_run(text)) return of_member(archive, text, "");
  if (text.find_first_of("./") != std::string::npos) fail(ExitCode::bad_input, "{}: there is no such file", text);
  return of_id(archive, text);
}

}  // namespace hone::cli
