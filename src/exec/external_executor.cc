#include "exec/external_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "base/command.h"
#include "base/error.h"
#include "base/files.h"
#include "exec/bundle_folder.h"
#include "exec/external_requests.h"

namespace hone::exec {
namespace fs = std::filesystem;
namespace {

using base::ExitCode;
using base::fail;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t largest_answer = 4u << 20;  // bytes
constexpr double shortest_poll =
    0.02;                       // seconds: an evaluator that says 0 is not asked in a tight loop
constexpr int most_losses = 3;  // times an evaluator may forget a submission
constexpr auto look_again =
    std::chrono::milliseconds(50);  // for cancelled(), which sends no signal

// One submission while it is open.
struct Open {
  std::string name;
  ExternalJob job;
  std::string id;                // "": not submitted yet, as far as is known
  bool ended = false;            // the evaluator is done with it; the result is to be fetched
  int failures = 0, losses = 0;  // consecutive; over all
  Clock::time_point next{};      // when it is looked at again
};

class ExternalExecutor : public Executor {
 public:
  explicit ExternalExecutor(ExternalOptions options) : options_(std::move(options)) {}

  ~ExternalExecutor() override {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  void submit(const PackedJob& job) override {
    if (!is_job_name(job.name)) fail(ExitCode::bad_input, "'{}' cannot be a job's name", job.name);
    auto parsed = external_job_from(job.body);
    if (!parsed) fail(ExitCode::bad_input, "job {}: {}", job.name, parsed.error());
    const std::lock_guard lock(mutex_);
    if (open_.contains(job.name)) return;
    base::make_folder(folder(job.name));
    if (std::error_code ec; fs::exists(folder(job.name) / "result.json", ec)) return;
    Open open{job.name, *std::move(parsed), "", false, 0, 0, Clock::now()};
    if (std::error_code ec; fs::exists(folder(job.name) / "id", ec))
      open.id = base::read_file(folder(job.name) / "id", base::largest_text_file);
    base::write_file_atomically(candidate_file(open), open.job.source);
    broken_.erase(job.name);
    open_.emplace(job.name, std::move(open));
    if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
    changed_.notify_all();
  }

  std::optional<PackedResult> wait_for(const std::string& name,
                                       const std::function<bool()>& cancelled) override {
    if (!is_job_name(name)) fail(ExitCode::bad_input, "'{}' cannot be a job's name", name);
    while (true) {
      {
        std::unique_lock lock(mutex_);
        if (!environment_.empty()) fail(ExitCode::environment, "{}", environment_);
        if (const auto found = broken_.find(name); found != broken_.end())
          return PackedResult{name, to_text(ExternalAnswer{{}, "", found->second})};
        if (!open_.contains(name)) return kept(name);
        changed_.wait_for(lock, look_again);
      }
      if (cancelled()) return std::nullopt;
    }
  }

  bool away() const override { return false; }
  std::string describe() const override {
    return fmt::format("the evaluator `{}`", options_.command);
  }

 private:
  fs::path folder(const std::string& name) const { return options_.state / name; }
  fs::path candidate_file(const Open& open) const {
    return fs::absolute(folder(open.name) / ("candidate." + open.job.extension));
  }
  std::optional<PackedResult> kept(const std::string& name) const {
    const fs::path place = folder(name) / "result.json";
    if (std::error_code ec; !fs::exists(place, ec)) return std::nullopt;
    return PackedResult{name, base::read_file(place, base::largest_text_file)};
  }

  // ---- the thread

  void serve() {
    try {
      while (!stop_) {
        std::unique_lock lock(mutex_);
        auto due = next_due();
        if (!due) {
          if (!stop_) changed_.wait_until(lock, wake_at_);
          continue;
        }
        lock.unlock();
        advance(*due);
        lock.lock();
        if (const auto place = open_.find(due->name); place != open_.end()) place->second = *due;
        changed_.notify_all();
      }
    } catch (const base::Error& error) {
      const std::lock_guard lock(mutex_);
      environment_ = error.what();
      changed_.notify_all();
    }
  }

  // The submission that has waited longest; a new submission only where the evaluator takes one
  // more. Under the lock.
  std::optional<Open> next_due() {
    const auto now = Clock::now();
    int submitted = 0;
    for (const auto& [name, open] : open_) submitted += open.id.empty() || open.ended ? 0 : 1;
    const Open* best = nullptr;
    wake_at_ = now + std::chrono::hours(1);  // or when something is submitted
    for (const auto& [name, open] : open_) {
      if (open.id.empty() && parallel_ > 0 && submitted >= parallel_) continue;
      if (open.next > now)
        wake_at_ = std::min(wake_at_, open.next);
      else if (best == nullptr || open.next < best->next)
        best = &open;
    }
    if (best == nullptr) return std::nullopt;
    return *best;
  }

  // One request for this submission, and what follows from the answer.
  void advance(Open& open) {
    if (parallel_ == 0)
      describe_evaluator(open);
    else if (open.id.empty())
      hand_in(open);
    else if (!open.ended)
      look_after(open);
    else
      fetch(open);
  }

  void describe_evaluator(Open& open) {
    const auto answer = ask("describe", describe_request());
    const auto parallel = answer ? parse_description(*answer) : base::Failure{answer.error()};
    if (!parallel) return put_off(open, "describe", parallel.error());
    parallel_ = *parallel;
    open.failures = 0;
  }

  void hand_in(Open& open) {
    const auto answer = ask(
        "submit", submit_request(open.name, open.job.task, candidate_file(open), open.job.cases));
    const auto id = answer ? parse_id(*answer) : base::Failure{answer.error()};
    if (!id) return put_off(open, "submit", id.error());
    base::write_file_atomically(folder(open.name) / "id", *id);
    open.id = *id;
    open.failures = 0;
    open.next = Clock::now();
  }

  void look_after(Open& open) {
    const auto answer = ask("status", id_request(open.id));
    const auto state = answer ? parse_state(*answer) : base::Failure{answer.error()};
    if (!state) return put_off(open, "status", state.error());
    open.failures = 0;
    if (state->kind == ExternalState::unknown) return forgotten(open);
    open.ended = state->kind == ExternalState::ended;
    const double pause = std::clamp(state->retry_after.value_or(options_.poll_seconds),
                                    shortest_poll, options_.longest_poll);
    open.next =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(open.ended ? 0 : pause));
  }

