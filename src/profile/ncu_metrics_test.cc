#include "profile/ncu_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "profile/recorded_text.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

// The recorded kernels as launches 0 to 5: saxpy, strided, conflicts, spills, wmma16, atomics.
MetricTable recorded_metrics() {
  std::vector<core::Metric> metrics;
  const auto launches = parse_ncu_raw(recorded_text("ncu_raw.csv"));
  for (std::size_t i = 0; i < launches.size(); ++i)
    add_kernel_metrics(launches[i], static_cast<int>(i), metrics);
  return MetricTable(metrics);
}

TEST(NcuMetrics, SectorsARequestAndTheIdealFollowFromTheCounters) {
  const auto metrics = recorded_metrics();
  EXPECT_NEAR(*metrics.get(tag::load_sectors, 0), 4, 1e-9);
  EXPECT_NEAR(*metrics.get(tag::load_sectors_ideal, 0), 4, 1e-9);
  EXPECT_NEAR(*metrics.get(tag::load_sectors, 1), 32, 1e-9);  // each thread its own row
  EXPECT_NEAR(*metrics.get(tag::load_sectors_ideal, 1), 4, 1e-9);
  EXPECT_NEAR(*metrics.get(tag::load_sectors, 3), 4.875, 1e-3);
  EXPECT_NEAR(*metrics.get(tag::load_sectors_ideal, 3), 4, 0.01);
  EXPECT_NEAR(*metrics.get(tag::load_sectors, 5), 0, 1e-9);  // it loads nothing
}

TEST(NcuMetrics, BankConflictsAreWavefrontsOverIdealOnes) {
  const auto metrics = recorded_metrics();
  EXPECT_NEAR(*metrics.get(tag::shared_load_ways, 2), 32, 1e-6);
  EXPECT_NEAR(*metrics.get(tag::shared_store_ways, 2), 32, 1e-6);
  EXPECT_NEAR(*metrics.get(tag::shared_excess, 2), 540672 - 16896, 1e-6);
  EXPECT_NEAR(*metrics.get(tag::shared_load_ways, 0), 1, 1e-9);
}

TEST(NcuMetrics, ConflictsThatTheAddressesDoNotExplainAreNone) {
  NcuLaunch busy{"k",
                 {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1000},
                  {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 500},
                  {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 0},
                  {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 0},
                  {"memory_l1_wavefronts_shared", 500},
                  {"memory_l1_wavefronts_shared_ideal", 500}}};
  std::vector<core::Metric> metrics;
  add_kernel_metrics(busy, 0, metrics);
  EXPECT_NEAR(*MetricTable(metrics).get(tag::shared_load_ways, 0), 1, 1e-9);
}

TEST(NcuMetrics, StallsAreFractionsOfTheCyclesBetweenTwoIssues) {
  const auto metrics = recorded_metrics();
  for (int launch = 0; launch < 6; ++launch) {
    double total = 0;
    for (const auto& [reason, fraction] : metrics.under(tag::stall, launch)) total += fraction;
    EXPECT_NEAR(total, 1, 1e-9) << launch;
  }
  EXPECT_GT(*metrics.get("kernel.stall.long_scoreboard", 0), 0.95);
  EXPECT_GT(*metrics.get("kernel.stall.lg_throttle", 1), 0.6);
  EXPECT_NEAR(*metrics.get("kernel.stall.membar", 5), 5123.9 / 8882.11, 0.1);
}

TEST(NcuMetrics, LocalTrafficAtomicsAndShares) {
  const auto metrics = recorded_metrics();
  EXPECT_NEAR(*metrics.get(tag::local_loads, 3), 68648448, 1);
  EXPECT_NEAR(*metrics.get(tag::local_bytes, 3), 32.0 * (274828012 + 219008808), 1);
  EXPECT_NEAR(*metrics.get(tag::local_bytes, 0), 0, 1e-9);
  EXPECT_NEAR(*metrics.get(tag::atomics, 5), 8000, 1e-9);
  EXPECT_NEAR(*metrics.get(tag::pipe_tensor, 4), 0.0448, 1e-9);
  EXPECT_NEAR(*metrics.get(tag::kernel_seconds, 3), 4.11136e-3, 1e-9);
  EXPECT_NEAR(*metrics.get("kernel.limit.registers", 3), 2, 1e-9);
}

