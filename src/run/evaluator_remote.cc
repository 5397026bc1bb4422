#include "base/error.h"
#include "device/device.h"
#include "judge/build.h"
#include "run/evaluators.h"
#include "run/work.h"

namespace hone::run {

namespace {

SourceText text_of(const core::Candidate& candidate) { return {candidate.source, candidate.language, candidate.name}; }

EvalJob job_named(const std::string& name, const core::Task& task, const std::filesystem::path& task_path) {
  EvalJob job;
  job.name = name;
  job.task_folder = task_path;
  job.task = task.hash;
  return job;
}

}  // namespace

EvalJob job_for(const JudgeRequest& request, const core::Task& task, const std::filesystem::path& task_path,
                double call_seconds) {
  EvalJob job = job_named(request.name, task, task_path);
  job.candidate = text_of(request.candidate);
  job.depth = request.depth;
  job.call_seconds = call_seconds;
  if (request.incumbent) {
    job.compare_with = text_of(*request.incumbent);
    job.compare_under = request.incumbent_seconds * near_the_incumbent;
    job.certify_if_faster = true;
    job.rivals = request.rivals;
  }
  if (request.explain) {
    job.profile.emplace();
    if (request.incumbent) job.profile->under = request.incumbent_seconds * worth_explaining;
  }
  return job;
}

EvalJob job_for(const ProfileRequest& request, const core::Task& task, const std::filesystem::path& task_path,
                double call_seconds) {
  EvalJob job = job_named(request.name, task, task_path);
  job.candidate = text_of(request.candidate);
  job.point = request.evaluation.key.point;
  job.call_seconds = call_seconds;
  job.profile = ProfileJob{request.evaluation, request.programs};
  return job;
}

EvalJob job_for(const ProbeRequest& request, const core::Task& task, const std::filesystem::path& task_path,
                core::Language language) {
  EvalJob job = job_named(request.name, task, task_path);
  job.candidate.language = language;
  job.probe = request.source;
  return job;
}

Profiled profiled_from(const EvalResult& result) {
  Profiled profiled{result.profile, result.not_profiled, result.device.name};
  if (!profiled.profile && profiled.failure.empty())
    profiled.failure = result.error.empty() ? "nothing came back of the profile" : result.error;
  return profiled;
}

std::optional<Judged> judged_from(const EvalResult& result, const std::function<bool()>& give_up) {
  if (give_up()) return std::nullopt;  // a runner that went down with us says nothing about the candidate
  if (!result.error.empty()) base::fail(base::ExitCode::environment, "{}: {}", result.name, result.error);
  if (!result.evaluation)
    base::fail(base::ExitCode::environment, "{}: nothing came back of the candidate", result.name);
  Judged judged{*result.evaluation, result.certified, result.comparison, result.profile, result.device.name};
  // Whoever does not pass certification was never accepted.
  if (judged.certified && judged.certified->outcome != core::Outcome::accepted) {
    judged.evaluation = *judged.certified;
    judged.certified.reset();
    judged.comparison.reset();
    judged.profile.reset();
  }
  return judged;
}

std::optional<Probed> probed_from(const EvalResult& result) {
  if (!result.error.empty()) base::fail(base::ExitCode::environment, "{}: {}", result.name, result.error);
  Probed probed;
  if (result.probe_failure)
    probed.failure = result.probe_failure->text;
  else if (result.probe)
    for (const auto& number : result.probe->numbers) probed.numbers.emplace_back(number.label, number.value);
  else
    probed.failure = "nothing came back of the probe";
  return probed;
}

namespace {

class RemoteEvaluator : public Evaluator {
 public:
  RemoteEvaluator(const core::Task& task, std::filesystem::path task_path, const core::DeviceInfo& info,
                  std::unique_ptr<exec::Executor> executor, double call_seconds)
      : task_(task),
        task_path_(std::move(task_path)),
        info_(info),
        executor_(std::move(executor)),
        call_seconds_(call_seconds) {}

  std::optional<Judged> judge(const JudgeRequest& request, const std::function<bool()>& give_up) override {
    if (!back_already(request.name))
      if (const auto refused = refused_here(request); refused && !give_up())
        return Judged{*refused, {}, {}, {}, info_.name};
    const auto result = done(job_for(request, task_, task_path_, call_seconds_), give_up);
    return result ? judged_from(*result, give_up) : std::nullopt;
  }

