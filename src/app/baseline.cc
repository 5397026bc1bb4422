#include "app/baseline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "app/inputs.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"
#include "device/device.h"
#include "tables/baseline_table.h"
#include "tables/measure_baselines.h"
#include "tables/problems.h"

namespace hone::app {
namespace {

using Lines = std::vector<tables::BaselineLine>;

// Tasks are loaded on several threads at once, and a sink is called by one at a time.
class LockedSink : public Sink {
 public:
  explicit LockedSink(Sink& sink) : sink_(sink) {}
  void say(const std::string& sentence) override {
    const std::lock_guard lock(mutex_);
    sink_.say(sentence);
  }
  void step(const Step& step) override {
    const std::lock_guard lock(mutex_);
    sink_.step(step);
  }
  const std::atomic<bool>& cancelled() const override { return sink_.cancelled(); }

 private:
  Sink& sink_;
  std::mutex mutex_;
};

core::DeviceInfo device_for_torch(const CommonOptions& place) {
  if (!place.device.empty()) return device::find_device(place.device);
  for (const char* language : {"cuda:0", "opencl:0"}) {
    try {
      return device::find_device(language);
    } catch (const base::Error&) {
      continue;
    }
  }
  base::fail(base::ExitCode::environment,
             "there is no device to measure on: hone doctor says what is missing");
}

std::vector<std::string> each_once(const std::vector<std::string>& texts) {
  std::vector<std::string> once;
  for (const auto& text : tables::single_tasks(texts))
    if (std::find(once.begin(), once.end(), text) == once.end()) once.push_back(text);
  return once;
}

// As lines have it: a name may be given too, of a problem whose task is not here.
std::string recorded_name(const std::string& text, Sink& sink) {
  std::error_code ec;
  return std::filesystem::is_directory(text, ec) ? task_from(text, sink).name
                                                 : tables::problem_name(text);
}

// What the file holds of the problems; without any, all of it.
BaselineResult recorded(const BaselineRequest& request, Sink& sink) {
  const auto file =
      request.out.empty() ? tables::home_baselines() : std::filesystem::path(request.out);
  std::vector<std::string> names;
  for (const auto& text : tables::single_tasks(request.tasks))
    names.push_back(recorded_name(text, sink));
  const Lines all = tables::read_baselines(file);
  BaselineResult result;
  std::vector<std::string> references;
  for (const auto& line : all) {
    const bool wanted =
        names.empty() || std::find(names.begin(), names.end(), line.problem) != names.end();
    if (!wanted ||
        tables::find_baseline(all, line.reference, line.device, line.class_name) != &line)
      continue;
    result.lines.push_back(line);
    if (std::find(references.begin(), references.end(), line.reference) == references.end())
      references.push_back(line.reference);
  }
  result.problems = references.size();
  return result;
}

BaselineResult measured(const BaselineRequest& request, Sink& sink,
                        const std::function<void(const Lines&)>& each) {
  if (request.tasks.empty())
    base::fail(base::ExitCode::usage,
               "which problems? Name some, like kernelbench:level1, or say --show");
  const core::DeviceInfo info = device_for_torch(request);
  tables::MeasureOptions options;
  options.problems = each_once(request.tasks);
  options.home = tables::home_baselines();
  options.out = request.out;
  options.reuse = {request.again, request.retry, request.by_model};
  options.jobs = request.jobs;
  options.limit_s = request.limit_s;
  options.budget_s = request.budget_s;
  options.unsafe = request.unsafe;
  LockedSink locked(sink);
  tables::MeasureCalls calls;
  calls.load_task = [&](const std::string& text) { return task_from(text, locked); };
  calls.each = [&](const Lines& lines) {
    if (each) each(lines);
  };
  calls.say = [&](const std::string& sentence) { locked.say(sentence); };
  calls.step = [&](const std::string& text, double part) { locked.step({text, part, {}}); };
  calls.cancelled = [&] { return locked.cancelled().load(); };
  auto found = tables::measure_baselines(options, info, calls);
  sink.step({});
  return {std::move(found.lines), found.problems, found.complete};
}

}  // namespace

BaselineResult baseline(const BaselineRequest& request, Sink& sink,
                        const std::function<void(const Lines&)>& each) {
  BaselineResult result =
      request.recorded ? recorded(request, sink) : measured(request, sink, each);
  if (request.recorded && each && !result.lines.empty()) each(result.lines);
  if (!request.markdown.empty()) {
    const std::string problems =
        request.tasks.empty() ? "PROBLEMS" : fmt::format("{}", fmt::join(request.tasks, " "));
    base::write_file_atomically(
        request.markdown, tables::baselines_markdown(result.lines, "hone baseline " + problems));
  }
  return result;
}

void describe(base::Fields& f, const BaselineResult& result) {
  f("baselines", result.lines)("complete", result.complete);
}

}  // namespace hone::app
