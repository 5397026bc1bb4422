#include "run/remote_judges.h"

#include "base/error.h"
#include "device/device.h"
#include "judge/build.h"

namespace hone::run {

RemoteJudges::RemoteJudges(const core::Task& task, const core::DeviceInfo& info,
                           std::unique_ptr<exec::Executor> executor, JobCallback done,
                           const std::atomic<bool>& cancelled, PackJob pack)
    : task_(task),
      info_(info),
      executor_(std::move(executor)),
      done_(std::move(done)),
      cancelled_(cancelled),
      pack_(std::move(pack)) {}

RemoteJudges::~RemoteJudges() {
  for (auto& waiting : waiting_) waiting.thread.join();
}

// A run may be long, and have many jobs.
void RemoteJudges::forget_those_that_ended() {
  waiting_.remove_if([](Waiting& waiting) {
    if (!waiting.ended) return false;
    waiting.thread.join();
    return true;
  });
}

// A thread for each job: its result may take a person's trip to come back.
void RemoteJudges::submit(Job job) {
  forget_those_that_ended();
  Waiting& waiting = waiting_.emplace_back();
  waiting.thread = std::thread([this, job = std::move(job), &waiting] {
    JobDone done;
    try {
      done = work(job);
    } catch (const base::Error& error) {
      done = {job.name, JobDone::State::broken, {}, error.what()};
    }
    {
      const std::lock_guard telling(telling_);
      done_(std::move(done));
    }
    waiting.ended = true;
  });
}

// Cancelled at once, so that it says what is there now and waits for nothing.
bool RemoteJudges::is_back(const std::string& job) const {
  return executor_->away() && executor_->wait_for(job, [] { return true; }).has_value();
}

JobDone RemoteJudges::work(const Job& job) const {
  if (!is_back(job.name)) {
    // Only a first judgement: what was accepted there before is not refused here.
    const bool plain = job.candidate && !job.fresh && !(job.profile && job.profile->evaluation);
    if (auto refused = plain ? refused_here(job) : std::nullopt; refused && !cancelled_) {
      JobResult result;
      result.name = job.name;
      result.content = content_hash(job);
      result.device = info_;
      result.evaluation = *std::move(refused);
      return {job.name, JobDone::State::done, std::move(result), ""};
    }
    executor_->submit({job.name, pack_(job)});
  }
  const auto back = executor_->wait_for(job.name, [&] { return cancelled_.load(); });
  if (!back)
    return {job.name, cancelled_ ? JobDone::State::cancelled : JobDone::State::away, {}, ""};
  auto result = result_from(back->body);
  if (!result)
    base::fail(base::ExitCode::bad_input, "the result of {} cannot be read: {}", job.name,
               result.error());
  // Job names are those of a run; a folder that another run used before may hold a result of the
  // same name.
  if (!result->content.empty() && result->content != content_hash(job))
    base::fail(base::ExitCode::bad_input,
               "the result of {} is about something else: use another folder for --executor {}",
               job.name, executor_->away() ? "bundle:" : "spool:");
  if (!result->error.empty()) {
    executor_->discard(job.name);
    base::fail(base::ExitCode::environment, "{}: {}", job.name, result->error);
  }
  return {job.name, JobDone::State::done, *std::move(result), ""};
}

// Where the compiler here is the one there, its refusal is the answer. Everything else, a compiler
// that came to no answer, and headers that are not here, is for the machine with the device to say.
std::optional<core::Evaluation> RemoteJudges::refused_here(const Job& job) const {
  const core::Candidate& candidate = *job.candidate;
  if (candidate.language != info_.language || candidate.language == core::Language::opencl ||
      core::kernel_names(candidate.plan).empty())
    return std::nullopt;
  core::Evaluation evaluation;
  evaluation.key = judge::evaluation_key(candidate.hash, core::default_point(candidate.plan), task_,
                                         info_, job.depth, "");
  try {
    if (device::compiler_version(candidate.language, info_.id) != info_.compiler)
      return std::nullopt;
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

}  // namespace hone::run
