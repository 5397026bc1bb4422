#include "run/work.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/error.h"
#include "base/hash.h"
#include "judge/compare.h"
#include "judge/finding.h"
#include "judge/sanitize.h"
#include "profile/profile.h"
#include "run/record.h"
#include "task/candidate_loader.h"

namespace hone::run {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double screening_noise = 1.02;  // of two that were screened so close, either may be the faster one

struct Parsed {
  std::optional<core::Candidate> candidate;
  std::string problem;
};

Parsed parse(const SourceText& text) {
  auto candidate = task::candidate_from(text.source, text.language, text.name);
  if (!candidate) return {std::nullopt, base::render(candidate.error(), text.source)};
  return {*std::move(candidate), ""};
}

judge::EvaluateOptions options_of(const EvalJob& job, const core::Point& point) {
  judge::EvaluateOptions options;
  options.depth = job.depth;
  options.case_name = job.case_name;
  options.point = point;
  return options;
}

// A source whose plan does not parse is a candidate all the same, and rejected.
core::Evaluation malformed(const EvalJob& job, const judge::Judge& judge, const std::string& problem) {
  core::Evaluation evaluation;
  evaluation.key = judge::evaluation_key(task::hash_of(job.candidate.source, job.candidate.language), job.point,
                                         judge.task(), judge.info(), job.depth, job.case_name);
  judge::add(evaluation, judge::rejection(problem));
  return evaluation;
}

std::string last_evidence(const core::Evaluation& evaluation) {
  return evaluation.evidence.empty() ? std::string(core::name_of(evaluation.outcome)) : evaluation.evidence.back().text;
}

void compare(const EvalJob& job, const core::Candidate& candidate, judge::Judge& judge, EvalResult& result) {
  const Parsed incumbent = parse(*job.compare_with);
  if (!incumbent.candidate) {
    result.not_compared = "the incumbent cannot be read: " + incumbent.problem;
    return;
  }
  judge::EvaluateOptions options_a = options_of(job, job.compare_point), options_b = options_of(job, job.point);
  // Both were judged before; here only their times count.
  options_a.depth = options_b.depth = core::Depth::screen;
  const auto rule = judge::compare_rule(core::clock_of(judge.info()));
  const auto compared = judge::compare(judge, *incumbent.candidate, candidate, options_a, options_b, rule);
  if (compared.compared)
    result.comparison = comparison_record(judge.task(), *incumbent.candidate, candidate, compared, judge.info());
  else if (!compared.refusal.empty())
    result.not_compared = compared.refusal;
  else if (compared.b.outcome != core::Outcome::accepted)
    result.not_compared = "the candidate was not accepted in the comparison: " + last_evidence(compared.b);
  else
    result.not_compared = "the incumbent was not accepted in the comparison: " + last_evidence(compared.a);
}

// Certifying leaves out what was done a moment ago.
void keep_labels_of_races(const core::Evaluation& screened, core::Evaluation& certified) {
  for (const auto& evidence : screened.evidence)
    if (evidence.row == judge::race_row && evidence.guard == judge::name_of(judge::Guard::sanitizer))
      certified.evidence.push_back(evidence);
  for (const auto& metric : screened.metrics)
    if (metric.tag == "sanitizer.racecheck" || metric.tag == "witness.calls") certified.metrics.push_back(metric);
}

void compare_and_certify(const EvalJob& job, double certified, const core::Candidate& candidate, judge::Judge& judge,
                         EvalResult& result) {
  const double seconds = result.evaluation->geomean.value_or(0);
  if (job.compare_under > 0 && seconds > job.compare_under) {
    result.not_compared = "it is slower than the incumbent beyond doubt";
    return;
  }
  if (certified > 0 && seconds >= certified * screening_noise) {
    result.not_compared = "another candidate for the same incumbent is faster, and was certified";
    return;
  }
  // It comes near the incumbent for the first time: what racecheck says of it belongs in the next prompt.
  judge::EvaluateOptions options = options_of(job, job.point);
  judge::check_races(judge, candidate, options, *result.evaluation);
  if (result.evaluation->outcome != core::Outcome::accepted) {
    result.not_compared = "a race was found: " + last_evidence(*result.evaluation);
    return;
  }
  compare(job, candidate, judge, result);
  if (job.certify_if_faster && result.comparison && result.comparison->word == core::Comparison::faster) {
    options.depth = core::Depth::certify;
    options.races_checked = true;
    result.certified = judge.evaluate(candidate, options);
    keep_labels_of_races(*result.evaluation, *result.certified);
  }
}

// An explanation that fails costs nothing but a sentence.
void explain(const EvalJob& job, const core::Candidate& candidate, const core::Evaluation& accepted,
             judge::Judge& judge, EvalResult& result) {
  profile::ProfileOptions options;
  options.case_name = job.case_name;
  options.point = job.point;
  options.programs = job.profile->programs;
  options.evaluation = accepted;
  options.timed_just_now = true;
  try {
    auto explained = profile::profile(judge, candidate, options);
    if (explained)
      result.profile = *std::move(explained);
    else
      result.not_profiled = "it was not accepted: " + last_evidence(explained.error());
  } catch (const base::Error& error) {
    result.not_profiled = error.what();
  }
}

void evaluate(const EvalJob& job, judge::Judge& judge, EvalResult& result) {
  const Parsed parsed = parse(job.candidate);
  result.evaluation = parsed.candidate ? judge.evaluate(*parsed.candidate, options_of(job, job.point))
                                       : malformed(job, judge, parsed.problem);
}

// What follows where it was accepted.
void follow_up(const EvalJob& job, double certified, judge::Judge& judge, EvalResult& result) {
  if (result.evaluation->outcome != core::Outcome::accepted) return;
  const auto candidate = *parse(job.candidate).candidate;
  if (job.compare_with) compare_and_certify(job, certified, candidate, judge, result);
  if (!job.profile || result.evaluation->outcome != core::Outcome::accepted) return;
  double under = job.profile->under;
  if (certified > 0) under = std::min(under > 0 ? under : INFINITY, certified * worth_explaining);
  if (under > 0 && result.evaluation->geomean.value_or(0) > under)
    result.not_profiled = "it is far slower than the incumbent, or than a rival that was certified";
  else
    explain(job, candidate, *result.evaluation, judge, result);
}

// A profile of one that was judged before.
void only_explain(const EvalJob& job, judge::Judge& judge, EvalResult& result) {
  const Parsed parsed = parse(job.candidate);
  if (parsed.candidate)
    explain(job, *parsed.candidate, *job.profile->evaluation, judge, result);
  else
    result.evaluation = malformed(job, judge, parsed.problem);
}

void probe(const EvalJob& job, const core::DeviceInfo& info, const judge::JudgeOptions& judging, EvalResult& result) {
  auto answer = judge::run_probe(info, *job.probe, {judging.unsafe, judging.call_seconds, judging.progress});
  if (answer)
    result.probe = *std::move(answer);
  else
    result.probe_failure = answer.error();
}

void work(const EvalJob& job, judge::Judge& judge, EvalResult& result) {
  if (!job.candidate.source.empty() && job.profile && job.profile->evaluation) {
    only_explain(job, judge, result);
  } else if (!job.candidate.source.empty()) {
    evaluate(job, judge, result);
    follow_up(job, 0, judge, result);
  }
  if (job.probe) probe(job, judge.info(), judge.options(), result);
}

template <typename What>
void add_timed(EvalResult& result, What what) {
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
EvalResult timed(const EvalJob& job, const core::DeviceInfo& info, const core::Ceilings& ceilings, What what) {
  EvalResult result;
  result.name = job.name;
  result.subject = subject_of(job);
  result.device = info;
  result.ceilings = ceilings;
  add_timed(result, what);
  return result;
}

}  // namespace

EvalResult execute(const EvalJob& job, judge::Judge& judge) {
  return timed(job, judge.info(), judge.options().ceilings, [&](EvalResult& result) {
    if (!job.fresh) return work(job, judge, result);
    judge::Judge own(judge.task(), judge.info(), judge.options());
    work(job, own, result);
  });
}

std::string subject_of(const EvalJob& job) {
  base::Hasher hasher;
  return hasher.add(core::name_of(job.candidate.language)).add(job.candidate.source).add(job.probe.value_or("")).hex();
}

bool in_two_steps(const EvalJob& job) {
  return !job.rivals.empty() && job.compare_with && job.certify_if_faster && !job.fresh && !job.probe &&
         !job.candidate.source.empty();
}

EvalResult screen(const EvalJob& job, judge::Judge& judge) {
  return timed(job, judge.info(), judge.options().ceilings, [&](EvalResult& result) { evaluate(job, judge, result); });
}

void settle(const EvalJob& job, double certified, judge::Judge& judge, EvalResult& result) {
  if (result.error.empty() && result.evaluation)
    add_timed(result, [&](EvalResult& settled) { follow_up(job, certified, judge, settled); });
}

EvalResult execute_probe(const EvalJob& job, const core::DeviceInfo& info, const judge::JudgeOptions& judging) {
  return timed(job, info, judging.ceilings, [&](EvalResult& result) {
    if (!job.candidate.source.empty() || !job.probe) base::fail(base::ExitCode::bad_input, "the job is no probe");
    probe(job, info, judging, result);
  });
}

}  // namespace hone::run
