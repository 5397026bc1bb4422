#include "app/tune.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "app/inputs.h"
#include "base/error.h"
#include "base/resources.h"
#include "core/device_json.h"
#include "core/evaluation_json.h"
#include "core/or_null.h"
#include "store/comparison_json.h"
#include "text/format.h"

namespace hone::app {
namespace {

namespace fs = std::filesystem;
using base::ExitCode;
using nlohmann::json;
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

json comparison_with_id(const store::ComparisonRecord& record) {
  json said = store::to_json(record);
  said["id"] = record.id;
  return said;
}

json points_json(const run::TuneStatus& status) {
  return {{"done", status.done},           {"failed", status.failed},
          {"undecided", status.undecided}, {"given_up", status.stopped_early},
          {"known", status.known},         {"total", core::or_null(status.total)}};
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

json to_json(const TuneResult& result) {
  const auto& tuning = result.tuning;
  json finals = json::array();
  for (const auto& final : tuning.finals) finals.push_back(comparison_with_id(final));
  return {
      {"run", tuning.run},
      {"task", result.task},
      {"candidate", result.candidate.name},
      {"device", core::to_json(result.device)},
      {"strategy", tuning.strategy},
      {"stopped", tuning.stopped},
      {"interrupted", tuning.interrupted},
      {"conclusion", tuning.conclusion},
      {"points", points_json(tuning.status)},
      {"default",
       {{"point", core::default_point(result.candidate.plan)},
        {"screened_s", core::or_null(tuning.status.default_seconds)}}},
      {"finals", finals},
      {"winner", core::or_null(tuning.winner)},
      {"certified", tuning.certified ? core::to_json(tuning.certified->evaluation) : json(nullptr)},
      {"compared", tuning.compared ? comparison_with_id(*tuning.compared) : json(nullptr)},
      {"written", tuning.written.empty() ? json(nullptr) : json(tuning.written.string())}};
}

}  // namespace hone::app
