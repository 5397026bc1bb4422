// Measures what a profile costs, part by part: profiles one candidate COUNT times.
//   hone_bench_profile TASK CANDIDATE [--device ID] [--case NAME] [--count N] [--no-source]
//                      [--energy] [--sanitize] [--metrics]
// The first profile times the candidate. The others reuse its evaluation, so their seconds are the
// cost of the profile alone.
#include <chrono>
#include <cstdio>
#include <cstring>

#include "app/inputs.h"
#include "base/error.h"
#include "cli/progress.h"
#include "device/device.h"
#include "judge/ceilings.h"
#include "profile/profile.h"
#include "runner/worker.h"
#include "task/candidate_loader.h"

namespace {

using namespace hone;
using Clock = std::chrono::steady_clock;

struct Options {
  std::string task, candidate, device;
  int count = 3;
  bool metrics = false;
  profile::ProfileOptions profile;
};

Options options_from(int argc, char** argv) {
  Options options;
  std::vector<std::string> plain;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "--device")
      options.device = value();
    else if (word == "--case")
      options.profile.case_name = value();
    else if (word == "--count")
      options.count = std::atoi(value().c_str());
    else if (word == "--no-source")
      options.profile.source = false;
    else if (word == "--energy")
      options.profile.energy = true;
    else if (word == "--sanitize")
      options.profile.sanitize = true;
    else if (word == "--metrics")
      options.metrics = true;
    else
      plain.push_back(word);
  }
  if (plain.size() != 2)
    base::fail(base::ExitCode::usage, "hone_bench_profile TASK CANDIDATE [options]");
  options.task = plain[0];
  options.candidate = plain[1];
  return options;
}

void print(const core::Profile& made, bool metrics) {
  std::printf("case %s, %.4g s a call, %s: %s\n", made.case_name.c_str(), made.seconds,
              std::string(core::name_of(made.diagnosis.bound)).c_str(),
              made.diagnosis.reason.c_str());
  if (!made.diagnosis.disagreement.empty())
    std::printf("  %s\n", made.diagnosis.disagreement.c_str());
  for (const auto& advice : made.advice)
    std::printf("%s %s (%s) %s: gain %.1f to %.1f %%\n   %s\n   %s\n", advice.id.c_str(),
                advice.tool.c_str(), std::string(core::name_of(advice.severity)).c_str(),
                advice.title.c_str(), advice.gain.low, advice.gain.high, advice.evidence.c_str(),
                advice.recommendation.c_str());
  for (const auto& hot : made.hot_lines) {
    std::printf("line %d, %.1f %%: %s\n   ", hot.line, 100 * hot.share, hot.text.c_str());
    for (const auto& [reason, share] : hot.stalls)
      std::printf(" %s %.0f %%", reason.c_str(), 100 * share);
    std::printf("\n");
  }
  for (const auto& left : made.left_out)
    std::printf("left out %s: %s\n", left.tool.c_str(), left.why.c_str());
  for (const auto& note : made.notes) std::printf("note: %s\n", note.c_str());
  if (!metrics) return;
  for (const auto& metric : made.metrics) {
    std::printf("metric %s", metric.tag.c_str());
    if (metric.launch) std::printf(" launch %d", *metric.launch);
    if (metric.line) std::printf(" line %d", *metric.line);
    if (metric.value)
      std::printf(" = %.6g %s\n", *metric.value, metric.hint.c_str());
    else
      std::printf(": %s\n", metric.missing.c_str());
  }
}

int run(int argc, char** argv) {
  auto options = options_from(argc, argv);
  const auto info = device::find_device(options.device);
  judge::JudgeOptions judging;
  judging.ceilings = judge::ceilings_of(info, true);
  cli::Progress progress(true);
  const auto task = app::task_from(options.task, progress);
  const auto candidate = app::candidate_for(task, options.candidate, progress);
  judge::Judge judge(task, info, judging);
  options.profile.evaluation.reset();
  for (int i = 0; i < options.count; ++i) {
    const auto start = Clock::now();
    const auto made = profile::profile(judge, candidate, options.profile);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (!made) {
      for (const auto& evidence : made.error().evidence) std::printf("%s\n", evidence.text.c_str());
      return 1;
    }
    if (i == 0) print(*made, options.metrics);
    double explaining = 0;
    std::printf("profile %d: %.2f s:", i + 1, seconds);
    for (const auto& part : made->parts) {
      std::printf(" %s %.3f", part.name.c_str(), part.seconds);
      if (part.name != "time") explaining += part.seconds;
    }
    std::printf("; without timing %.2f s\n", explaining);
    std::fflush(stdout);
    if (!options.profile.evaluation) {
      judge::EvaluateOptions evaluate;
      evaluate.case_name = options.profile.case_name;
      options.profile.evaluation = judge.evaluate(candidate, evaluate);
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "worker") == 0) return runner::worker_main();
  try {
    return run(argc, argv);
  } catch (const base::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.code());
  }
}
