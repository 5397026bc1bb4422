#pragma once
// One piece of work for a judge, wherever it is done: judge a candidate, compare it with the incumbent,
// explain its time, or run a probe.
// Here the structs are handed over as they are; to other machines they go as text (see docs/bundles.md).
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "core/advice.h"
#include "core/candidate.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "judge/judge.h"
#include "judge/probe.h"
#include "store/comparisons.h"

namespace hone::run {

constexpr int work_format = 2;  // of both texts; another one is refused

struct SourceText {
  std::string source;
  core::Language language = core::Language::opencl;
  std::string name;  // file name, for people
};

// One that is slower by more than this is hardly ever built upon, and is not explained along the way: that takes longer
// than the verdict. Where it is chosen all the same, it is explained then.
constexpr double worth_explaining = 1.5;

// The candidate is profiled once it is accepted.
struct ProfileJob {
  std::optional<core::Evaluation> evaluation;  // known already: it is not judged again
  std::vector<std::string> programs;           // tools of the user's; never in a text: no bundle brings commands
  double under = 0;                            // seconds: only where the mean is under it; 0: always
};

struct EvalJob {
  std::string name;                   // unique for all time: an executor's Job::name
  std::filesystem::path task_folder;  // where it is found on the machine that made the job
  std::string task;                   // its hash; the work is only done if the task still has it
  SourceText candidate;               // source "": there is only a probe, in this language
  core::Point point;                  // empty: the plan's defaults
  core::Depth depth = core::Depth::screen;
  std::string case_name;  // only this case; "": all
  // The incumbent (a): once the candidate (b) is accepted, both are compared in ABBA blocks.
  std::optional<SourceText> compare_with;
  core::Point compare_point;
  double compare_under = 0;        // seconds: only where the candidate's mean is under it; 0: always
  bool certify_if_faster = false;  // it would become the incumbent
  std::string rivals;              // jobs of which only one can: the run that they are of; "": it stands alone
  // Measured by a judge of its own: unseen seeds, nothing kept from earlier candidates; in a bundle, a process of its
  // own.
  bool fresh = false;
  double call_seconds = 20;          // for whoever makes the Judge
  std::optional<std::string> probe;  // source of a probe (see judge/probe.h)
  std::optional<ProfileJob> profile;
};

// What the job is about, as a hash: the candidate and the probe. A name may come back with another run's.
std::string subject_of(const EvalJob& job);

struct EvalResult {
  std::string name;                            // the job's
  std::string subject;                         // and what it was about; "": an older hone's
  std::optional<core::Evaluation> evaluation;  // absent: nothing to judge, or `error`
  // a: the incumbent. The archive gives it id and time. Absent: none was asked for, or `not_compared` says why.
  std::optional<store::ComparisonRecord> comparison;
  std::string not_compared;
  std::optional<core::Evaluation> certified;  // only where it was faster, and certify_if_faster
  std::optional<core::Profile> profile;
  std::string not_profiled;  // why there is none, where one was asked for
  std::optional<judge::ProbeResult> probe;
  std::optional<judge::ProbeFailure> probe_failure;
  core::DeviceInfo device;  // where it ran
  core::Ceilings ceilings;  // of that device
  double seconds = 0;
  std::string error;  // the environment failed there (memory, a lost device): nothing is known of the candidate
};

// Does the work with a judge of the job's task. An environment that fails is told in the result.
EvalResult execute(const EvalJob& job, judge::Judge& judge);
// The same for a job that is only a probe: no task is needed.
EvalResult execute_probe(const EvalJob& job, const core::DeviceInfo& info, const judge::JudgeOptions& judging);

// Candidates in two steps, where they have the same incumbent: the verdict on all of them comes first, and then,
// fastest first, what follows from it. Only one can become the incumbent, and only what comes near that one is
// explained.
bool in_two_steps(const EvalJob& job);
EvalResult screen(const EvalJob& job, judge::Judge& judge);
// `certified`: seconds of the one that beat the incumbent and was certified; 0: none yet.
void settle(const EvalJob& job, double certified, judge::Judge& judge, EvalResult& result);

std::string to_text(const EvalJob& job);
std::string to_text(const EvalResult& result);
// The failure is a sentence: what is wrong with the text, which may come from a stranger.
base::Result<EvalJob> job_from(const std::string& text);
base::Result<EvalResult> result_from(const std::string& text);

}  // namespace hone::run
