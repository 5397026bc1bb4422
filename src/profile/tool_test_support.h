#pragma once
// Facts for tests of tools: an H200 with round ceilings (or a CPU), a candidate with one launch,
// and the metrics that a test names.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "profile/classify.h"
#include "profile/launches.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/tool.h"

namespace hone::profile {

inline const Tool& tool_named(std::string_view name) {
  for (const auto& tool : tools())
    if (tool.name == name) return tool;
  throw std::invalid_argument("no tool is named " + std::string(name));
}

class Example {
 public:
  explicit Example(std::string kernel = "work", core::Dim3 grid = {1056, 1, 1},
                   core::Dim3 block = {256, 1, 1}) {
    facts_.device = {.id = "cuda:0",
                     .language = core::Language::cuda,
                     .is_cpu = false,
                     .name = "NVIDIA H200",
                     .arch = "sm_90a",
                     .sm_count = 132,
                     .warp_size = 32,
                     .shared_per_block = 232448,
                     .l2_bytes = 62914560,
                     .max_threads = 1024,
                     .pin_bandwidth = 4.8e12};
    facts_.ceilings = {
        3.9e12,
        3.6e12,
        4.23e12,
        {{"f32", 60e12}, {"f64", 65e12}, {"bf16", 660e12}, {"f16", 660e12}, {"tf32", 330e12}}};
    launch(std::move(kernel), grid, block);
  }

  Example& launch(std::string kernel, core::Dim3 grid, core::Dim3 block) {
    const int index = static_cast<int>(facts_.plan.launches.size());
    core::ResolvedLaunch launch;
    launch.kernel = std::move(kernel);
    launch.plan_index = index;
    launch.grid = grid;
    launch.block = block;
    facts_.plan.launches.push_back(launch);
    with("launch.blocks", static_cast<double>(grid[0] * grid[1] * grid[2]), index);
    return with("launch.threads", static_cast<double>(block[0] * block[1] * block[2]), index);
  }
  Example& on_a_cpu() {
    facts_.device = {.id = "opencl:0",
                     .language = core::Language::opencl,
                     .is_cpu = true,
                     .name = "cpu",
                     .sm_count = 16};
    facts_.ceilings = {40e9, 20e9, 30e9, {{"f32", 1e12}}};
    return *this;
  }
  // What an empty work-group and an empty call take; 0: not measured.
  Example& empty(double group, double call) {
    facts_.ceilings.groups = group > 0 ? 1 / group : 0;
    facts_.ceilings.calls = call > 0 ? 1 / call : 0;
    return *this;
  }
  Example& arch(std::string name) {
    facts_.device.arch = std::move(name);
    return *this;
  }
  Example& with(std::string_view tag, double value, std::optional<int> launch = 0) {
    metrics_.insert(
        metrics_.begin(),
        core::Metric{std::string(tag), "1", value, "", "", launch, {}});  // the latest stands
    return *this;
  }
  Example& of_call(std::string_view tag, double value) { return with(tag, value, std::nullopt); }
  Example& without(std::string_view tag, std::string why) {
    std::erase_if(metrics_, [&](const core::Metric& metric) { return metric.tag == tag; });
    metrics_.push_back({std::string(tag), "1", std::nullopt, std::move(why), "", 0, {}});
    return *this;
  }
  Example& line(int number, std::string text, std::map<std::string, double> stalls) {
    LineSamples line{number, std::move(text), 0, std::move(stalls), 0, 0};
    for (const auto& [reason, count] : line.stalls) line.samples += count;
    facts_.lines.push_back(line);
    return *this;
  }
  // Part of the inner loops' code.
  Example& code(int number, double part) {
    facts_.lines.push_back({number, "", 0, {}, 0, part});
    return *this;
  }
  Example& source(std::string text) {
    candidate_.source = std::move(text);
    return *this;
  }
  Example& buffer(std::string name, core::ResolvedBuffer::Role role, core::DType dtype,
                  std::vector<std::int64_t> dims, double bytes) {
    facts_.plan.buffers.push_back(
        {std::move(name), role, dtype, std::move(dims), static_cast<std::uint64_t>(bytes)});
    return *this;
  }
  // The call's time and the task's work.
  Example& takes(double seconds, double bytes, const std::map<std::string, double>& flops = {}) {
    facts_.seconds = seconds;
    facts_.roofline = {bytes, 0, flops, bytes / core::memory_ceiling(facts_.ceilings), "memory"};
    for (const auto& [kind, count] : flops) {
      facts_.roofline.flops += count;
      const double needed = count / facts_.ceilings.flops.at(kind);
      if (needed > facts_.roofline.seconds) {
        facts_.roofline.seconds = needed;
        facts_.roofline.ceiling = kind;
      }
    }
    return *this;
  }
  // One of the kernels in tests/data/profile/kernels.txt.
  Example& recorded(std::string_view kernel) {
    std::ifstream file(std::string(HONE_TEST_DATA) + "/profile/kernels.txt");
    bool within = false;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string first;
      double value = 0;
      words >> first;
      if (!(words >> value))
        within = first == kernel;
      else if (within)
        with(first, value);
    }
    facts_.plan.launches.front().kernel = kernel;
    return *this;
  }

  // All of it, for the call.
  Facts facts() const {
    Facts facts = facts_;
    facts.candidate = &candidate_;
    facts.metrics = MetricTable(metrics_);
    facts.diagnosis = classify(facts);
    return facts;
  }
  Facts seen() const { return seen_from(facts(), launches_of(facts()).front()); }

  // What one tool says, if all that it needs is there.
  std::optional<core::Advice> ask(std::string_view name) const {
    const auto& tool = tool_named(name);
    const auto stage = run_tools(facts());
    for (const auto& left : stage.left_out)
      if (left.tool == name) ADD_FAILURE() << name << " was left out: " << left.why;
    std::optional<core::Advice> found;
    for (const auto& advice : stage.advice)
      if (advice.tool == name) found = advice;
    if (found) check(*found, tool);
    return found;
  }
  std::string left_out(std::string_view name) const {
    for (const auto& left : run_tools(facts()).left_out)
      if (left.tool == name) return left.why;
    return "";
  }

 private:
  // What every advice must have.
  void check(const core::Advice& advice, const Tool& tool) const {
    EXPECT_EQ(advice.launch.has_value(), !tool.whole_call) << tool.name;
    for (const auto* text :
         {&advice.title, &advice.evidence, &advice.cause, &advice.recommendation, &advice.model})
      EXPECT_FALSE(text->empty()) << tool.name;
    EXPECT_TRUE(advice.evidence.ends_with('.')) << advice.evidence;
    EXPECT_TRUE(advice.cause.ends_with('.')) << advice.cause;
    EXPECT_TRUE(advice.recommendation.ends_with('.')) << advice.recommendation;
    EXPECT_GE(advice.gain.low, 0) << tool.name;
    EXPECT_LE(advice.gain.low, advice.gain.high) << tool.name;
    EXPECT_LE(advice.gain.high, 100 * (1 - floor_fraction(facts_)) + 1e-9)
        << tool.name << " promises more than the roofline leaves";
  }

  Facts facts_;
  core::Candidate candidate_{.language = core::Language::cuda};
  std::vector<core::Metric> metrics_;
};

}  // namespace hone::profile
