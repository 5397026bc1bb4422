#include "run/external_judges.h"

#include "agents/prompts.h"
#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "core/stats.h"

namespace hone::run {

ExternalJudges::ExternalJudges(const core::Task& task, const std::string& command, JobCallback done,
                               std::function<bool()> cancelled)
    : task_(task),
      info_(external_device(command)),
      done_(std::move(done)),
      cancelled_(std::move(cancelled)) {
  if (!task.external)
    base::fail(
        base::ExitCode::bad_input,
        "--evaluator is for external tasks, and task {} has a reference to judge by: leave it away",
        task.name);
  exec::ExternalOptions options;
  options.command = command;
  options.state = base::home_folder() / "external" / info_.uuid;
  executor_ = exec::external_executor(std::move(options));
}

// A job that is still asked for is waited for, unless the run was cancelled.
ExternalJudges::~ExternalJudges() {
  for (auto& thread : threads_) thread.join();
}

// A thread for each job: an evaluator may take hours, and waits for others by itself.
void ExternalJudges::submit(Job job) {
  threads_.emplace_back([this, job = std::move(job)] {
    JobDone done;
    try {
      done = work(job);
    } catch (const base::Error& error) {
      done = {job.name, JobDone::State::broken, {}, error.what()};
    }
    // The callback is told by one thread at a time.
    const std::lock_guard telling(telling_);
    done_(std::move(done));
  });
}

JobDone ExternalJudges::work(const Job& job) const {
  JobResult result;
  result.name = job.name;
  result.device = info_;
  if (!job.candidate) {
    result.probe_failure = {
        core::Outcome::rejected,
        "there are no probes with an external evaluator: it runs candidates only"};
    return {job.name, JobDone::State::done, std::move(result), ""};
  }
  exec::ExternalJob asked{task_.name, task_.external->extension, job.candidate->source, {}};
  for (const auto& which : task_.cases) asked.cases.push_back(which.name);
  executor_->submit({job.name, to_text(asked)});
  const auto back = executor_->wait_for(job.name, cancelled_);
  if (!back) return {job.name, JobDone::State::cancelled, {}, ""};
  const auto answer = exec::external_answer_from(back->body);
  if (!answer)
    base::fail(base::ExitCode::environment, "the result of {} cannot be read: {}", job.name,
               answer.error());
  if (!answer->broken.empty())
    base::fail(base::ExitCode::environment,
               "{} could not be judged: {}. Once the evaluator works again, `hone resume` goes on",
               job.name, answer->broken);
  result.evaluation = external_evaluation(task_, *job.candidate, info_, *answer);
  return {job.name, JobDone::State::done, std::move(result), ""};
}

core::Evaluation external_evaluation(const core::Task& task, const core::Candidate& candidate,
                                     const core::DeviceInfo& info,
                                     const exec::ExternalAnswer& answer) {
  core::Evaluation evaluation;
  evaluation.key.candidate = candidate.hash;
  evaluation.key.task = task.hash;
  evaluation.key.device = info.uuid;
  evaluation.key.driver = info.driver;
  evaluation.key.compiler = info.compiler;
  // Rules that are not ours: such a verdict never stands beside one of our own judge.
  evaluation.key.protocol = exec::external_protocol;
  // Which kind of failure it was, only the evaluator knows; its words are the evidence.
  if (!answer.failure.empty()) {
    evaluation.outcome = core::Outcome::rejected;
    evaluation.evidence.push_back(
        {std::string(agents::evaluators_word), 0, true, "", answer.failure});
    return evaluation;
  }
  evaluation.outcome = core::Outcome::accepted;
  std::vector<double> seconds;
  for (const auto& one : answer.cases) {
    core::CaseResult which;
    which.name = one.name;
    which.timed = true;
    which.samples = {one.seconds};
    which.median = one.seconds;
    which.interval = {one.low, one.high};
    evaluation.cases.push_back(which);
    seconds.push_back(one.seconds);
  }
  evaluation.geomean = core::geometric_mean(seconds);
  return evaluation;
}

core::DeviceInfo external_device(const std::string& command) {
  core::DeviceInfo info;
  info.id = "external";
  info.language = core::Language::external;
  info.name = "exec:" + command;
  // Two commands are two devices: their times are not compared.
  info.uuid = "external-" + base::sha256_hex(command).substr(0, 16);
  return info;
}

}  // namespace hone::run
