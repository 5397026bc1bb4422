#include "app/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "app/own_process.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/words.h"
#include "exec/spool_watch.h"
#include "exec/worker_place.h"
#include "run/spool_work.h"

namespace hone::app {
namespace {

using base::ExitCode;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double lives_in_time = 10, looks_in_time = 8;  // within the time after which one is lost
constexpr auto tell_again = std::chrono::milliseconds(200);
constexpr int interrupted = static_cast<int>(ExitCode::interrupted);
constexpr int most_idle_crashes = 3;  // in turn, of a process that had not begun a job

class Worker {
 public:
  Worker(const WorkerRequest& request, Sink& sink)
      : request_(request),
        sink_(sink),
        settings_(exec::Spool(request.spool).open({})),
        place_(exec::Spool(request.spool), exec::new_worker_name()),
        watch_(place_.spool(), settings_.lost_after) {}

  WorkerResult run() {
    place_.enter();
    std::optional<base::Error> failure;
    try {
      work();
    } catch (const base::Error& error) {
      failure = error;
    }
    const std::uint64_t done = done_before_ + place_.progress().done;
    place_.leave(failure ? failure->what() : "");
    sink_.step({});
    if (failure) throw *failure;
    return {place_.worker(), done};
  }

 private:
  void work() {
    int idle_crashes = 0;
    while (!sink_.cancelled()) {
      const run::Finished finished =
          run::run_hone(words(), [this] { return look(), sink_.cancelled() || !broken_.empty(); });
      if (!broken_.empty()) base::fail(ExitCode::environment, "{}", broken_);
      // A batch system tells all processes of a job to end, and this one may hear it last.
      if (sink_.cancelled() || finished.code == 0 || finished.code == interrupted) return;
      const bool had_job = !place_.spool().claims_of(place_.worker()).empty();
      place_.give_back_all();
      if (finished.code < signalled)
        throw base::Error(static_cast<ExitCode>(finished.code), error_of(finished));
      const std::string what =
          fmt::format("signal {} ended the process that did the work", finished.code - signalled);
      sink_.say(had_job ? what + "; its job goes back, and another process is started" : what);
      done_before_ += place_.progress().done;
      place_.note({});
      idle_crashes = had_job ? 0 : idle_crashes + 1;
      if (idle_crashes >= most_idle_crashes)
        base::fail(ExitCode::environment, "{}, {} times before it had begun a job: {}", what,
                   idle_crashes, error_of(finished));
    }
  }

  std::vector<std::string> words() const {
    std::vector<std::string> words = options_of_resources();
    words.insert(words.end(), {"work", "--as", place_.worker()});
    if (!request_.device.empty()) words.insert(words.end(), {"--device", request_.device});
    if (request_.unsafe) words.emplace_back("--unsafe");
    if (request_.of_run) words.emplace_back("--of-run");
    const auto add_minutes = [&](const char* option, double minutes) {
      if (minutes > 0) words.insert(words.end(), {option, fmt::format("{}", minutes)});
    };
    add_minutes("--idle-minutes", request_.idle_minutes);
    if (request_.max_minutes > 0) add_minutes("--max-minutes", std::max(minutes_left(), 1e-3));
    words.insert(words.end(), {"--", request_.spool});
    return words;
  }
  double minutes_left() const {
    return request_.max_minutes - Seconds(Clock::now() - start_).count() / 60;
  }

  // Many times a second, while the other process works.
  void look() {
    const auto now = Clock::now();
    const auto due = [&](Clock::time_point& last, Seconds every) {
      if (last != Clock::time_point{} && now - last < every) return false;
      last = now;
      return true;
    };
    try {
      if (due(lived_, Seconds(settings_.lost_after / lives_in_time))) place_.show_life();
      if (due(looked_, Seconds(settings_.lost_after / looks_in_time)))
        for (const std::string& worker : watch_.look(now))
          sink_.say(
              fmt::format("worker {} was lost: it showed no life for {:g} s; its job goes back",
                          worker, settings_.lost_after));
      if (due(told_, tell_again)) tell();
    } catch (const base::Error& error) {
      broken_ = error.what();
    }
  }

  void tell() {
    const auto claims = place_.spool().claims_of(place_.worker());
    const exec::WorkerProgress progress = place_.progress();
    const std::string doing = claims.empty() ? "waits for jobs"
                              : progress.waits_for_space
                                  ? "waits for space: the spool's disk is full"
                                  : "does " + claims.front().name;
    const auto done = static_cast<std::int64_t>(done_before_ + progress.done);
    sink_.step({fmt::format("{} done; {}", base::counted(done, "job"), doing), {}, {}});
  }

  const WorkerRequest& request_;
  Sink& sink_;
  const exec::SpoolSettings settings_;
  const exec::WorkerPlace place_;
  exec::SpoolWatch watch_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point lived_{}, looked_{}, told_{};
  std::uint64_t done_before_ = 0;
  std::string broken_;
};

}  // namespace

WorkerResult work_for_spool(const WorkerRequest& request, Sink& sink) {
  return Worker(request, sink).run();
}

void describe(base::Fields& f, const WorkerResult& result) {
  f("worker", result.worker)("done", result.done);
}

void do_work_of_spool(const WorkerRequest& request) {
  die_with_parent();
  run::SpoolWorkOptions options;
  options.spool = request.spool;
  options.worker = request.as;
  options.place.device = request.device;
  options.place.judging.unsafe = request.unsafe;
  options.place.pass_on = options_of_resources();
  options.idle_minutes = request.idle_minutes;
  options.max_minutes = request.max_minutes;
  options.of_run = request.of_run;
  run::work_from_spool(options);
}

}  // namespace hone::app
