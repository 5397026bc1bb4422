#include "report/story.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/story_parts.h"
#include "run/research.h"
#include "store/standing.h"

namespace hone::report {
namespace {

using core::Outcome;

bool is_accepted(const std::optional<store::EvaluationRecord>& record) {
  return record && record->evaluation.outcome == Outcome::accepted && record->evaluation.geomean;
}

void add_members(Story& story, store::Archive& archive) {
  for (auto& record : store::members_of(archive, story.run.id)) {
    StoryMember& member = story.members.emplace_back();
    member.candidate = store::get_candidate(archive, record.candidate);
    for (const StoryExperiment& experiment : story.experiments)
      if (record.experiment == experiment.number) member.experiment = experiment;
    member.record = std::move(record);
  }
  for (auto& [number, record] : store::evaluations_of_run(archive, story.run.id)) {
    if (number < 1 || static_cast<std::size_t>(number) > story.members.size()) continue;
    StoryMember& member = story.members[static_cast<std::size_t>(number) - 1];
    auto& place = record.evaluation.key.depth == core::Depth::certify ? member.certified : member.screened;
    place = std::move(record);
  }
}

void add_refusal(StoryMember& member, store::Archive& archive) {
  const auto& judged = member.certified ? member.certified : member.screened;
  if (!judged) return;
  if (const auto refusal = store::refusal_of(archive, judged->evaluation.key))
    member.refused = store::get_evaluation(archive, refusal->id);
}

// The first of the given ones, the fastest first; a seed that a model wrote only where nobody gave any.
std::optional<int> seed_of(const Story& story) {
  for (const bool given : {true, false}) {
    const StoryMember* found = nullptr;
    for (const StoryMember& member : story.members)
      if (member.record.generation == 0 && member.passes() &&
          (!given || member.record.step.starts_with("seed/given")) &&
          (found == nullptr || *member.seconds() < *found->seconds()))
        found = &member;
    if (found != nullptr) return found->record.number;
  }
  return std::nullopt;
}

std::optional<int> best_of(const Story& story, std::optional<int> wanted) {
  if (wanted && story.find(*wanted) != nullptr && story.find(*wanted)->passes()) return wanted;
  for (const bool certified : {true, false}) {
    const StoryMember* found = nullptr;
    for (const StoryMember& member : story.members)
      if (member.passes() && (!certified || is_accepted(member.certified)) &&
          (found == nullptr || *member.seconds() < *found->seconds()))
        found = &member;
    if (found != nullptr) return found->record.number;
  }
  return std::nullopt;
}

void add_comparison(Story& story, const std::string& wanted) {
  const StoryMember *best = story.best_member(), *seed = story.seed_member();
  if (best == nullptr || seed == nullptr) return;
  for (const auto& record : story.comparisons)
    if (record.id == wanted ||
        (record.a.candidate == seed->record.candidate && record.b.candidate == best->record.candidate)) {
      story.compared = record;
      if (record.id == wanted) return;
    }
}

}  // namespace

bool StoryMember::accepted() const { return is_accepted(screened) || is_accepted(certified); }
bool StoryMember::passes() const { return accepted() && !refused; }
bool StoryMember::is_certified() const { return passes() && is_accepted(certified); }
const store::EvaluationRecord* StoryMember::verdict() const {
  const auto& told = refused ? refused : screened ? screened : certified;
  return told ? &*told : nullptr;
}
std::optional<double> StoryMember::seconds() const {
  if (!passes()) return std::nullopt;
  if (is_accepted(screened)) return screened->evaluation.geomean;
  return is_accepted(certified) ? certified->evaluation.geomean : std::nullopt;
}

const StoryMember* Story::find(int number) const {
  for (const StoryMember& member : members)
    if (member.record.number == number) return &member;
  return nullptr;
}
const StoryMember* Story::best_member() const { return best ? find(*best) : nullptr; }
const StoryMember* Story::seed_member() const { return seed ? find(*seed) : nullptr; }
const StoryMember* Story::refused_best() const {
  const StoryMember* member = concluded ? find(*concluded) : nullptr;
  return member != nullptr && member->refused ? member : nullptr;
}

Story load_story(store::Archive& archive, const std::string& run_or_prefix, bool with_prompts) {
  Story story;
  story.run = store::get_run(archive, run_or_prefix);
  const auto decisions = store::decisions_of(archive, story.run.id);
  story.run.settings = run::latest_settings(story.run, decisions);
  read_settings(story);
  for (const auto& record : store::experiments_of(archive, story.run.id))
    story.experiments.push_back(read_experiment(record));
  for (const auto& cited : store::citations_of(archive, story.run.id))
    for (StoryExperiment& experiment : story.experiments)
      if (experiment.number == cited.experiment) experiment.advice.push_back(cited);
  story.profiles = store::shown_in(archive, story.run.id);
  add_members(story, archive);
  const ResultDecision result = read_decisions(story, decisions);
  for (StoryMember& member : story.members)
    if (const auto final = result.finals.find(member.record.number); final != result.finals.end())
      member.certified = store::get_evaluation(archive, final->second);
  for (StoryMember& member : story.members) add_refusal(member, archive);
  story.comparisons = store::comparisons_of_run(archive, story.run.id);
  store::FindingFilter everything;
  everything.everything = true;
  everything.limit = 100'000;
  for (auto& finding : store::findings(archive, everything))
    if (finding.run == story.run.id) story.findings.push_back(std::move(finding));
  std::reverse(story.findings.begin(), story.findings.end());
  story.spending = store::spending_of(archive, story.run.id);
  const auto calls = store::calls_of(archive, story.run.id, with_prompts);
  story.roles = spending_by_role(calls);
  for (const auto& call : calls)
    if (call.end && !call.end->fault.empty())
      story.misses.push_back({call.end->fault, call.start.step, call.end->text});
  story.conclusion = result.conclusion;
  story.concluded = result.best;
  story.best = best_of(story, result.best);
  story.seed = result.seed && story.find(*result.seed) != nullptr ? result.seed : seed_of(story);
  add_comparison(story, story.best == result.best ? result.comparison : "");
  return story;
}

std::vector<const StoryMember*> lineage(const Story& story) {
  std::vector<const StoryMember*> line;
  // A basis is recorded before its child, so numbers only go down.
  for (const StoryMember* at = story.best_member(); at != nullptr;
       at = at->record.basis && *at->record.basis < at->record.number ? story.find(*at->record.basis) : nullptr)
    line.push_back(at);
  std::reverse(line.begin(), line.end());
  return line;
}

const store::EvaluationRecord* best_evaluation(const Story& story) {
  const StoryMember* best = story.best_member();
  if (best == nullptr) return nullptr;
  return is_accepted(best->certified) ? &*best->certified : &*best->screened;
}

const StoryMember* first_accepted(const Story& story) {
  const StoryMember* first = nullptr;
  for (const auto& member : story.members)
    if (member.seconds() && (first == nullptr || member.record.number < first->record.number)) first = &member;
  return first;
}

std::optional<double> times_as_fast(const Story& story) {
  if (story.compared && story.compared->ratio > 0) return 1 / story.compared->ratio;
  const StoryMember *best = story.best_member(), *seed = story.seed_member();
  if (best == nullptr || seed == nullptr || !best->seconds() || !seed->seconds()) return std::nullopt;
  return *seed->seconds() / *best->seconds();
}

std::optional<double> realised_gain(const Story& story, const StoryMember& member) {
  const StoryMember* basis = member.record.basis ? story.find(*member.record.basis) : nullptr;
  if (basis == nullptr || !basis->seconds() || !member.seconds()) return std::nullopt;
  return 100 * (1 - *member.seconds() / *basis->seconds());
}

std::vector<FailureGroup> failures(const Story& story) {
  std::vector<FailureGroup> groups;
  for (const StoryMember& member : story.members) {
    if (member.passes()) continue;
    const store::EvaluationRecord* record = member.verdict();
    FailureGroup failure{"not judged", "", {member.record.number}, "The run ended before it was judged."};
    if (record) {
      failure.outcome = core::name_of(record->evaluation.outcome);
      failure.example = record->evaluation.build_log;
      for (const auto& evidence : record->evaluation.evidence)
        if (evidence.convicts) {
          failure.reason = evidence.guard;
          failure.example = evidence.text;
          break;
        }
    }
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const FailureGroup& known) {
      return known.outcome == failure.outcome && known.reason == failure.reason;
    });
    if (same == groups.end())
      groups.push_back(std::move(failure));
    else
      same->members.push_back(member.record.number);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const FailureGroup& a, const FailureGroup& b) { return a.members.size() > b.members.size(); });
  return groups;
}

std::vector<MissedGroup> missed(const Story& story) {
  std::vector<MissedGroup> groups;
  for (const StoryMiss& miss : story.misses) {
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const MissedGroup& known) { return known.what == miss.what; });
    if (same == groups.end())
      groups.push_back({miss.what, {miss.step}, miss.why});
    else
      same->steps.push_back(miss.step);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const MissedGroup& a, const MissedGroup& b) { return a.steps.size() > b.steps.size(); });
  return groups;
}

std::string member_label(int number) { return fmt::format("{:05}", number); }

}  // namespace hone::report
