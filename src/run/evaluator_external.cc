// Somebody else's evaluator: times and nothing else. See docs/external.md.
#include "agents/prompts.h"
#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "core/stats.h"
#include "exec/external_executor.h"
#include "run/evaluators.h"

namespace hone::run {
namespace {

class ExternalEvaluator : public Evaluator {
 public:
  ExternalEvaluator(const core::Task& task, const core::DeviceInfo& info, std::unique_ptr<exec::Executor> executor)
      : task_(task), info_(info), executor_(std::move(executor)) {}

  std::optional<Judged> judge(const JudgeRequest& request, const std::function<bool()>& give_up) override {
    exec::ExternalJob job{task_.name, task_.external->extension, request.candidate.source, {}};
    for (const auto& which : task_.cases) job.cases.push_back(which.name);
    executor_->submit({request.name, to_text(job)});
    const auto back = executor_->wait_for(request.name, give_up);
    if (!back) return std::nullopt;
    const auto answer = exec::external_answer_from(back->body);
    if (!answer)
      base::fail(base::ExitCode::environment, "the result of {} cannot be read: {}", request.name, answer.error());
    if (!answer->broken.empty())
      base::fail(base::ExitCode::environment,
                 "{} could not be judged: {}. Once the evaluator works again, `hone resume` goes on", request.name,
                 answer->broken);
    return Judged{external_evaluation(task_, request.candidate, info_, *answer), std::nullopt, std::nullopt,
                  std::nullopt, info_.name};
  }

  std::optional<Probed> probe(const ProbeRequest&, const std::function<bool()>&) override {
    return Probed{{}, "there are no probes with somebody else's evaluator: it runs candidates only"};
  }

  std::optional<Final> certify(const std::string&, const core::Candidate&, const core::Candidate*,
                               const std::function<bool()>&) override {
    return std::nullopt;
  }

  std::optional<Profiled> profile(const ProfileRequest&, const std::function<bool()>&) override {
    return Profiled{std::nullopt, "somebody else's evaluator tells times and nothing else", info_.name};
  }

  bool profiles() const override { return false; }
  bool away() const override { return false; }
  bool certifies() const override { return false; }
  std::string describe() const override { return executor_->describe(); }

 private:
  core::Task task_;
  core::DeviceInfo info_;
  std::unique_ptr<exec::Executor> executor_;
};

}  // namespace

core::Evaluation external_evaluation(const core::Task& task, const core::Candidate& candidate,
                                     const core::DeviceInfo& info, const exec::ExternalAnswer& answer) {
  core::Evaluation evaluation;
  evaluation.key.candidate = candidate.hash;
  evaluation.key.task = task.hash;
  evaluation.key.device = info.uuid;
  evaluation.key.driver = info.driver;
  evaluation.key.compiler = info.compiler;
  evaluation.key.protocol = exec::external_protocol;
  if (!answer.failure.empty()) {
    evaluation.outcome = core::Outcome::rejected;
    evaluation.evidence.push_back({std::string(agents::evaluators_word), 0, true, "", answer.failure});
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
  info.uuid = "external-" + base::sha256_hex(command).substr(0, 16);
  return info;
}

std::unique_ptr<Evaluator> external_evaluator(const core::Task& task, const std::string& command) {
  if (!task.external)
    base::fail(base::ExitCode::bad_input,
               "--evaluator is for external tasks, and task {} has a reference to judge by: leave it away", task.name);
  exec::ExternalOptions options;
  options.command = command;
  const core::DeviceInfo info = external_device(command);
  options.state = base::home_folder() / "external" / info.uuid;
  return std::make_unique<ExternalEvaluator>(task, info, exec::external_executor(std::move(options)));
}

}  // namespace hone::run
