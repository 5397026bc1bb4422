#include "tables/baseline_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "adapters/kernelbench.h"
#include "base/error.h"
#include "core/roofline.h"
#include "tables/problems.h"

namespace hone::tables {
namespace {

using Clock = std::chrono::steady_clock;

// A problem is described with all of its tensors in double precision beside each other, ten times
// its inputs' size.
constexpr std::size_t described_beside = 3;
// What the processes of one problem hold while they wait: five contexts with their libraries, and
// the weights.
constexpr std::int64_t waiting_bytes = 8ll << 30;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Memory of the device that is shared by the processes that load. A process waits until there is
// enough; one that needs more than all of it gets it alone.
class Room {
 public:
  explicit Room(std::uint64_t bytes) : whole_(bytes), left_(bytes) {}
  void enter(std::uint64_t bytes) {
    bytes = std::min(bytes, whole_);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return bytes <= left_; });
    left_ -= bytes;
  }
  void leave(std::uint64_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      left_ += std::min(bytes, whole_);
    }
    changed_.notify_all();
  }

 private:
  const std::uint64_t whole_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t left_;
};

double allowed(const Attempt& attempt, const GroupOptions& options) {
  const double left = options.limit_s - attempt.prepared;
  return std::max(0.0, options.end == nullptr ? left : std::min(left, options.end->left()));
}

// What fails for one problem is its own; what is broken for all stops the list.
void guarded(Attempt& attempt, const std::function<void()>& work) {
  const auto start = Clock::now();
  try {
    work();
  } catch (const base::Error& error) {
    if (error.code() != base::ExitCode::bad_input && error.code() != base::ExitCode::environment)
      throw;
    attempt.fail(error.what(), error.code() == base::ExitCode::environment);
  }
  attempt.prepared += since(start);
}

void describe(Attempt& attempt, const core::DeviceInfo& info, const GroupOptions& options) {
  std::string text = attempt.text;
  if (const auto problem = adapters::kernelbench_problem(text))
    text =
        adapters::kernelbench_task(kernelbench_checkout(text), *problem, allowed(attempt, options))
            .string();
  attempt.task = std::make_unique<core::Task>(options.load_task(text));
  for (const auto& one : attempt.task->cases)
    if (attempt.which == nullptr && one.timed && core::is_for(one, info)) attempt.which = &one;
  if (attempt.which == nullptr)
    base::fail(base::ExitCode::bad_input, "task {} has no timed case for {}", attempt.task->name,
               info.id);
}

// Does `count` pieces of work on so many threads. An exception of one is thrown when all have
// ended.
void side_by_side(std::size_t threads, std::size_t count,
                  const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> thrown(count);
  std::vector<std::thread> crew;
  for (std::size_t i = 0; i < std::min(threads, count); ++i)
    crew.emplace_back([&] {
      for (std::size_t mine = next++; mine < count; mine = next++) try {
          work(mine);
        } catch (...) {
          thrown[mine] = std::current_exception();
        }
    });
  for (auto& thread : crew) thread.join();
  for (const auto& one : thrown)
    if (one) std::rethrow_exception(one);
}

void load(std::vector<Attempt>& group, const core::DeviceInfo& info, const GroupOptions& options) {
  std::vector<std::pair<Attempt*, std::size_t>> processes;
  for (auto& attempt : group)
    for (std::size_t i = 0; attempt.processes && i < attempt.processes->count(); ++i)
      processes.emplace_back(&attempt, i);
  Room room(static_cast<std::uint64_t>(info.memory_bytes) /
            2);  // the rest is for what is there already
  const auto start = Clock::now();
  std::vector<double> ended(processes.size());
  side_by_side(processes.size(), processes.size(), [&](std::size_t i) {
    auto& [attempt, index] = processes[i];
    const std::uint64_t bytes = attempt->processes->load_bytes();
    room.enter(bytes);
    attempt->processes->load(index, allowed(*attempt, options));
    room.leave(bytes);
    ended[i] = since(start);
  });
  for (auto& attempt : group) {
    double longest = 0;
    for (std::size_t i = 0; i < processes.size(); ++i)
      if (processes[i].first == &attempt) longest = std::max(longest, ended[i]);
    attempt.prepared += longest;
  }
}

}  // namespace

void Attempt::fail(const std::string& why, bool of_the_machine) {
  processes.reset();
  failed = why;
  transient = of_the_machine;
}

void prepare(std::vector<Attempt>& group, const core::DeviceInfo& info,
             const GroupOptions& options) {
  options.progress(group.size() == 1 ? "describing"
                                     : fmt::format("describing {} problems", group.size()));
  side_by_side(described_beside, group.size(), [&](std::size_t i) {
    guarded(group[i], [&] { describe(group[i], info, options); });
  });
  // On this thread: a process dies with the thread that started it.
  for (auto& attempt : group)
    if (attempt.failed.empty())
      guarded(attempt, [&] { attempt.processes.emplace(*attempt.task, *attempt.which, info); });
  const auto loading = std::count_if(group.begin(), group.end(),
                                     [](const Attempt& one) { return one.processes.has_value(); });
  if (loading == 0) return;
  options.progress(loading == 1 ? "loading and compiling"
                                : fmt::format("loading and compiling {} problems", loading));
  load(group, info, options);
}

void time_prepared(Attempt& attempt, const core::DeviceInfo& info,
                   const judge::JudgeOptions& judging) {
  const auto start = Clock::now();
  const double prepared = attempt.prepared;
  guarded(attempt, [&] {
    judge::Judge judge(*attempt.task, info, judging);
    attempt.results = attempt.processes->measure(judge);
    attempt.processes.reset();
  });
  attempt.prepared = prepared;
  attempt.timed = since(start);
}

bool may_succeed_alone(const Attempt& attempt) {
  const auto for_want = [](const std::string& text) {
    return text.find("memory") != std::string::npos;
  };
  return attempt.transient || for_want(attempt.failed) ||
         std::any_of(attempt.results.begin(), attempt.results.end(),
                     [&](const judge::BaselineResult& one) { return for_want(one.missing); });
}

int usual_jobs(const core::DeviceInfo& info) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return std::max(1, std::min(cores / 2, static_cast<int>(info.memory_bytes / waiting_bytes)));
}

}  // namespace hone::tables
