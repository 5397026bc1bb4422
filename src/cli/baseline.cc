#include "cli/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "adapters/kernelbench.h"
#include "base/error.h"
#include "cli/evaluation_text.h"
#include "cli/inputs.h"
#include "cli/table.h"
#include "device/device.h"
#include "judge/baseline.h"
#include "judge/ceilings.h"
#include "run/baselines.h"
#include "runner/python.h"

namespace hone::cli {
namespace {

using nlohmann::json;

std::filesystem::path checkout() {
  const char* folder = std::getenv("HONE_KERNELBENCH");
  return folder == nullptr ? "" : folder;
}

// As its task is called, also where none could be made of it.
std::string problem_name(const std::string& text) {
  const auto problem = adapters::kernelbench_problem(text);
  return problem ? fmt::format("{}_{}", problem->level, problem->number) : text;
}

run::BaselineTime time_of(const judge::BaselineResult& result) {
  run::BaselineTime time;
  time.missing = result.missing;
  if (!result.measured) return time;
  const auto& m = *result.measured;
  time = {m.median,    m.interval.low, m.interval.high,    m.wall_median, static_cast<int>(m.samples.size()),
          m.error_max, m.error_rms,    m.ceiling_fraction, m.ceiling,     ""};
  return time;
}

core::DeviceInfo device_of(const Common& common) {
  if (!common.device.empty()) return device::find_device(common.device);
  for (const char* language : {"cuda:0", "opencl:0"}) {
    try {
      return device::find_device(language);
    } catch (const base::Error&) {
      continue;
    }
  }
  base::fail(base::ExitCode::environment, "there is no device to measure on: hone doctor says what is missing");
}

// One problem in all classes: a line for each, its failure included.
class Measuring {
 public:
  Measuring(const BaselineOptions& options, const core::DeviceInfo& info, Progress& progress)
      : options_(options), info_(info), progress_(progress), python_(runner::find_python().program) {
    known_ = run::read_baselines(run::home_baselines());
    if (!options.out.empty())
      for (auto& line : run::read_baselines(options.out)) known_.push_back(std::move(line));
    judging_.unsafe = options.unsafe;
    judging_.progress = [this](const std::string& text) { progress_.say(name_ + ": " + text); };
    judging_.ceilings = judge::ceilings_of(info, true, {options.unsafe, judging_.progress});
  }

  // Lines of this problem, measured now or before.
  std::vector<run::BaselineLine> measure(const std::string& text) {
    name_ = text;
    std::vector<run::BaselineLine> lines;
    for (const auto& class_name : judge::class_names) {
      auto& line = lines.emplace_back();
      line.problem = problem_name(text);
      line.class_name = class_name;
      line.device = info_.uuid;
      line.device_name = info_.name;
      line.driver = info_.driver;
      line.python = python_;
      line.when = json_time(std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()));
    }
    try {
      progress_.say(text);
      const core::Task task = task_from(text);
      if (recorded(task, lines)) return lines;
      for (auto& line : lines) {
        line.problem = task.name;
        line.reference = run::reference_hash(task);
        line.weak = task.weak;
      }
      fill(task, lines);
    } catch (const base::Error& error) {
      // One problem's failure is its own; what is broken for all stops the list.
      if (error.code() != base::ExitCode::bad_input && error.code() != base::ExitCode::environment) throw;
      for (auto& line : lines) line.failed = error.what();
    }
    for (const auto& line : lines) {
      run::append_baseline(run::home_baselines(), line);
      if (!options_.out.empty()) run::append_baseline(options_.out, line);
    }
    return lines;
  }

 private:
  bool recorded(const core::Task& task, std::vector<run::BaselineLine>& lines) const {
    if (options_.again) return false;
    std::vector<run::BaselineLine> found;
    for (const auto& line : lines)
      if (const auto* one = run::find_baseline(known_, run::reference_hash(task), info_.uuid, line.class_name);
          one != nullptr && one->failed.empty())
        found.push_back(*one);
    if (found.size() != lines.size()) return false;
    lines = found;
    return true;
  }

  void fill(const core::Task& task, std::vector<run::BaselineLine>& lines) {
    judge::Judge judge(task, info_, judging_);
    const auto cases = judge.cases("");
    const auto timed = std::find_if(cases.begin(), cases.end(), [](const core::Case* one) { return one->timed; });
    if (timed == cases.end())
      base::fail(base::ExitCode::bad_input, "task {} has no timed case for {}", task.name, info_.id);
    for (const auto& result : judge::measure_baselines(judge, **timed))
      for (auto& line : lines)
        if (line.class_name == result.class_name)
          (result.mode == "eager" ? line.eager : line.compiled) = time_of(result);
  }

