#include "cli/baseline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "adapters/kernelbench.h"
#include "base/error.h"
#include "base/files.h"
#include "base/words.h"
#include "cli/baseline_group.h"
#include "cli/inputs.h"
#include "core/json.h"
#include "device/device.h"
#include "judge/ceilings.h"
#include "runner/python.h"
#include "runner/runner.h"
#include "text/evaluation_text.h"

namespace hone::cli {
using namespace text;
namespace {

using nlohmann::json;
using Lines = std::vector<tables::BaselineLine>;  // of one problem: one for each class

tables::BaselineTime time_of(const judge::BaselineResult& result) {
  tables::BaselineTime time;
  time.missing = result.missing;
  if (!result.measured) return time;
  const auto& m = *result.measured;
  time = {m.median,    m.interval.low, m.interval.high,    m.wall_median, static_cast<int>(m.samples.size()),
          m.error_max, m.error_rms,    m.ceiling_fraction, m.ceiling,     ""};
  time.in_a_row = result.batch_seconds;
  time.calls = static_cast<int>(result.batch_calls);
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

// The hash by which a problem is known, without asking Python anything. Throws where there is no such problem.
std::string reference_of(const std::string& text) {
  constexpr std::uint64_t largest_problem = 1u << 20;
  const auto problem = adapters::kernelbench_problem(text);
  if (!problem) return tables::reference_hash(task_from(text));
  return tables::source_hash(
      base::read_file(adapters::problem_file(kernelbench_checkout(text), *problem), largest_problem));
}

std::vector<std::string> each_once(const std::vector<std::string>& texts) {
  std::vector<std::string> once;
  for (const auto& text : single_tasks(texts))
    if (std::find(once.begin(), once.end(), text) == once.end()) once.push_back(text);
  return once;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Measuring {
 public:
  Measuring(const BaselineOptions& options, const core::DeviceInfo& info)
      : options_(options),
        info_(info),
        progress_(options.json),
        python_(runner::find_python()),
        end_(options.budget_s > 0 ? options.budget_s : std::numeric_limits<std::int32_t>::max()) {
    known_ = tables::read_baselines(tables::home_baselines());
    if (!options.out.empty()) {
      in_out_ = tables::read_baselines(options.out);
      known_.insert(known_.end(), in_out_.begin(), in_out_.end());
    }
    judging_.unsafe = options.unsafe;
    judging_.progress = [this](const std::string& text) { progress_.say(text); };
  }

  // False: the time given was up.
  bool run() {
    std::vector<std::string> left;
    for (const auto& text : each_once(options_.tasks))
      if (!recorded(text)) left.push_back(text);
    if (left.empty()) return true;
    if (fitting() == 0) return false;
    get_ready();
    total_ = left.size();
    const auto jobs = static_cast<std::size_t>(options_.jobs > 0 ? options_.jobs : usual_jobs(info_));
    for (auto next = left.begin(); next != left.end();) {
      const std::size_t count = std::min({jobs, fitting(), static_cast<std::size_t>(left.end() - next)});
      std::vector<std::string> alone;
      if (count == 0 || !group({next, next + static_cast<std::ptrdiff_t>(count)}, alone)) return false;
      for (const auto& text : alone) {
        std::vector<std::string> nobody;
        if (fitting() == 0 || !group({text}, nobody)) return false;
      }
      next += static_cast<std::ptrdiff_t>(count);
    }
    return true;
  }

  const std::map<std::string, Lines>& done() const { return done_; }

 private:
  // What no problem can do without, and what imports take, once.
  void get_ready() {
    progress_.say("starting Python");
    const auto worker = runner::python_options(info_, true, {python_, "baseline"});
    if (const auto why = runner::open_problem(info_, worker); !why.empty())
      base::fail(base::ExitCode::environment, "{}", why);
    judging_.ceilings = judge::ceilings_of(info_, true, {options_.unsafe, judging_.progress});
  }

  bool recorded(const std::string& text) {
    const std::string reference = reference_of(text);
    if (options_.again) return false;
    Lines found;
    for (const auto& class_name : judge::class_names) {
      const auto* line = tables::find_baseline(known_, reference, info_.uuid, class_name);
      if (line == nullptr && options_.by_model) line = of_the_same_model(reference, class_name);
      if (line == nullptr) return false;
      if (!line->failed.empty() && (options_.retry || line->passing)) return false;
      found.push_back(*line);
    }
    for (const auto& line : found)
      if (!options_.out.empty() && !is_in_out(line)) tables::append_baseline(options_.out, line);
    keep(text, found);
    return true;
  }

  const tables::BaselineLine* of_the_same_model(const std::string& reference, const std::string& class_name) const {
    for (const auto& line : known_)
      if (line.device_name == info_.name)
        if (const auto* found = tables::find_baseline(known_, reference, line.device, class_name)) return found;
    return nullptr;
  }

  bool is_in_out(const tables::BaselineLine& line) const {
    const auto* there = tables::find_baseline(in_out_, line.reference, line.device, line.class_name);
    return there != nullptr && there->failed == line.failed;
  }

  // How many more can be prepared and timed before the end, as far as the ones before tell.
  std::size_t fitting() const {
    const double left = end_.left();
    if (left <= 0 || timings_.empty()) return left <= 0 ? 0 : std::numeric_limits<std::size_t>::max();
    const double each = std::accumulate(timings_.begin(), timings_.end(), 0.0) / static_cast<double>(timings_.size());
    const double longest = *std::max_element(timings_.begin(), timings_.end());
    if (left < slowest_preparation_ + longest) return 0;
    return 1 + static_cast<std::size_t>((left - slowest_preparation_ - longest) / each);
  }

  // `alone` gets those that have failed and may do without the others. False: the time given was up.
  bool group(const std::vector<std::string>& texts, std::vector<std::string>& alone) {
    std::vector<Attempt> attempts(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) attempts[i].text = texts[i];
    const std::string names = texts.size() == 1
                                  ? problem_name(texts[0])
                                  : fmt::format("{} to {}", problem_name(texts.front()), problem_name(texts.back()));
    const auto start = std::chrono::steady_clock::now();
    prepare(attempts, info_, {options_.limit_s, &end_, [&](const std::string& text) {
                                progress_.say(fmt::format("{:.0f} s: {}: {}", seconds_since(begin_), names, text));
                              }});
    slowest_preparation_ = std::max(slowest_preparation_, seconds_since(start));
    for (auto& attempt : attempts) {
      const double longest = timings_.empty() ? 0 : *std::max_element(timings_.begin(), timings_.end());
      if (end_.left() <= longest) return false;
      if (attempt.failed.empty()) {
        time(attempt, info_, judging_);
        timings_.push_back(attempt.timed);
      }
      if (texts.size() > 1 && may_do_alone(attempt)) {
        progress_.say(fmt::format("{}: it is tried once more, alone: {}", problem_name(attempt.text), why(attempt)));
        alone.push_back(attempt.text);
        attempt.fail("", false);  // ends its processes
        continue;
      }
      if (!attempt.failed.empty() && end_.left() <= 0) return false;  // it may be the end that it failed by
      write(attempt);
    }
    return true;
  }

  static std::string why(const Attempt& attempt) {
    std::string text = attempt.failed;
    for (const auto& result : attempt.results)
      if (text.empty()) text = result.missing;
    return short_reason(text);
  }

  void write(const Attempt& attempt) {
    Lines lines;
    for (const auto& class_name : judge::class_names) {
      auto& line = lines.emplace_back();
      line.problem = attempt.task ? attempt.task->name : problem_name(attempt.text);
      line.reference = attempt.task ? tables::reference_hash(*attempt.task) : reference_of(attempt.text);
      line.class_name = class_name;
      line.device = info_.uuid;
      line.device_name = info_.name;
      line.driver = info_.driver;
      line.python = python_.program;
      line.torch = python_.version;
      line.when = core::json_time(std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()));
      line.failed = attempt.failed;
      line.passing = attempt.passing;
      if (attempt.task) line.weak = attempt.task->weak;
      for (const auto& result : attempt.results)
        if (class_name == result.class_name) (result.mode == "eager" ? line.eager : line.compiled) = time_of(result);
      tables::append_baseline(tables::home_baselines(), line);
      if (!options_.out.empty()) tables::append_baseline(options_.out, line);
    }
    keep(attempt.text, lines);
    say(attempt, lines);
  }

  void keep(const std::string& text, const Lines& lines) {
    if (options_.json)
      for (const auto& line : lines)
        fmt::print("{}\n", tables::to_json(line).dump(-1, ' ', false, json::error_handler_t::replace));
    std::fflush(stdout);
    done_[text] = lines;
  }

  void say(const Attempt& attempt, const Lines& lines) {
    ++finished_;
    if (options_.json) return;
    std::string result;
    for (const auto& line : lines)
      if (const auto best = tables::best_of(line))
        result += fmt::format("{}{} {} ({})", result.empty() ? "" : ", ", line.class_name,
                              format_seconds(best->seconds), best->mode);
    if (!attempt.failed.empty()) result = "failed: " + why(attempt);
    if (progress_.terminal()) progress_.say("");
    fmt::print(stderr, "{:.0f} s: {} of {}: {}: {}; prepared in {:.1f} s, timed in {:.1f} s\n", seconds_since(begin_),
               finished_, total_, printable(lines.front().problem), printable(result), attempt.prepared, attempt.timed);
  }

  const BaselineOptions& options_;
  const core::DeviceInfo& info_;
  Progress progress_;
  runner::Python python_;
  Deadline end_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  Lines known_, in_out_;
  judge::JudgeOptions judging_;
  std::map<std::string, Lines> done_;  // by the text that names the problem
  std::vector<double> timings_;
  double slowest_preparation_ = 0;
  std::size_t total_ = 0, finished_ = 0;
};

int show(const BaselineOptions& options, const Lines& lines) {
  if (!options.markdown.empty()) {
    const std::string problems = options.tasks.empty() ? "PROBLEMS" : fmt::format("{}", fmt::join(options.tasks, " "));
    base::write_file_atomically(options.markdown, baselines_markdown(lines, "hone baseline " + problems));
  }
  if (!options.json) fmt::print("{}", baselines_text(lines, screen_of(stdout)));
  const bool all = std::all_of(lines.begin(), lines.end(), [](const auto& line) { return line.failed.empty(); });
  return static_cast<int>(all ? base::ExitCode::ok : base::ExitCode::not_accepted);
}

// What the file holds of the problems; without any, all of it.
int show_recorded(const BaselineOptions& options) {
  const auto file = options.out.empty() ? tables::home_baselines() : std::filesystem::path(options.out);
  std::vector<std::string> names;
  for (const auto& text : single_tasks(options.tasks)) names.push_back(problem_name(text));
  const Lines all = tables::read_baselines(file);
  Lines lines;
  for (const auto& line : all)
    if (tables::find_baseline(all, line.reference, line.device, line.class_name) == &line &&
        (names.empty() || std::find(names.begin(), names.end(), line.problem) != names.end()))
      lines.push_back(line);
  if (options.json)
    for (const auto& line : lines)
      fmt::print("{}\n", tables::to_json(line).dump(-1, ' ', false, json::error_handler_t::replace));
  return show(options, lines);
}

}  // namespace

int baseline(const BaselineOptions& options) {
  if (options.show) return show_recorded(options);
  if (options.tasks.empty())
    base::fail(base::ExitCode::usage, "which problems? Name some, like kernelbench:level1, or say --show");
  const core::DeviceInfo info = device_of(options);
  Measuring measuring(options, info);
  const bool whole = measuring.run();
  Lines lines;
  for (const auto& text : each_once(options.tasks))
    if (const auto found = measuring.done().find(text); found != measuring.done().end())
      lines.insert(lines.end(), found->second.begin(), found->second.end());
  const int code = show(options, lines);
  if (whole) return code;
  fmt::print(stderr, "the time given was up after {}: the same command goes on\n",
             base::counted(static_cast<std::int64_t>(measuring.done().size()), "problem"));
  return static_cast<int>(base::ExitCode::unfinished);
}

}  // namespace hone::cli
