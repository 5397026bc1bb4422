#include "app/tune.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

#include "app/inputs.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/resources.h"
#include "text/format.h"

namespace hone::app {
namespace {

namespace fs = std::filesystem;
using base::ExitCode;
using Clock = std::chrono::steady_clock;

// The result is written after minutes or hours: whether it can be is asked before.
fs::path checked_out(const TuneRequest& request) {
  const fs::path candidate = request.candidate;
  fs::path out = request.out;
  if (out.empty())
    out = candidate.parent_path() /
          (candidate.stem().string() + ".tuned" + candidate.extension().string());
  const fs::path folder = out.has_parent_path() ? out.parent_path() : fs::path(".");
  if (out.extension() != candidate.extension())
    base::fail(ExitCode::usage, "--out {}: the result is a {} file like the candidate",
               out.string(), candidate.extension().string());
  if (std::error_code ec; fs::is_directory(out, ec))
    base::fail(ExitCode::usage, "--out {}: that is a folder; give a file", out.string());
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    base::fail(ExitCode::environment,
               "the result could not be written to {}: {}; say where with --out FILE",
               folder.string(), base::errno_text());
  return out;
}

// Tells the sink how far the search is: a sentence for each point, and between points what the
// judge does.
class SearchProgress {
 public:
  SearchProgress(Sink& sink, double max_minutes) : sink_(sink), most_seconds_(60 * max_minutes) {}

  void step(const std::string& text) { sink_.step({text, part_, left_}); }

  run::TuneWatcher watcher() {
    run::TuneWatcher watcher;
    watcher.say = [this](const std::string& text) {
      part_ = left_ = {};  // the search has not begun, or is over
      sink_.say(text);
    };
    watcher.point = [this](const run::TuneStatus& status) {
      const std::chrono::duration<double> taken = Clock::now() - began_;
      part_ = part_done(status);
      left_ = seconds_left(status, taken.count(), most_seconds_);
      sink_.say(status_line(status) + (left_ ? "; " + text::format_time_left(*left_) : ""));
    };
    return watcher;
  }

 private:
  Sink& sink_;
  const double most_seconds_;
  const Clock::time_point began_ = Clock::now();
  std::optional<double> part_, left_;
};

void describe_final(base::Fields& f, const store::ComparisonRecord& record) {
  f.value(record);
  f("id", record.id);
}

}  // namespace

TuneResult tune(const TuneRequest& request, Sink& sink) {
  TuneResult result;
  const core::Task task = task_from(request.task, sink);
  require_device_task(task);
  result.task = task.name;
  result.candidate = candidate_for(task, request.candidate, sink);
  require_case(task, request.case_name);
  run::TuneOptions options;
  options.out = checked_out(request);
  options.force = request.force;
  result.device = device_for(request, result.candidate);
  auto archive = archive_for(request);
  options.task_path = task.folder;
  options.case_name = request.case_name;
  options.max_evals = request.max_evals;
  options.max_minutes = request.max_minutes;
  options.seed = request.seed;
  options.start = request.start;
  if (!base::resource_folder().empty())
    options.pass_on = {"--resources", base::resource_folder().string()};
  SearchProgress progress(sink, request.max_minutes);
  options.judging = judging_for(request, request.limit, result.device, sink);
  options.judging.progress = [&progress](const std::string& text) { progress.step(text); };
  result.tuning = run::tune(archive, task, result.candidate, result.device, options,
                            progress.watcher(), sink.cancelled());
  sink.step({});
  return result;
}

void describe(base::Fields& f, const TuneResult& result) {
  const auto& tuning = result.tuning;
  const auto& status = tuning.status;
  const auto compared = [&](base::Fields&) { describe_final(f, *tuning.compared); };
  f("run", tuning.run)("task", result.task)("candidate", result.candidate.name);
  f("device", result.device)("strategy", tuning.strategy)("stopped", tuning.stopped);
  f("interrupted", tuning.interrupted)("conclusion", tuning.conclusion);
  f.group("points", [&] {
    f("done", status.done)("failed", status.failed)("undecided", status.undecided);
    f("given_up", status.stopped_early)("known", status.known)("total", status.total);
  });
  f.group("default", [&] {
    f("point", core::default_point(result.candidate.plan))("screened_s", status.default_seconds);
  });
  f.list("finals", tuning.finals,
         [&](const store::ComparisonRecord& record) { describe_final(f, record); });
  f("winner", tuning.winner);
  f("certified", tuning.certified ? &tuning.certified->evaluation : nullptr);
  f("compared", tuning.compared ? &compared : nullptr)("written", base::or_null(tuning.written));
}

}  // namespace hone::app