  const BaselineOptions& options_;
  const core::DeviceInfo& info_;
  Progress& progress_;
  std::string python_, name_;
  std::vector<run::BaselineLine> known_;
  judge::JudgeOptions judging_;
};

std::string time_text(const run::BaselineTime& time) { return time.median > 0 ? format_seconds(time.median) : "-"; }

}  // namespace

bool names_several(const std::string& text) {
  const auto slash = text.find('/');
  return text.starts_with("kernelbench:") && (slash == std::string::npos || text.find('-', slash) != std::string::npos);
}

std::vector<std::string> single_tasks(const std::vector<std::string>& texts) {
  std::vector<std::string> single;
  for (const auto& text : texts) {
    if (!names_several(text)) {
      single.push_back(text);
      continue;
    }
    if (checkout().empty())
      base::fail(base::ExitCode::usage,
                 "{}: where is KernelBench? Name a checkout of it with --kernelbench or $HONE_KERNELBENCH", text);
    for (const auto& problem : adapters::kernelbench_problems(text, checkout()))
      single.push_back(fmt::format("kernelbench:{}/{}", problem.level, problem.number));
  }
  return single;
}

int baseline(const BaselineOptions& options) {
  const auto tasks = single_tasks(options.tasks);
  const core::DeviceInfo info = device_of(options);
  Progress progress(options.json);
  Measuring measuring(options, info, progress);
  using Align = Column::Align;
  Table table({{"problem"},
               {"class"},
               {"eager", Align::right},
               {"compile", Align::right},
               {"best"},
               {"of the ceiling", Align::right},
               {"error", Align::right},
               {""}});
  bool all = true;
  for (const auto& text : tasks) {
    for (const auto& line : measuring.measure(text)) {
      all = all && line.failed.empty();
      if (options.json) fmt::print("{}\n", run::to_json(line).dump(-1, ' ', false, json::error_handler_t::replace));
      const auto best = run::best_of(line);
      const auto& time = best && best->mode == "compile" ? line.compiled : line.eager;
      table.add(
          {printable(line.problem), line.class_name, time_text(line.eager), time_text(line.compiled),
           best ? best->mode : "",
           time.ceiling_fraction ? fmt::format("{} of {}", format_percent(*time.ceiling_fraction), time.ceiling) : "",
           best ? fmt::format("{:.1e}", time.error_rms) : "",
           printable(line.failed.empty() ? line.weak.empty() ? "" : "weak: " + line.weak.front()
                                         : "failed: " + line.failed)});
    }
    std::fflush(stdout);
  }
  progress.say("");
  if (!options.json) fmt::print("{}", table.text(screen_of(stdout)));
  return static_cast<int>(all ? base::ExitCode::ok : base::ExitCode::not_accepted);
}

int weak_problems(const TaskCheckOptions& options) {
  Progress progress(options.json);
  json list = json::array();
  Table table({{"problem"}, {""}, {"why"}});
  int weak = 0, refused = 0;
  const auto tasks = single_tasks({options.task});
  for (const auto& text : tasks) {
    progress.say(text);
    json one = {{"problem", text}, {"weak", json::array()}};
    try {
      const core::Task task = task_from(text);
      one["weak"] = task.weak;
      one["task"] = task.folder.string();
      weak += task.weak.empty() ? 0 : 1;
      for (const auto& sentence : task.weak) table.add({printable(text), "weak", printable(sentence)});
    } catch (const base::Error& error) {
      if (error.code() != base::ExitCode::bad_input) throw;
      one["refused"] = error.what();
      ++refused;
      table.add({printable(text), "refused", printable(error.what())});
    }
    list.push_back(std::move(one));
  }
  progress.say("");
  if (options.json) {
    std::fputs(json_text({{"problems", list}, {"weak", weak}, {"refused", refused}}).c_str(), stdout);
  } else {
    fmt::print("{}{} problem(s): on {} KernelBench's own check takes what computes nothing, {} cannot be judged\n",
               table.text(screen_of(stdout)), tasks.size(), weak, refused);
  }
  return static_cast<int>(weak + refused == 0 ? base::ExitCode::ok : base::ExitCode::not_accepted);
}

}  // namespace hone::cli
