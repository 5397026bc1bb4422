#include <condition_variable>
#include <deque>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "run/evaluators.h"
#include "run/fresh_process.h"
#include "run/work.h"
#include "store/archive.h"
#include "store/evaluations.h"

namespace hone::run {
namespace {

using base::ExitCode;
using nlohmann::json;
namespace fs = std::filesystem;

// Works through jobs with one judge, made when the first one comes.
class JudgeThread {
 public:
  JudgeThread(const core::Task& task, const core::DeviceInfo& info, judge::JudgeOptions options)
      : task_(task), info_(info), options_(std::move(options)), thread_([this] { work(); }) {}
  ~JudgeThread() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    more_.notify_all();
    thread_.join();
  }

  std::future<EvalResult> submit(EvalJob job) {
    std::promise<EvalResult> promise;
    auto future = promise.get_future();
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back({std::move(job), std::move(promise)});
    }
    more_.notify_all();
    return future;
  }
  // Gives its memory back, which a fresh process may need; the next job makes another judge.
  void rest() {
    const std::lock_guard lock(mutex_);
    if (queue_.empty()) resting_ = true;
    more_.notify_all();
  }

 private:
  void work() {
    std::optional<judge::Judge> judge;
    std::unique_lock lock(mutex_);
    while (true) {
      more_.wait(lock, [&] { return ending_ || resting_ || !queue_.empty(); });
      if (ending_) return;
      if (resting_) {
        resting_ = false;
        judge.reset();
        continue;
      }
      Piece piece = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      try {
        if (!judge) judge.emplace(task_, info_, options_);
        piece.result.set_value(execute(piece.job, *judge));
      } catch (...) {  // no judge can be made here: whoever waits is told so
        judge.reset();
        piece.result.set_exception(std::current_exception());
      }
      lock.lock();
    }
  }

  struct Piece {
    EvalJob job;
    std::promise<EvalResult> result;
  };
  const core::Task& task_;
  const core::DeviceInfo& info_;
  judge::JudgeOptions options_;
  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<Piece> queue_;
  bool ending_ = false, resting_ = false;
  std::thread thread_;
};

class LocalEvaluator : public Evaluator {
 public:
  LocalEvaluator(const core::Task& task, const core::DeviceInfo& info, LocalEvaluatorOptions options)
      : task_(task), info_(info), options_(std::move(options)), thread_(task_, info_, options_.judging) {}

  std::optional<Judged> judge(const JudgeRequest& request, const std::function<bool()>& give_up) override {
    return judged_from(finished(job_for(request, task_, options_.task_path, options_.judging.call_seconds)), give_up);
  }

  std::optional<Probed> probe(const ProbeRequest& request, const std::function<bool()>&) override {
    return probed_from(finished(job_for(request, task_, options_.task_path, info_.language)));
  }

  std::optional<Final> certify(const std::string& name, const core::Candidate& best, const core::Candidate* seed,
                               const std::function<bool()>& give_up) override;

  std::optional<Profiled> profile(const ProfileRequest& request, const std::function<bool()>& give_up) override {
    const auto result = finished(job_for(request, task_, options_.task_path, options_.judging.call_seconds));
    if (give_up()) return std::nullopt;
    return profiled_from(result);
  }

  bool profiles() const override { return true; }
  bool away() const override { return false; }
  bool certifies() const override { return true; }
  std::string describe() const override { return info_.id + " " + info_.name; }

 private:
  EvalResult finished(EvalJob job) { return thread_.submit(std::move(job)).get(); }

  core::Task task_;
  core::DeviceInfo info_;
  LocalEvaluatorOptions options_;
  JudgeThread thread_;
};

// Fresh processes write to an archive of their own, from which what they found is taken over.
std::optional<Evaluator::Final> LocalEvaluator::certify(const std::string&, const core::Candidate& best,
                                                        const core::Candidate* seed,
                                                        const std::function<bool()>& give_up) {
  thread_.rest();
  const base::TemporaryFolder folder("hone-final");
  const char* extension = best.language == core::Language::cuda     ? ".cu"
                          : best.language == core::Language::opencl ? ".cl"
                          : best.language == core::Language::python ? ".py"
                                                                    : ".fake";
  const fs::path best_file = folder.path() / ("best" + std::string(extension)),
                 seed_file = folder.path() / ("seed" + std::string(extension)), archive = folder.path() / "archive.db";
  base::write_file_atomically(best_file, best.source);
  if (seed != nullptr) base::write_file_atomically(seed_file, seed->source);
  const auto ask = [&](std::vector<std::string> words) {
    words.insert(words.begin(), options_.pass_on.begin(), options_.pass_on.end());
    words.insert(words.end(), options_.child_options.begin(), options_.child_options.end());
    words.insert(words.end(), {"--json", "--device", info_.id, "--archive", archive.string()});
    if (options_.judging.unsafe) words.emplace_back("--unsafe");
    const Finished finished = run_hone(words, give_up);
    json answer = json::parse(finished.out, nullptr, false);
    if (!give_up() && (!answer.is_object() || !answer.contains("id")))
      base::fail(ExitCode::environment,
                 "the fresh process that was to certify the best candidate ended with code {}: {}", finished.code,
                 finished.err);
    return answer;
  };
  const json evaluated = ask({"eval", options_.task_path.string(), best_file.string(), "--depth", "certify"});
  if (give_up()) return std::nullopt;
  Final final;
  final.device_name = info_.name;
  {
    auto opened = store::Archive::open(archive);
    final.evaluation = store::get_evaluation(opened, evaluated["id"].get<std::string>()).evaluation;
  }
  if (seed == nullptr || final.evaluation.outcome != core::Outcome::accepted) return final;
  const json compared = ask({"compare", options_.task_path.string(), seed_file.string(), best_file.string()});
  if (give_up()) return std::nullopt;
  auto opened = store::Archive::open(archive);
  for (auto& record : store::comparisons_of(opened, best.hash, 1)) final.comparison = std::move(record);
  return final;
}

}  // namespace

std::unique_ptr<Evaluator> local_evaluator(const core::Task& task, const core::DeviceInfo& info,
                                           LocalEvaluatorOptions options) {
  return std::make_unique<LocalEvaluator>(task, info, std::move(options));
}

}  // namespace hone::run
