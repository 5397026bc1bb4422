#pragma once
// A run of the scientist as it is told afterwards: everything the archive has of it, read once into plain values, with
// the best member, the seed it is measured by, and the line of descent between them. What the loop wrote is taken as it
// is; what is missing (a run that was killed) is left out.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/advice_ledger.h"
#include "store/candidates.h"
#include "store/findings.h"
#include "store/research.h"

namespace hone::report {

struct StoryExperiment {
  std::int64_t number = 0;
  int generation = 0, index = 0;
  std::string kind, description, rubric, taken_as;
  std::optional<core::Interval> gain;  // predicted: percent of the basis's time that is saved
  std::optional<double> innovation;
  std::vector<store::Citation> advice;  // that it rests on, with what it gained
};

struct StoryMember {
  store::MemberRecord record;
  store::CandidateRecord candidate;
  std::optional<StoryExperiment> experiment;
  std::optional<store::EvaluationRecord> screened, certified;
  // The refusal that stands for it (store/standing.h): its own certification's, or that of a later evaluation by
  // another run or command.
  std::optional<store::EvaluationRecord> refused;

  bool accepted() const;                           // by this run, at some depth
  bool passes() const;                             // accepted, and no refusal stands
  bool is_certified() const;                       // passes, and this run certified it
  const store::EvaluationRecord* verdict() const;  // that is told: the refusal, else the screening; null: not judged
  std::optional<double> seconds() const;           // as screened, so that members can be compared; only if it passes
};

struct StorySelection {
  std::string step;
  std::optional<int> basis, reference;
  std::string rationale, by;
};
struct StoryLesson {
  std::string step;
  std::vector<std::string> findings, disagreements;
};
struct StoryIncumbent {
  std::string step;
  int member = 0;
  std::string because;
};

// A question that brought nothing: the answer could not be used, or none came.
struct StoryMiss {
  std::string what;  // "unusable answer", "probe without numbers", or a fault's kind
  std::string step, why;
};

struct RoleSpending {
  std::string role;
  std::vector<std::string> models;
  store::Spending spending;
  std::map<std::string, int> faults;        // by kind
  std::vector<std::int64_t> prompt_tokens;  // of each call
  bool estimated = false;                   // some provider did not count them: four characters each
};

struct Story {
  store::ResearchRun run;
  std::string strategy, task_path, executor, evaluator, feedback;  // as asked for; "" where it was not said
  std::map<std::string, std::string> models;                       // by role
  std::map<std::string, double> budget;

  std::vector<StoryMember> members;  // by number
  std::vector<StoryExperiment> experiments;
  std::vector<StorySelection> selections;
  std::vector<StoryLesson> lessons;
  std::vector<StoryIncumbent> incumbents;
  std::vector<StoryMiss> misses;
  std::vector<store::Shown> profiles;  // whose advice designers were shown
  std::vector<store::ComparisonRecord> comparisons;
  std::vector<store::Finding> findings;  // that this run learned
  std::vector<RoleSpending> roles;       // in the order they first spoke
  store::Spending spending;

  std::optional<int> best, seed;                    // numbers of members
  std::optional<int> concluded;                     // the best by the run's own conclusion; it may be refused since
  std::string conclusion;                           // the loop's own words
  std::optional<store::ComparisonRecord> compared;  // a: the seed, b: the best

  const StoryMember* find(int number) const;
  const StoryMember* best_member() const;
  const StoryMember* seed_member() const;
  const StoryMember* refused_best() const;  // the one that the run concluded with, if it is refused
};

// `with_prompts`: the sizes of prompts are wanted too, for which all of them are read.
Story load_story(store::Archive& archive, const std::string& run_or_prefix, bool with_prompts = false);

// The best and its ancestors by basis, the eldest first.
std::vector<const StoryMember*> lineage(const Story& story);

// How many times as fast the best is as the seed: by the comparison, else by their times. And the evaluation that is to
// be believed of the best: certified, else screened.
std::optional<double> times_as_fast(const Story& story);
const StoryMember* first_accepted(const Story& story);  // by number; null: none
const store::EvaluationRecord* best_evaluation(const Story& story);

// Percent of the basis's time that was really saved; nothing where one of the two has no time.
std::optional<double> realised_gain(const Story& story, const StoryMember& member);

// What failed and why, the most frequent reason first.
struct FailureGroup {
  std::string outcome, reason;  // reason: the guard that spoke; "" for none
  std::vector<int> members;
  std::string example;  // what the judge said of the first of them
};
std::vector<FailureGroup> failures(const Story& story);

// What never became a candidate, likewise.
struct MissedGroup {
  std::string what;
  std::vector<std::string> steps;
  std::string example;  // what was wrong with the first of them
};
std::vector<MissedGroup> missed(const Story& story);

std::string member_label(int number);  // "00012"

}  // namespace hone::report
