// Measures how long explaining takes once everything is measured: the class, all tools on every
// launch, and the order of the advice.
//   hone_bench_profile_tools KERNELS [LAUNCHES] [REPETITIONS]
// KERNELS is tests/data/profile/kernels.txt. The call has LAUNCHES launches (default 8), each one
// of the recorded kernels, with a source of 800 lines and samples on half of them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>

#include "core/stats.h"
#include "profile/classify.h"
#include "profile/tool.h"

namespace {

using namespace hone;
using Clock = std::chrono::steady_clock;

constexpr int lines_of_source = 800;

// The recorded kernels, each as its tags and values.
std::vector<std::vector<std::pair<std::string, double>>> read_kernels(const char* path) {
  std::vector<std::vector<std::pair<std::string, double>>> kernels;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first;
    double value = 0;
    words >> first;
    if (first.empty() || first == "#") continue;
    if (words >> value)
      kernels.back().emplace_back(first, value);
    else
      kernels.emplace_back();
  }
  return kernels;
}

struct Call {
  core::Candidate candidate;
  profile::Facts facts;
};

void fill(Call& call, const char* path, int launches) {
  const auto kernels = read_kernels(path);
  if (kernels.empty()) return;
  auto& facts = call.facts;
  facts.device = {.id = "cuda:0",
                  .language = core::Language::cuda,
                  .arch = "sm_90a",
                  .sm_count = 132,
                  .pin_bandwidth = 4.8e12};
  facts.ceilings = {3.9e12, 3.6e12, 4.23e12, {{"f32", 60e12}, {"bf16", 660e12}}};
  facts.seconds = 2e-3;
  facts.roofline = {8e8, 1.3e8, {{"f32", 1.3e8}}, 1.9e-4, "memory"};
  std::vector<core::Metric> metrics;
  for (int launch = 0; launch < launches; ++launch) {
    core::ResolvedLaunch resolved;
    resolved.kernel = fmt::format("kernel{}", launch);
    resolved.plan_index = launch;
    resolved.grid = {1056, 1, 1};
    resolved.block = {256, 1, 1};
    facts.plan.launches.push_back(resolved);
    for (const auto& [tag, value] : kernels[static_cast<std::size_t>(launch) % kernels.size()])
      metrics.push_back({tag, "1", value, "", "", launch, {}});
    for (const auto* tag : {"build.spill_stores", "build.spill_loads", "build.stack",
                            "sass.instructions", "sass.tensor.hmma", "sass.mix.f64",
                            "sass.loop_mix.f32", "sass.loop_mix.integer", "sass.load_global.32"})
      metrics.push_back({tag, "1", 10, "", "", launch, {}});
  }
  for (int line = 1; line <= lines_of_source; ++line) {
    call.candidate.source +=
        fmt::format("  acc{} = fmaf(a[i + {}], b[j], acc{});  // a line of the kernel\n", line % 8,
                    line, line % 8);
    if (line % 2 == 0)
      facts.lines.push_back({line,
                             "acc = fmaf(a[i], b[j], acc);",
                             100,
                             {{"long_scoreboard", 60}, {"membar", 40}},
                             line % launches});
  }
  facts.candidate = &call.candidate;
  facts.metrics = profile::MetricTable(metrics);
}

}  // namespace

int main(int argc, char** argv) {
  const int launches = argc > 2 ? std::max(1, std::atoi(argv[2])) : 8,
            repetitions = argc > 3 ? std::atoi(argv[3]) : 101;
  Call call;
  if (argc > 1) fill(call, argv[1], launches);
  if (call.facts.plan.launches.empty()) {
    fmt::print(stderr,
               "usage: hone_bench_profile_tools tests/data/profile/kernels.txt [LAUNCHES] "
               "[REPETITIONS]\n");
    return 2;
  }
  std::vector<double> times;
  std::size_t advice = 0, left_out = 0;
  for (int i = 0; i < repetitions; ++i) {
    const auto start = Clock::now();
    call.facts.diagnosis = profile::classify(call.facts);
    auto stage = profile::run_tools(call.facts);
    profile::order(stage.advice, {});
    times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    advice = stage.advice.size();
    left_out = stage.left_out.size();
  }
  fmt::print(
      "{} tools on {} launches: {} pieces of advice, {} tools left out; {:.3f} ms at the median of "
      "{}, {:.3f} ms at most\n",
      profile::tools().size(), launches, advice, left_out, core::median(times) * 1e3, repetitions,
      *std::max_element(times.begin(), times.end()) * 1e3);
  return 0;
}
