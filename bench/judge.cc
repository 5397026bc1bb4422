// Measures the judge: how long a screening takes, how often two equal kernels are called different,
// and how often a small difference is found.
//   hone_bench_judge screen COUNT TASK CANDIDATE CASE
//     COUNT new candidates, each built, verified and timed
//   hone_bench_judge compare COUNT TASK CANDIDATE CASE A B
//     COUNT comparisons of two points (NAME=VALUE, or - for the defaults), in two fresh runners
//     each
// CASE is a case of the task, a new one as NAME=VALUE,..., or - for all of them. Comparisons
// through the command line, with everything that a user waits for: bench/judge/compare.sh.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

#include "app/inputs.h"
#include "base/error.h"
#include "cli/progress.h"
#include "device/device.h"
#include "judge/ceilings.h"
#include "judge/compare.h"
#include "runner/worker.h"
#include "task/candidate_loader.h"

namespace {

using namespace hone;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Processor time of this process, which is the judge's: compilers, references and candidates run in
// others.
double own_cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// The task with one timed case; its checks stay. A case it does not have is made of its name,
// "rows=8192,cols=8192", with the device reference.
core::Task only_case(core::Task task, const std::string& name) {
  if (name == "-") return task;
  std::erase_if(task.cases,
                [&](const core::Case& which) { return which.timed && which.name != name; });
  if (std::any_of(task.cases.begin(), task.cases.end(),
                  [](const core::Case& which) { return which.timed; }))
    return task;
  core::Case made;
  made.name = name;
  made.device_reference = true;
  for (std::size_t at = 0; at < name.size();) {
    const auto equals = name.find('=', at), end = std::min(name.find(',', at), name.size());
    if (equals == std::string::npos || equals > end)
      base::fail(base::ExitCode::usage, "{}: there is no such case, and it is not NAME=VALUE,...",
                 name);
    made.bindings[name.substr(at, equals - at)] = std::atoll(name.c_str() + equals + 1);
    at = end + 1;
  }
  task.cases.push_back(made);
  return task;
}

// 95 % interval on a rate, after Wilson.
core::Interval rate_interval(int hits, int trials) {
  const double z = 1.96, n = trials, p = hits / n;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n),
               half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  return {middle - half, middle + half};
}

void print_quantiles(const char* what, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::printf("%-12s median %.3f  p10 %.3f  p90 %.3f  most %.3f\n", what, core::median(values),
              values[values.size() / 10], values[values.size() * 9 / 10], values.back());
}

judge::JudgeOptions options_for(const core::DeviceInfo& info, int spares) {
  judge::JudgeOptions options;
  options.spare_runners = spares;
  options.ceilings = judge::ceilings_of(info, true);
  return options;
}

int screen(int count, const core::Task& task, const core::Candidate& candidate,
           const core::DeviceInfo& info) {
  judge::Judge judge(task, info, options_for(info, 2));
  std::map<std::string, std::vector<double>> split;
  const auto salt = std::to_string(Clock::now().time_since_epoch().count());
  for (int i = -1; i < count;
       ++i) {  // the first one also fills the pool of inputs and is not counted
    const auto fresh =
        task::candidate_from(candidate.source + "\n// " + salt + " " + std::to_string(i) + "\n",
                             candidate.language, candidate.name);
    const auto start = Clock::now();
    const double cpu_before = own_cpu_seconds();
    const auto evaluation = judge.evaluate(*fresh, {});
    const double total = since(start);
    if (evaluation.outcome != core::Outcome::accepted)
      return std::printf("not accepted: %s\n", evaluation.evidence.empty()
                                                   ? "?"
                                                   : evaluation.evidence.back().text.c_str()),
             1;
    if (i < 0) continue;
    split["total"].push_back(total);
    split["judge's cpu"].push_back(own_cpu_seconds() - cpu_before);
    split["build"].push_back(evaluation.seconds_build);
    split["kernels"].push_back(evaluation.seconds_kernels);
    split["reference"].push_back(evaluation.seconds_reference);
    split["overhead"].push_back(total - evaluation.seconds_build - evaluation.seconds_kernels -
                                evaluation.seconds_reference);
    for (const auto& metric : evaluation.metrics)
      if (metric.tag.starts_with("seconds.") && metric.value)
        split[metric.tag].push_back(*metric.value);
    for (const auto& result : evaluation.cases)
      if (result.timed) {
        split["width_%"].push_back(100 * (result.interval.high - result.interval.low) /
                                   result.median);
        split["samples"].push_back(static_cast<double>(result.samples.size()));
      }
  }
  for (const auto& [what, values] : split) print_quantiles(what.c_str(), values);
  return 0;
}

