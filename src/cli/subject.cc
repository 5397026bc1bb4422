#include "cli/subject.h"

#include <charconv>

#include "base/error.h"
#include "run/story.h"
#include "store/profiles.h"
#include "store/research.h"
#include "store/tuning.h"
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
  }
  return subject;
}

Subject of_member(store::Archive& archive, const std::string& run, const std::string& number_text) {
  const run::Story story = run::load_story(archive, run);
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
  const run::StoryMember* member = story.find(*number);
  if (member == nullptr)
    fail(ExitCode::bad_input, "the run {} has no member {}: it has {}", story.run.id, run::member_label(*number),
         story.members.size());
  Subject subject = of_candidate(archive, member->record.candidate);
  subject.label = fmt::format("{}:{}", story.run.id, run::member_label(*number));
  subject.evaluation = member->certified ? member->certified : member->screened;
  return subject;
}

std::optional<Subject> of_tuning_run(store::Archive& archive, const std::string& id) {
  try {
    const auto run = store::get_tuning_run(archive, id);
    if (!run.winner_candidate) return std::nullopt;
    Subject subject = of_candidate(archive, *run.winner_candidate);
    subject.label = fmt::format("{} (the best of tuning run {})", subject.name, run.id);
    if (run.winner_evaluation) subject.evaluation = store::get_evaluation(archive, *run.winner_evaluation);
    return subject;
  } catch (const base::Error&) {
    return std::nullopt;  // it is no tuning run: what was said before stands
  }
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
  constexpr int looked_through = 100;
  const auto rank = [](const store::EvaluationLine& line) {
    if (line.outcome != core::Outcome::accepted || !line.cases.empty()) return 2;
    return line.depth == core::Depth::certify ? 0 : 1;
  };
  std::optional<store::EvaluationLine> found;
  for (auto& line : store::evaluations_of(archive, candidate, looked_through))  // newest first
    if (!found || rank(line) < rank(*found)) found = std::move(line);
  if (!found) return std::nullopt;
  return store::get_evaluation(archive, found->id);
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