  std::optional<Probed> probe(const ProbeRequest& request, const std::function<bool()>& give_up) override {
    const auto result = done(job_for(request, task_, task_path_, info_.language), give_up);
    return result ? probed_from(*result) : std::nullopt;
  }

  std::optional<Final> certify(const std::string& name, const core::Candidate& best, const core::Candidate* seed,
                               const std::function<bool()>& give_up) override {
    JudgeRequest request;
    request.name = name;
    request.candidate = best;
    request.depth = core::Depth::certify;
    EvalJob job = job_for(request, task_, task_path_, call_seconds_);
    job.fresh = true;
    if (seed != nullptr) job.compare_with = text_of(*seed);
    const auto result = done(job, give_up);
    if (!result) return std::nullopt;
    const auto judged = judged_from(*result, give_up);
    if (!judged) return std::nullopt;
    return Final{judged->evaluation, judged->comparison, judged->device_name};
  }

  std::optional<Profiled> profile(const ProfileRequest& request, const std::function<bool()>& give_up) override {
    const auto result = done(job_for(request, task_, task_path_, call_seconds_), give_up);
    if (!result || give_up()) return std::nullopt;
    return profiled_from(*result);
  }

  bool profiles() const override { return true; }
  bool away() const override { return executor_->away(); }
  bool certifies() const override { return true; }
  std::string describe() const override { return executor_->describe() + " for " + info_.name; }

 private:
  bool back_already(const std::string& job) {
    return executor_->away() && executor_->wait_for(job, [] { return true; }).has_value();
  }

  std::optional<EvalResult> done(const EvalJob& job, const std::function<bool()>& give_up) {
    if (!back_already(job.name)) executor_->submit({job.name, to_text(job)});
    const auto back = executor_->wait_for(job.name, give_up);
    if (!back) return std::nullopt;
    auto result = result_from(back->body);
    if (!result) base::fail(base::ExitCode::bad_input, "the result of {} cannot be read: {}", job.name, result.error());
    if (!result->subject.empty() && result->subject != subject_of(job))
      base::fail(base::ExitCode::bad_input,
                 "the result of {} is about something else: use another folder for --executor bundle:", job.name);
    return *std::move(result);
  }

  // Where the compiler here is the one there, what it refuses makes no journey: the answer is had at once. Everything
  // else, a compiler that came to no answer, and headers that are not here, is for the machine with the device to say.
  std::optional<core::Evaluation> refused_here(const JudgeRequest& request) const {
    const core::Candidate& candidate = request.candidate;
    if (candidate.language != info_.language || candidate.language == core::Language::opencl ||
        core::kernel_names(candidate.plan).empty())
      return std::nullopt;
    core::Evaluation evaluation;
    evaluation.key =
        judge::evaluation_key(candidate.hash, core::default_point(candidate.plan), task_, info_, request.depth, "");
    try {
      if (device::compiler_version(candidate.language, info_.id) != info_.compiler) return std::nullopt;
      const auto built = judge::build_image(candidate, evaluation.key.point, info_, {},
                                            judge::JudgeOptions().build_seconds, evaluation);
      if (built) return std::nullopt;
      const judge::Finding& why = built.error();
      if (why.guard == judge::Guard::limits || why.text.find("open source file") != std::string::npos)
        return std::nullopt;
      judge::add(evaluation, why);
    } catch (const base::Error&) {
      return std::nullopt;
    }
    return evaluation;
  }

  core::Task task_;
  std::filesystem::path task_path_;
  core::DeviceInfo info_;
  std::unique_ptr<exec::Executor> executor_;
  double call_seconds_;
};

}  // namespace

std::unique_ptr<Evaluator> remote_evaluator(const core::Task& task, const std::filesystem::path& task_path,
                                            const core::DeviceInfo& info, std::unique_ptr<exec::Executor> executor,
                                            double call_seconds) {
  return std::make_unique<RemoteEvaluator>(task, task_path, info, std::move(executor), call_seconds);
}

}  // namespace hone::run