std::string why_not(const judge::ComparisonResult& result) {
  if (!result.refusal.empty()) return result.refusal;
  const auto& evidence = (result.a.evidence.empty() ? result.b : result.a).evidence;
  return evidence.empty() ? "?" : evidence.back().text;
}

void print_rate(const std::string& what, int hits, int trials) {
  const auto interval = rate_interval(hits, trials);
  std::printf("  %-16s %d of %d  %.2f %% (95 %%: %.2f to %.2f %%)\n", what.c_str(), hits, trials,
              100.0 * hits / trials, 100 * interval.low, 100 * interval.high);
}

int compare(int count, const core::Task& task, const core::Candidate& candidate,
            const core::DeviceInfo& info, const std::string& a, const std::string& b,
            double budget) {
  judge::Judge judge(task, info, options_for(info, 2));
  const auto point = [&](const std::string& text) {
    judge::EvaluateOptions options;
    options.point = app::point_from(
        candidate, text == "-" ? std::vector<std::string>{} : std::vector<std::string>{text});
    return options;
  };
  const auto rule = judge::compare_rule(core::clock_of(info));
  std::map<std::string, int> words;
  std::vector<double> seconds, ratios, halves, rounds;
  const auto start = Clock::now();
  int done = 0;
  for (; done < count && since(start) < budget; ++done) {
    const auto begin = Clock::now();
    const auto result = judge::compare(judge, candidate, candidate, point(a), point(b), rule);
    if (!result.compared) return std::printf("not compared: %s\n", why_not(result).c_str()), 1;
    ++words[std::string(core::name_of(result.word))];
    seconds.push_back(since(begin));
    ratios.push_back(result.ratio_estimate);
    halves.push_back(100 * (result.ratio.high - result.ratio.low) / 2);
    rounds.push_back(result.rounds);
    std::printf("%s %.5f [%.5f, %.5f] %d rounds %.2f s\n",
                std::string(core::name_of(result.word)).c_str(), result.ratio_estimate,
                result.ratio.low, result.ratio.high, result.rounds, seconds.back());
  }
  std::printf("%s against %s: %d comparisons; %s\n", b.c_str(), a.c_str(), done,
              judge::describe(rule).c_str());
  for (const char* word : {"faster", "slower", "same", "cannot tell"})
    print_rate(word, words[word], done);
  print_rate("called different", words["faster"] + words["slower"], done);
  std::printf("  median ratio %.5f, geometric mean %.5f\n", core::median(ratios),
              core::geometric_mean(ratios));
  print_quantiles("seconds", seconds);
  print_quantiles("half width %", halves);
  print_quantiles("rounds", rounds);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "worker") == 0) return hone::runner::worker_main();
  try {
    const std::string mode = argc > 1 ? argv[1] : "";
    if (!(mode == "screen" && argc == 6) && !(mode == "compare" && (argc == 8 || argc == 9))) {
      std::fprintf(stderr,
                   "usage: hone_bench_judge screen COUNT TASK CANDIDATE CASE | compare COUNT TASK "
                   "CANDIDATE CASE A B [MAX_SECONDS]\n");
      return 2;
    }
    cli::Progress progress(true);
    const auto task = only_case(app::task_from(argv[3], progress), argv[5]);
    const auto candidate = app::candidate_for(task, argv[4], progress);
    const auto info =
        device::find_device(candidate.language == core::Language::cuda ? "cuda:0" : "opencl:0");
    const int count = std::atoi(argv[2]);
    return mode == "screen" ? screen(count, task, candidate, info)
                            : compare(count, task, candidate, info, argv[6], argv[7],
                                      argc == 9 ? std::atof(argv[8]) : 1e9);
  } catch (const base::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.code());
  }
}