  // The evaluator has lost it: handed in once more, under the same name.
  void forgotten(Open& open) {
    if (++open.losses > most_losses)
      return mark_broken(open,
                         fmt::format("it has forgotten this submission {} times", open.losses));
    std::error_code ec;
    fs::remove(folder(open.name) / "id", ec);
    open.id.clear();
    open.next = Clock::now();
  }

  void fetch(Open& open) {
    const auto answer = ask("result", id_request(open.id));
    const auto result =
        answer ? parse_result(*answer, open.job.cases) : base::Failure{answer.error()};
    if (!result) return put_off(open, "result", result.error());
    base::write_file_atomically(folder(open.name) / "result.json", to_text(*result));
    const std::lock_guard lock(mutex_);
    open_.erase(open.name);
  }

  void put_off(Open& open, const std::string& what, const std::string& why) {
    if (++open.failures >= options_.tries)
      return mark_broken(open, fmt::format("`{} {}` failed {} times, at last so: {}",
                                           options_.command, what, open.failures, why));
    const double pause =
        std::min(options_.first_pause * static_cast<double>(1 << std::min(open.failures - 1, 16)),
                 options_.longest_pause);
    open.next = Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(pause));
  }

  // Not kept: the submission stays as it is on disk, and another process goes on with it.
  void mark_broken(const Open& open, const std::string& why) {
    const std::lock_guard lock(mutex_);
    broken_[open.name] = why;
    open_.erase(open.name);
  }

  // Standard output of `COMMAND what`, or why there is none.
  base::Result<std::string> ask(const std::string& what, const std::string& request) {
    base::Command command;
    command.line = options_.command + " " + what;
    command.input = request;
    command.limit =
        std::chrono::duration_cast<std::chrono::milliseconds>(Seconds(options_.request_seconds));
    command.most_output = largest_answer;
    const auto end = base::run_command(command, stop_);
    const std::string tail = end.error_tail.empty() ? "" : ": " + end.error_tail;
    using Why = base::CommandEnd::Why;
    switch (end.why) {
      case Why::exited:
        if (end.code == 0) return end.output;
        return base::Failure{fmt::format("it ended with code {}{}", end.code, tail)};
      case Why::signalled:
        return base::Failure{fmt::format("signal {} ended it{}", end.code, tail)};
      case Why::timed_out:
        return base::Failure{
            fmt::format("it took more than {:g} s{}", options_.request_seconds, tail)};
      case Why::too_much:
        return base::Failure{fmt::format("it answered more than {} bytes", largest_answer)};
      default:
        return base::Failure{std::string("it was cancelled")};
    }
  }

  const ExternalOptions options_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Open> open_;
  std::map<std::string, std::string> broken_;
  std::string environment_;      // why the thread has ended
  Clock::time_point wake_at_{};  // the thread's own
  int parallel_ = 0;             // 0: not asked yet; the thread's own
  std::thread thread_;           // last: it uses the others
};

}  // namespace

std::unique_ptr<Executor> external_executor(ExternalOptions options) {
  return std::make_unique<ExternalExecutor>(std::move(options));
}

}  // namespace hone::exec