TEST(NcuMetrics, EveryTagHasItsReasonWhereNcuDidNotTell) {
  std::vector<core::Metric> told, refused;
  add_kernel_metrics({"k", {}}, 0, told);
  for (const auto& metric : told) {
    EXPECT_FALSE(metric.value) << metric.tag;
    EXPECT_NE(metric.missing, "") << metric.tag;
  }
  add_missing_kernel_metrics("no rights", std::nullopt, refused);
  std::set<std::string> tags;
  for (const auto& metric : refused) tags.insert(metric.tag);
  for (const auto& metric : told) EXPECT_TRUE(tags.contains(metric.tag)) << metric.tag;
  EXPECT_EQ(MetricTable(refused).missing(tag::occupancy, 3), "no rights");
  EXPECT_EQ(MetricTable(refused).missing(tag::stall, 0), "no rights");
}

TEST(NcuMetrics, AsksForEachNameOnce) {
  const auto names = ncu_metric_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

NcuListing small_listing() {
  NcuListing listing{"k", {}};
  const auto add = [&](std::uint64_t offset, double samples, const char* reason) {
    NcuInstruction one;
    one.offset = offset;
    one.samples = samples;
    one.stalls[reason] = samples;
    one.sectors = 8;
    one.sectors_ideal = 4;
    listing.code.push_back(one);
  };
  add(0, 1, "wait");
  add(16, 30, "long_scoreboard");
  add(32, 10, "barrier");
  add(48, 9, "wait");
  return listing;
}
const LineMap small_map{{{0, 2}, {16, 3}, {48, 0}}};  // the last is from a header

TEST(NcuLines, SamplesAreCountedForTheLineTheyCameFrom) {
  const auto lines = samples_by_line(small_listing(), small_map, "first\nsecond\n  third;\n", 1);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].line, 3);
  EXPECT_EQ(lines[0].text, "third;");
  EXPECT_DOUBLE_EQ(lines[0].samples, 40);
  EXPECT_DOUBLE_EQ(lines[0].stalls.at("barrier"), 10);
  EXPECT_EQ(lines[1].line, 0);
  EXPECT_EQ(lines[1].text, "");
}

TEST(NcuLines, TrafficOfALineIsTheSumOfItsInstructions) {
  std::vector<core::Metric> metrics;
  add_line_metrics(small_listing(), small_map, 0, metrics);
  double sectors = 0, ideal = 0;
  for (const auto& metric : metrics) {
    EXPECT_NE(metric.line, std::optional(0));
    if (metric.line == 3 && metric.tag == tag::line_sectors) sectors += *metric.value;
    if (metric.line == 3 && metric.tag == tag::line_sectors_ideal) ideal += *metric.value;
  }
  EXPECT_DOUBLE_EQ(sectors, 16);
  EXPECT_DOUBLE_EQ(ideal, 8);
}

TEST(NcuLines, TheHottestLinesWeighEachLaunchByItsTime) {
  std::vector<LineSamples> lines = {{10, "a", 90, {{"wait", 90}}, 0},
                                    {11, "b", 10, {{"wait", 10}}, 0},
                                    {20, "c", 5, {{"barrier", 4}, {"wait", 1}}, 1}};
  const auto hot = hottest(lines, {{0, 0.2}, {1, 0.8}}, 2);
  ASSERT_EQ(hot.size(), 2u);
  EXPECT_EQ(hot[0].line, 20);
  EXPECT_NEAR(hot[0].share, 0.8, 1e-12);
  EXPECT_EQ(hot[0].stalls[0].first, "barrier");
  EXPECT_NEAR(hot[0].stalls[0].second, 0.8, 1e-12);
  EXPECT_NEAR(hot[1].share, 0.18, 1e-12);
  EXPECT_TRUE(hottest({}, {}, 5).empty());
}

TEST(NcuLines, ARecordedListingJoinsWithALineMap) {
  const auto listings = parse_ncu_source(recorded_text("ncu_source.csv"));
  const auto& code = listings.at(0).code;
  LineMap map;
  for (const auto& instruction : code)
    map.rows.push_back(
        {instruction.offset, instruction.code.find("LDG") != std::string::npos ? 13 : 10});
  const auto lines = samples_by_line(listings[0], map, "", 0);
  double total = 0;
  for (const auto& line : lines) total += line.samples;
  double expected = 0;
  for (const auto& instruction : code) expected += instruction.samples;
  EXPECT_DOUBLE_EQ(total, expected);
}

}  // namespace
}  // namespace hone::profile
