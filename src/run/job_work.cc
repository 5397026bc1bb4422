#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/error.h"
#include "base/hash.h"
#include "judge/compare.h"
#include "judge/doubt.h"
#include "judge/finding.h"
#include "judge/sanitize.h"
#include "profile/profile.h"
#include "run/fresh_process.h"
#include "run/job.h"
#include "run/record.h"
#include "run/tune_job.h"

namespace hone::run {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double screening_noise =
    1.02;  // of two that were screened so close, either may be the faster one

judge::EvaluateOptions options_of(const Job& job, const core::Point& point) {
  judge::EvaluateOptions options;
  options.depth = job.depth;
  options.case_name = job.case_name;
  options.point = point;
  return options;
}

std::string last_evidence(const core::Evaluation& evaluation) {
  return evaluation.evidence.empty() ? std::string(core::name_of(evaluation.outcome))
                                     : evaluation.evidence.back().text;
}

void compare(const Job& job, judge::Judge& judge, JobResult& result) {
  judge::EvaluateOptions options_a = options_of(job, job.compare_point),
                         options_b = options_of(job, job.point);
  // Both were judged before; here only their times count.
  options_a.depth = options_b.depth = core::Depth::screen;
  const auto rule = judge::compare_rule(core::clock_of(judge.info()));
  const auto compared =
      judge::compare(judge, *job.compare_with, *job.candidate, options_a, options_b, rule);
  if (compared.compared)
    result.comparison =
        comparison_record(judge.task(), *job.compare_with, *job.candidate, compared, judge.info());
  else if (!compared.refusal.empty())
    result.not_compared = compared.refusal;
  else if (compared.b.outcome != core::Outcome::accepted)
    result.not_compared =
        "the candidate was not accepted in the comparison: " + last_evidence(compared.b);
  else
    result.not_compared =
        "the incumbent was not accepted in the comparison: " + last_evidence(compared.a);
}

// Certifying leaves out what was done a moment ago.
void keep_labels_of_races(const core::Evaluation& screened, core::Evaluation& certified) {
  for (const auto& evidence : screened.evidence)
    if (evidence.row == judge::race_row &&
        evidence.guard == judge::name_of(judge::Guard::sanitizer))
      certified.evidence.push_back(evidence);
  for (const auto& metric : screened.metrics)
    if (metric.tag == "sanitizer.racecheck" || metric.tag == "witness.calls")
      certified.metrics.push_back(metric);
}

// The last certificate, where there will be no other trip for it.
void certify_afresh(const Job& job, judge::Judge& judge, const JobTools& tools, JobResult& result) {
  Job final;
  final.name = job.name + "-final";
  final.task_folder = job.task_folder;
  final.task = job.task;
  final.candidate = job.candidate;
  final.point = job.point;
  final.depth = core::Depth::certify;
  final.call_seconds = job.call_seconds;
  final.fresh = true;
  if (job.seed->hash != job.candidate->hash) final.compare_with = job.seed;
  const JobResult certified = execute_afresh(final, judge.info(), judge.options(), tools);
  if (!certified.error.empty()) {
    result.error = certified.error;
    return;
  }
  result.certified = certified.evaluation;
  result.certified_afresh = true;
  result.beside_seed = certified.comparison;
}

// From cheap to dear, and each step only where the one before it leaves the question open: times as
// screened, a race checker, a comparison, a certificate.
void compare_and_certify(const Job& job, double certified, judge::Judge& judge,
                         const JobTools& tools, JobResult& result) {
  const double seconds = result.evaluation->geomean.value_or(0);
  if (job.compare_under > 0 && seconds > job.compare_under) {
    result.not_compared = "it is slower than the incumbent beyond doubt";
    return;
  }
  if (certified > 0 && seconds >= certified * screening_noise) {
    result.not_compared = "another candidate for the same incumbent is faster, and was certified";
    return;
  }
  // It comes near the incumbent for the first time: what racecheck says of it belongs in the next
  // prompt.
  judge::EvaluateOptions options = options_of(job, job.point);
  if (job.depth == core::Depth::screen)
    judge::check_races(judge, *job.candidate, options, *result.evaluation);
  if (result.evaluation->outcome != core::Outcome::accepted) {
    result.not_compared = "a race was found: " + last_evidence(*result.evaluation);
    return;
  }
  compare(job, judge, result);
  if (!job.certify_if_faster || !result.comparison ||
      result.comparison->word != core::Comparison::faster)
    return;
  if (job.seed) return certify_afresh(job, judge, tools, result);
  options.depth = core::Depth::certify;
  options.races_checked = true;
  result.certified = judge.evaluate(*job.candidate, options);
  keep_labels_of_races(*result.evaluation, *result.certified);
}

// An explanation that fails costs nothing but a sentence.
void explain(const Job& job, const core::Evaluation& accepted, judge::Judge& judge,
             JobResult& result) {
  profile::ProfileOptions options;
  options.case_name = job.case_name;
  options.point = job.point;
  options.programs = job.profile->programs;
  options.evaluation = accepted;
  options.timed_just_now = true;
  try {
    auto explained = profile::profile(judge, *job.candidate, options);
    if (explained)
      result.profile = *std::move(explained);
    else
      result.not_profiled = "it was not accepted: " + last_evidence(explained.error());
  } catch (const base::Error& error) {
    result.not_profiled = error.what();
  }
}

void evaluate(const Job& job, judge::Judge& judge, const base::Fd* ahead, JobResult& result) {
  judge::EvaluateOptions options = options_of(job, job.point);
  options.ahead = ahead;
  result.evaluation = judge.evaluate(*job.candidate, options);
}

// What comes after acceptance.
void settle(const Job& asked, double certified, judge::Judge& judge, const JobTools& tools,
            JobResult& result) {
  if (result.evaluation->outcome != core::Outcome::accepted) return;
  Job job = asked;
  tune(job, certified, judge, tools, result);
  if (job.compare_with) compare_and_certify(job, certified, judge, tools, result);
  if (!job.profile || result.evaluation->outcome != core::Outcome::accepted) return;
  double under = job.profile->under;
  if (certified > 0) under = std::min(under > 0 ? under : INFINITY, certified * worth_explaining);
  if (under > 0 && result.evaluation->geomean.value_or(0) > under)
    result.not_profiled = "it is far slower than the incumbent, or than a rival that was certified";
  else
    explain(job, *result.evaluation, judge, result);
}

void probe(const Job& job, const core::DeviceInfo& info, const judge::JudgeOptions& judging,
           JobResult& result) {
  auto answer =
      judge::run_probe(info, *job.probe, {judging.unsafe, judging.call_seconds, judging.progress});
  if (answer)
    result.probe = *std::move(answer);
  else
    result.probe_failure = answer.error();
}

template <typename What>
void add_timed(JobResult& result, What what) {
  const auto start = Clock::now();
  try {
    what(result);
  } catch (const base::Error& error) {
    result.error = error.what();
  }
  result.seconds += std::chrono::duration<double>(Clock::now() - start).count();
}

// What every result has; `what` fills in the rest.
template <typename What>
JobResult timed(const Job& job, const core::DeviceInfo& info, const core::Ceilings& ceilings,
                What what) {
  JobResult result;
  result.name = job.name;
  result.content = content_hash(job);
  result.device = info;
  result.ceilings = ceilings;
  add_timed(result, what);
  return result;
}

}  // namespace

