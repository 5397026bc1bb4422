#pragma once
// One piece of work for a judge, wherever it is done: judge a candidate, compare it with the
// incumbent, explain its time, certify it, or run a probe. Inside a process it is handed over as it
// is; where it leaves the process it becomes a text (docs/cluster.md).
#include <filesystem>
#include <optional>
#include <string>

#include "base/fields_fwd.h"
#include "base/result.h"
#include "core/advice.h"
#include "core/candidate.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "core/tuning.h"
#include "judge/builds_ahead.h"
#include "judge/judge.h"
#include "judge/probe.h"
#include "store/comparisons.h"

namespace hone::run {

constexpr int job_format = 2;  // of both texts; another one is refused

// A candidate that is screened slower than the incumbent by more than this is not compared with it.
constexpr double near_the_incumbent = 1.05;
// One that is slower by more than this is hardly ever built upon, and is not explained along the
// way: that takes longer than the verdict. Where it is chosen all the same, it is explained then.
constexpr double worth_explaining = 1.5;

// The candidate is profiled once it is accepted.
struct ProfileJob {
  std::optional<core::Evaluation> evaluation;  // known already: it is not judged again
  std::vector<std::string>
      programs;      // tools of the user's; never in a text: no bundle brings commands
  double under = 0;  // seconds: only where the mean is under it; 0: always
};

// The [tune] table of the candidate is searched once it is accepted (run/tune_job.h).
struct TuneJob {
  int most = 0;      // points, at the very most
  double under = 0;  // seconds: only where the mean is under it; 0: always
  double beats = 0;  // of the incumbent: a candidate whose best point is under it gets more points
};

struct Job {
  std::string name;                   // unique for all time: it begins with the run's id
  std::filesystem::path task_folder;  // where it is found on the machine that made the job
  std::string task;                   // its hash; the work is only done if the task still has it
  std::optional<core::Candidate> candidate;  // nothing: there is only a probe
  core::Point point;                         // empty: the plan's defaults
  core::Depth depth = core::Depth::screen;
  std::string case_name;  // only this case; "": all
  // The incumbent (a): once the candidate (b) is accepted, both are compared in interleaved blocks.
  std::optional<core::Candidate> compare_with;
  core::Point compare_point;
  double compare_under = 0;  // seconds: only where the candidate's mean is under it; 0: always
  bool certify_if_faster = false;  // it would become the incumbent
  // Where that certificate is the last one: it is made by a process of its own, and compared with
  // this.
  std::optional<core::Candidate> seed;
  std::string rivals;  // jobs of which only one can become the incumbent: the run that they are of;
                       // "": it stands alone
  // Measured by a process of its own: unseen seeds, nothing kept from earlier candidates.
  bool fresh = false;
  double call_seconds = 20;          // limit of one call of a candidate
  std::optional<std::string> probe;  // source of a probe (judge/probe.h)
  core::Language probe_language = core::Language::opencl;
  std::optional<ProfileJob> profile;
  std::optional<TuneJob> tune;  // never with a point, and never of a fresh job
};

// The language of what the job runs.
core::Language language_of(const Job& job);
// What the job is about, as a hash: the candidate and the probe. A name may come back with another
// run's.
std::string content_hash(const Job& job);

struct JobResult {
  std::string name;                            // the job's
  std::string content;                         // content_hash() of the job; "": an older hone's
  std::optional<core::Evaluation> evaluation;  // absent: nothing to judge, or `error`
  // a: the incumbent. The archive gives it id and time. Absent: none was asked for, or
  // `not_compared` says why.
  std::optional<store::ComparisonRecord> comparison;
  std::string not_compared;
  std::optional<core::Evaluation> certified;  // only where it was faster, and certify_if_faster
  bool certified_afresh = false;  // in a process of its own, which compared it with the seed
  std::optional<store::ComparisonRecord> beside_seed;  // a: the seed
  std::optional<core::Profile> profile;
  std::string not_profiled;  // why there is none, where one was asked for
  std::optional<judge::ProbeResult> probe;
  std::optional<judge::ProbeFailure> probe_failure;
  // What tuning came to. Where it changed the defaults, everything else in the result is about the
  // source with the new ones, made from the job's own candidate by with_defaults().
  std::optional<core::Tuning> tuning;
  std::optional<core::Evaluation> as_written;  // then: of the candidate as the job has it
  std::optional<store::ComparisonRecord> beside_default;  // a: as written, b: with the best point
  core::DeviceInfo device;                                // where it ran
  core::Ceilings ceilings;                                // of that device
  double seconds = 0;
  std::string error;  // the environment failed there (memory, a lost device): nothing is known of
                      // the candidate
};

// What doing a job takes beside the judge.
struct JobTools {
  std::vector<std::string> pass_on;  // options of hone for fresh processes
  std::function<bool()> cancelled = [] { return false; };
  // Another job waits for the device. Tuning is for the device's free time, and ends then.
  std::function<bool()> wanted = [] { return false; };
};

// Does the work with a judge of the job's task. An environment that fails is told in the result.
// `ahead`: what was compiled of a candidate in Python before its turn.
JobResult execute(const Job& job, judge::Judge& judge, const JobTools& tools = {},
                  const base::Fd* ahead = nullptr);
// The same for a job that is only a probe: no task is needed.
JobResult execute_probe(const Job& job, const core::DeviceInfo& info,
                        const judge::JudgeOptions& judging);
// The job by a new process of hone, which has seen nothing yet.
JobResult execute_afresh(const Job& job, const core::DeviceInfo& info,
                         const judge::JudgeOptions& judging, const JobTools& tools);

// Candidates in two steps, where they have the same incumbent: the verdict on all of them comes
// first, and then, fastest first, what follows from it. Only one can become the incumbent, and only
// what comes near that one is explained.
bool in_two_steps(const Job& job);
JobResult screen(const Job& job, judge::Judge& judge);
// `certified`: seconds of the one that beat the incumbent and was certified; 0: none yet.
void follow_up(const Job& job, double certified, judge::Judge& judge, const JobTools& tools,
               JobResult& result);

void describe(base::Fields& fields, Job& job);  // in JSON: see base/fields.h
void describe(base::Fields& fields, JobResult& result);
std::string to_text(const Job& job);
std::string to_text(const JobResult& result);
// The failure is a sentence: what is wrong with the text, which may come from a stranger.
base::Result<Job> job_from(const std::string& text);
base::Result<JobResult> result_from(const std::string& text);

}  // namespace hone::run
