// Measures what a spool and its workers cost beside the work itself: real workers (`hone worker`)
// on the fake GPU, each with a device of its own, on jobs that were submitted before they are
// counted.
//   hone_bench_cluster HONE JOBS [WORKERS...]     HONE: the binary; JOBS for each number of workers
// First the spool alone: threads that claim, read and publish as workers do, and judge nothing.
// Overhead is what a worker's second of wall time holds beside the jobs' own seconds: claiming,
// reading, writing, flushing, waiting. The last lines are jobs submitted one at a time, from the
// moment before the submission to that in which the result is read.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "base/error.h"
#include "exec/spool_executor.h"
#include "exec/worker_place.h"
#include "run/bundle.h"
#include "run/job_test_task.h"

extern char** environ;

namespace {

using namespace hone;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Workers {
 public:
  Workers(const std::string& hone, const fs::path& spool, const fs::path& leases, int count) {
    for (int i = 0; i < count; ++i) {
      const fs::path own = leases / std::to_string(i);  // as if each had a GPU of its own
      base::make_folder(own);
      ::setenv("HONE_LEASES", own.c_str(), 1);
      std::vector<std::string> words = {hone, "worker", spool, "--device", "fake:1"};
      std::vector<char*> argv;
      for (auto& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      posix_spawn_file_actions_t actions;
      posix_spawn_file_actions_init(&actions);
      for (const int stream : {1, 2})
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
      int pid = 0;
      if (::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ) != 0)
        base::fail(base::ExitCode::environment, "{} cannot be started", hone);
      posix_spawn_file_actions_destroy(&actions);
      pids_.push_back(pid);
    }
  }
  ~Workers() {
    for (const int pid : pids_) ::kill(pid, SIGTERM);
    for (const int pid : pids_) ::waitpid(pid, nullptr, 0);
  }

 private:
  std::vector<int> pids_;
};

// What one worker does with the spool, without the work.
void pass_jobs(const exec::Spool& spool, const std::string& name, const std::string& result,
               std::atomic<int>& left) {
  const exec::WorkerPlace place(spool, name);
  place.enter();
  constexpr auto pause = std::chrono::milliseconds(2);  // as workers begin to wait
  while (left > 0) {
    bool any = false;
    for (const auto& job : place.choices()) {
      if (!place.claim(job)) continue;
      if (!place.text_of(job) || place.publish(job, result))
        base::fail(base::ExitCode::environment, "{}: cannot be passed on", job.name);
      --left;
      any = true;
    }
    if (!any) std::this_thread::sleep_for(pause);
  }
  place.leave("");
}

void measure_spool_alone(int workers, int jobs) {
  const run::FakeTask task;
  run::JobPacker packer;
  const exec::Spool spool(task.path() / "spool");
  const auto executor = exec::spool_executor({.spool = spool.path()});
  const std::string result(20'000, 'r');  // as long as one of the judge's
  std::atomic<int> left{jobs};
  const auto start = Clock::now();
  std::vector<std::thread> threads;
  for (int i = 0; i < workers; ++i)
    threads.emplace_back([&, i] { pass_jobs(spool, "w" + std::to_string(i), result, left); });
  for (int i = 0; i < jobs; ++i) {
    const std::string name = "job-" + std::to_string(i);
    executor->submit({name, packer(task.job(name, "copy"))});
  }
  for (int i = 0; i < jobs; ++i)
    executor->wait_for("job-" + std::to_string(i), [] { return false; });
  const double seconds = since(start);
  for (auto& thread : threads) thread.join();
  std::printf("the spool alone, %2d workers: %6.0f jobs/s, from the submission to the result\n",
              workers, jobs / seconds);
  std::fflush(stdout);
}

class Bench {
 public:
  Bench(std::string hone, int jobs) : hone_(std::move(hone)), jobs_(jobs) {}

  void with(int count) {
    const exec::Spool spool(place_.path() / ("spool-" + std::to_string(count)));
    const auto executor = exec::spool_executor({.spool = spool.path()});
    const Workers workers(hone_, spool.path(), place_.path() / "leases", count);
    // Each worker has done jobs before anything is counted: its judge has drawn its pools.
    run(*executor, "warm", 8 * count);
    const auto start = Clock::now();
    const double work = run(*executor, "full", jobs_);
    const double seconds = since(start);
    std::printf(
        "%2d workers: %6.1f jobs/s, %6.1f ms of wall time a job and worker, of which %6.1f "
        "ms are the job's: overhead %5.1f ms\n",
        count, jobs_ / seconds, 1e3 * count * seconds / jobs_, 1e3 * work / jobs_,
        1e3 * (count * seconds - work) / jobs_);
    one_at_a_time(*executor, count);
    std::fflush(stdout);
  }

 private:
  // All at once; the seconds that the jobs themselves took.
  double run(exec::Executor& executor, const std::string& kind, int count) {
    for (int i = 0; i < count; ++i) submit(executor, name_of(kind, i));
    double seconds = 0;
    for (int i = 0; i < count; ++i) seconds += result(executor, name_of(kind, i));
    return seconds;
  }
  void one_at_a_time(exec::Executor& executor, int workers) {
    constexpr int single_jobs = 40;
    std::vector<double> overheads;
    for (int i = 0; i < single_jobs; ++i) {
      const auto start = Clock::now();
      submit(executor, name_of("one", i));
      const double work = result(executor, name_of("one", i));
      overheads.push_back(1e3 * (since(start) - work));
    }
    std::sort(overheads.begin(), overheads.end());
    std::printf("            one at a time, %d workers: overhead %.1f ms (median), %.1f ms (p90)\n",
                workers, overheads[single_jobs / 2], overheads[single_jobs * 9 / 10]);
  }
  static std::string name_of(const std::string& kind, int number) {
    return kind + "-" + std::to_string(number);
  }
  void submit(exec::Executor& executor, const std::string& name) {
    executor.submit({name, packer_(place_.job(name, "copy ns=1000000"))});
  }
  double result(exec::Executor& executor, const std::string& name) const {
    const auto back = executor.wait_for(name, [] { return false; });
    const auto result = run::result_from(back->body);
    if (!result || !result->error.empty() || !result->evaluation)
      base::fail(base::ExitCode::environment, "{}: {}", name,
                 result ? result->error : result.error());
    return result->seconds;
  }

  std::string hone_;
  int jobs_;
  run::FakeTask place_;
  run::JobPacker packer_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3)
    return std::fprintf(stderr, "usage: hone_bench_cluster HONE JOBS [WORKERS...]\n"), 2;
  try {
    std::vector<int> workers;
    for (int i = 3; i < argc; ++i) workers.push_back(std::atoi(argv[i]));
    if (workers.empty()) workers = {1, 2, 4, 8, 16};
    const int jobs = std::atoi(argv[2]);
    for (const int count : workers) measure_spool_alone(count, jobs);
    for (const int count : workers) Bench(argv[1], jobs).with(count);
    return 0;
  } catch (const base::Error& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
}