JobResult execute(const Job& job, judge::Judge& judge, const JobTools& tools,
                  const base::Fd* ahead) {
  return timed(job, judge.info(), judge.options().ceilings, [&](JobResult& result) {
    if (job.candidate && job.profile && job.profile->evaluation) {
      explain(job, *job.profile->evaluation, judge, result);
    } else if (job.candidate) {
      evaluate(job, judge, ahead, result);
      settle(job, 0, judge, tools, result);
    }
    if (job.probe) probe(job, judge.info(), judge.options(), result);
  });
}

JobResult execute_afresh(const Job& job, const core::DeviceInfo& info,
                         const judge::JudgeOptions& judging, const JobTools& tools) {
  JobResult done = timed(job, info, judging.ceilings, [&](JobResult& result) {
    std::vector<std::string> words = tools.pass_on;
    words.insert(words.end(), {"job", "--device", info.id});
    if (judging.unsafe) words.emplace_back("--unsafe");
    const Finished finished = run_hone(words, tools.cancelled, to_text(job));
    // The process was ended because of that; what it left says nothing.
    if (tools.cancelled()) return;
    auto answered = result_from(finished.out);
    if (!answered || answered->content != result.content)
      base::fail(base::ExitCode::environment, "the fresh process for {} ended with code {}: {}",
                 job.name, finished.code,
                 finished.err.empty() && !answered ? answered.error() : finished.err);
    const double seconds = result.seconds;
    result = *std::move(answered);
    result.seconds = seconds;  // the process's own start counts
  });
  return done;
}

core::Language language_of(const Job& job) {
  return job.candidate ? job.candidate->language : job.probe_language;
}

// What a result is about. A result that comes back by a file or from another process must be of
// this very source.
std::string content_hash(const Job& job) {
  base::Hasher hasher;
  return hasher.add(core::name_of(language_of(job)))
      .add(job.candidate ? job.candidate->source : "")
      .add(job.probe.value_or(""))
      .hex();
}

bool in_two_steps(const Job& job) {
  return !job.rivals.empty() && job.compare_with && job.certify_if_faster && !job.fresh &&
         !job.probe && job.candidate;
}

JobResult screen(const Job& job, judge::Judge& judge) {
  return timed(job, judge.info(), judge.options().ceilings,
               [&](JobResult& result) { evaluate(job, judge, nullptr, result); });
}

void follow_up(const Job& job, double certified, judge::Judge& judge, const JobTools& tools,
               JobResult& result) {
  if (result.error.empty() && result.evaluation)
    add_timed(result, [&](JobResult& settled) { settle(job, certified, judge, tools, settled); });
}

JobResult execute_probe(const Job& job, const core::DeviceInfo& info,
                        const judge::JudgeOptions& judging) {
  return timed(job, info, judging.ceilings, [&](JobResult& result) {
    if (job.candidate || !job.probe) base::fail(base::ExitCode::bad_input, "the job is no probe");
    probe(job, info, judging, result);
  });
}

}  // namespace hone::run
