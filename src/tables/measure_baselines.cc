#include "tables/measure_baselines.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>

#include "adapters/kernelbench.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "judge/ceilings.h"
#include "runner/python.h"
#include "runner/runner.h"
#include "tables/problems.h"
#include "text/format.h"

namespace hone::tables {
namespace {

using Lines = std::vector<BaselineLine>;  // of one problem: one for each class
using Seconds = std::chrono::duration<double>;

BaselineTime time_of(const judge::BaselineResult& result) {
  BaselineTime time;
  time.missing = result.missing;
  if (!result.measured) return time;
  const auto& m = *result.measured;
  time = {m.median,
          m.interval.low,
          m.interval.high,
          m.wall_median,
          static_cast<int>(m.samples.size()),
          m.error_max,
          m.error_rms,
          m.ceiling_fraction,
          m.ceiling,
          ""};
  time.batch_seconds = result.batch_seconds;
  time.batch_calls = static_cast<int>(result.batch_calls);
  return time;
}

// Why it failed, or the first of its times that is missing.
std::string why(const Attempt& attempt) {
  std::string text = attempt.failed;
  for (const auto& result : attempt.results)
    if (text.empty()) text = result.missing;
  return short_reason(text);
}

std::string names_of(const std::vector<std::string>& texts) {
  return texts.size() == 1
             ? problem_name(texts.front())
             : fmt::format("{} to {}", problem_name(texts.front()), problem_name(texts.back()));
}

class Measuring {
 public:
  Measuring(const MeasureOptions& options, const core::DeviceInfo& info, const MeasureCalls& calls)
      : options_(options),
        info_(info),
        calls_(calls),
        recorded_(options.home, options.out),
        end_(options.budget_s > 0 ? options.budget_s : std::numeric_limits<std::int32_t>::max()) {}

  // False: the time given was up, or it was cancelled.
  bool run() {
    std::vector<std::string> left;
    for (const auto& text : options_.problems)
      if (!take_recorded(text)) left.push_back(text);
    if (left.empty()) return true;
    if (stops()) return false;
    get_ready();
    total_ = left.size();
    const auto jobs =
        static_cast<std::size_t>(options_.jobs > 0 ? options_.jobs : usual_jobs(info_));
    for (auto next = left.begin(); next != left.end();) {
      if (stops()) return false;
      const std::size_t count =
          std::min({jobs, pace_.fitting(end_.left()), static_cast<std::size_t>(left.end() - next)});
      std::vector<std::string> again;
      if (count == 0 || !group({next, next + static_cast<std::ptrdiff_t>(count)}, again))
        return false;
      for (const auto& text : again) {
        std::vector<std::string> none;
        if (stops() || !group({text}, none)) return false;
      }
      next += static_cast<std::ptrdiff_t>(count);
    }
    return true;
  }

  MeasuredBaselines result(bool complete) const {
    MeasuredBaselines measured{{}, done_.size(), complete};
    for (const auto& text : options_.problems)
      if (const auto found = done_.find(text); found != done_.end())
        measured.lines.insert(measured.lines.end(), found->second.begin(), found->second.end());
    return measured;
  }

 private:
  bool stops() const { return calls_.cancelled() || pace_.fitting(end_.left()) == 0; }

  double seconds_so_far() const {
    return Seconds(std::chrono::steady_clock::now() - begin_).count();
  }

  void step(const std::string& text) {
    calls_.step(text,
                total_ == 0 ? 0 : static_cast<double>(finished_) / static_cast<double>(total_));
  }

  // What no problem can do without, and what imports take, once.
  void get_ready() {
    step("starting Python");
    python_ = runner::find_python();
    const auto worker = runner::python_options(info_, true, {python_, "baseline"});
    if (const auto problem = runner::open_problem(info_, worker); !problem.empty())
      base::fail(base::ExitCode::environment, "{}", problem);
    judging_.unsafe = options_.unsafe;
    judging_.progress = [this](const std::string& text) { step(text); };
    judging_.ceilings = judge::ceilings_of(info_, true, {options_.unsafe, judging_.progress});
  }

  // The hash by which a problem is known, without asking Python anything.
  std::string reference_of(const std::string& text) const {
    constexpr std::uint64_t largest_problem = 1u << 20;
    const auto problem = adapters::kernelbench_problem(text);
    if (!problem) return reference_hash(calls_.load_task(text));
    return source_hash(base::read_file(adapters::problem_file(kernelbench_checkout(text), *problem),
                                       largest_problem));
  }

  bool take_recorded(const std::string& text) {
    const Lines found = recorded_.find(reference_of(text), info_, options_.reuse);
    if (found.empty()) return false;
    recorded_.copy_out(found);
    keep(text, found);
    return true;
  }

  // `again` gets those that have failed and may succeed without the others. False: the time given
  // was up.
  bool group(const std::vector<std::string>& texts, std::vector<std::string>& again) {
    std::vector<Attempt> attempts(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) attempts[i].text = texts[i];
    const auto start = std::chrono::steady_clock::now();
    prepare(attempts, info_,
            {options_.limit_s, &end_, calls_.load_task, [&](const std::string& text) {
               step(fmt::format("{:.0f} s: {}: {}", seconds_so_far(), names_of(texts), text));
             }});
    pace_.slowest_preparation = std::max(pace_.slowest_preparation,
                                         Seconds(std::chrono::steady_clock::now() - start).count());
    for (auto& attempt : attempts) {
      if (calls_.cancelled() || end_.left() <= pace_.longest_timing()) return false;
      if (attempt.failed.empty()) {
        time_prepared(attempt, info_, judging_);
        pace_.timings.push_back(attempt.timed);
      }
      if (texts.size() > 1 && may_succeed_alone(attempt)) {
        calls_.say(fmt::format("{}: it is tried once more, alone: {}", problem_name(attempt.text),
                               why(attempt)));
        again.push_back(attempt.text);
        attempt.fail("", false);  // ends its processes
        continue;
      }
      if (!attempt.failed.empty() && end_.left() <= 0)
        return false;  // perhaps it failed because the time was up
      write(attempt);
    }
    return true;
  }

  void write(const Attempt& attempt) {
    Lines lines;
    for (const auto& class_name : judge::class_names) {
      lines.push_back(line_of(attempt, class_name));
      recorded_.append(lines.back());
    }
    keep(attempt.text, lines);
    ++finished_;
    tell(attempt, lines);
  }

  BaselineLine line_of(const Attempt& attempt, const std::string& class_name) const {
    BaselineLine line;
    line.problem = attempt.task ? attempt.task->name : problem_name(attempt.text);
    line.reference = attempt.task ? reference_hash(*attempt.task) : reference_of(attempt.text);
    line.class_name = class_name;
    line.device = info_.uuid;
    line.device_name = info_.name;
    line.driver = info_.driver;
    line.python = python_.program;
    line.torch = python_.version;
    line.when = base::json_time(
        std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()));
    line.failed = attempt.failed;
    line.transient = attempt.transient;
    if (attempt.task) line.weak = attempt.task->weak;
    for (const auto& result : attempt.results)
      if (class_name == result.class_name)
        (result.mode == "eager" ? line.eager : line.compiled) = time_of(result);
    return line;
  }

  void keep(const std::string& text, const Lines& lines) {
    done_[text] = lines;
    calls_.each(lines);
  }

  void tell(const Attempt& attempt, const Lines& lines) const {
    std::string result;
    for (const auto& line : lines)
      if (const auto best = best_of(line))
        result += fmt::format("{}{} {} ({})", result.empty() ? "" : ", ", line.class_name,
                              text::format_seconds(best->seconds), best->mode);
    if (!attempt.failed.empty()) result = "failed: " + why(attempt);
    calls_.say(fmt::format("{:.0f} s: {} of {}: {}: {}; prepared in {:.1f} s, timed in {:.1f} s",
                           seconds_so_far(), finished_, total_, lines.front().problem, result,
                           attempt.prepared, attempt.timed));
  }

  const MeasureOptions& options_;
  const core::DeviceInfo& info_;
  const MeasureCalls& calls_;
  RecordedBaselines recorded_;
  Deadline end_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  runner::Python python_;
  judge::JudgeOptions judging_;
  Pace pace_;
  std::map<std::string, Lines> done_;  // by the text that names the problem
  std::size_t total_ = 0, finished_ = 0;
};

}  // namespace

MeasuredBaselines measure_baselines(const MeasureOptions& options, const core::DeviceInfo& info,
                                    const MeasureCalls& calls) {
  Measuring measuring(options, info, calls);
  const bool complete = measuring.run();
  return measuring.result(complete);
}

}  // namespace hone::tables
