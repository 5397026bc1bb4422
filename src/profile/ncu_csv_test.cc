#include "profile/ncu_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profile/recorded_text.h"

namespace hone::profile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(NcuCsv, TakesFieldsApartWithCommasAndQuotesInside) {
  EXPECT_THAT(csv_fields(R"csv("a","1,056","(256, 1, 1)",)csv"),
              ElementsAre("a", "1,056", "(256, 1, 1)", ""));
  EXPECT_THAT(csv_fields(R"csv("say ""hi""","")csv"), ElementsAre("say \"hi\"", ""));
  // The source page does not double quotes.
  EXPECT_THAT(csv_fields(R"csv("5","extern "C" __global__ void k() {","-")csv"),
              ElementsAre("5", "extern \"C\" __global__ void k() {", "-"));
  EXPECT_THAT(csv_fields(R"csv("never closed, 1)csv"), ElementsAre("never closed, 1"));
  EXPECT_THAT(csv_fields(""), ElementsAre(""));
}

TEST(NcuCsv, BringsUnitsToTheirBase) {
  EXPECT_DOUBLE_EQ(*ncu_value("217,600", "ns"), 217600e-9);
  EXPECT_DOUBLE_EQ(*ncu_value("1.5", "us"), 1.5e-6);
  EXPECT_DOUBLE_EQ(*ncu_value("2", "msecond"), 2e-3);
  EXPECT_DOUBLE_EQ(*ncu_value("3", "second"), 3);
  EXPECT_DOUBLE_EQ(*ncu_value("45.7", "%"), 0.457);
  EXPECT_DOUBLE_EQ(*ncu_value("4.5", "Mbyte"), 4.5e6);
  EXPECT_DOUBLE_EQ(*ncu_value("12", "Kbyte"), 12e3);
  EXPECT_DOUBLE_EQ(*ncu_value("1.98", "Ghz"), 1.98e9);
  EXPECT_DOUBLE_EQ(*ncu_value("1.98", "cycle/nsecond"),
                   1.98e9);  // as versions before 2023 write clocks
  EXPECT_DOUBLE_EQ(*ncu_value("2.5", "Tbyte/second"), 2.5e12);
  EXPECT_DOUBLE_EQ(*ncu_value("7", "warp"), 7);
  EXPECT_DOUBLE_EQ(*ncu_value("12 (3; 9)", "inst"), 12);
}

TEST(NcuCsv, WhatIsNoNumberIsNotThere) {
  for (const char* text : {"", "n/a", "nan", "-nan", "inf", "(!) n/a", "all", "1e999", "12abc"})
    EXPECT_FALSE(ncu_value(text, "%")) << text;
}

TEST(NcuCsv, ReadsARecordedReport) {
  const auto launches = parse_ncu_raw(recorded_text("ncu_raw.csv"));
  ASSERT_EQ(launches.size(), 6u);
  EXPECT_EQ(launches[0].kernel, "saxpy");
  EXPECT_EQ(launches[5].kernel, "atomics");
  EXPECT_DOUBLE_EQ(launches[0].values.at("gpu__time_duration.sum"), 217.6e-6);
  EXPECT_DOUBLE_EQ(launches[0].values.at("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"),
                   0.7512);
  EXPECT_DOUBLE_EQ(launches[3].values.at("dram__bytes_read.sum"), 6534620928.0);
  EXPECT_FALSE(launches[0].values.contains("derived_tempMetric4"));  // nan
  EXPECT_TRUE(launches[3].values.contains("derived_tempMetric4"));
}

TEST(NcuCsv, ReadsAReportWithoutUnitsAndOneWithOtherColumns) {
  const auto bare =
      parse_ncu_raw("\"ID\",\"Kernel Name\",\"new__metric.sum\"\n\"0\",\"k\",\"1,000\"\n");
  ASSERT_EQ(bare.size(), 1u);
  EXPECT_DOUBLE_EQ(bare[0].values.at("new__metric.sum"), 1000);
}

TEST(NcuCsv, ReadsAsFarAsACutReportGoes) {
  const std::string whole = recorded_text("ncu_raw.csv");
  for (std::size_t length = 0; length <= whole.size(); length += 97) {
    const auto launches = parse_ncu_raw(whole.substr(0, length));
    EXPECT_LE(launches.size(), 6u);
  }
  EXPECT_TRUE(parse_ncu_raw("").empty());
  EXPECT_TRUE(parse_ncu_raw("\"ID\",\"Kernel Name\"\n").empty());
  EXPECT_TRUE(parse_ncu_raw("==PROF== Connected\nno error\n\"stray\",\"1\"\n").empty());
}

TEST(NcuCsv, ReadsTheSamplesOfEachInstruction) {
  const auto listings = parse_ncu_source(recorded_text("ncu_source.csv"));
  ASSERT_EQ(listings.size(), 2u);
  EXPECT_EQ(listings[0].kernel, "strided");
  EXPECT_EQ(listings[1].kernel, "atomics");
  ASSERT_FALSE(listings[0].code.empty());
  EXPECT_EQ(listings[0].code[0].offset, 0u);
  EXPECT_EQ(listings[0].code[1].offset, 16u);
  double samples = 0, waiting = 0, stalls = 0;
  for (const auto& instruction : listings[0].code) {
    samples += instruction.samples;
    for (const auto& [reason, count] : instruction.stalls) {
      stalls += count;
      if (reason == "long_scoreboard") waiting += count;
    }
  }
  EXPECT_GT(samples, 30000);
  EXPECT_GT(waiting, 20000);
  EXPECT_DOUBLE_EQ(stalls, samples);
  EXPECT_TRUE(listings[0].code[0].sectors.has_value());
  EXPECT_FALSE(listings[0].code[0].wavefronts.has_value());  // this report has no such column
}

TEST(NcuCsv, SamplesThatNoColumnNamesAreTheTensorCoresOwn) {
  const auto listings = parse_ncu_source(
      "\"Kernel Name\",\"k\",\n\"Address\",\"Source\",\"# Samples\",\"stall_wait\"\n"
      "\"0x100\",\"HGMMA.64x128x16.F32.BF16 R88\",\"10\",\"4\"\n");
  ASSERT_EQ(listings.size(), 1u);
  ASSERT_EQ(listings[0].code.size(), 1u);
  EXPECT_DOUBLE_EQ(listings[0].code[0].stalls.at("gmma"), 6);
}

TEST(NcuCsv, ACutListingLosesOnlyWhatIsMissing) {
  const std::string whole = recorded_text("ncu_source.csv");
  for (std::size_t length = 0; length <= whole.size(); length += 1013)
    EXPECT_LE(parse_ncu_source(whole.substr(0, length)).size(), 2u);
  EXPECT_TRUE(parse_ncu_source("").empty());
}

TEST(NcuCsv, SaysHowToMendWhatNcuRefuses) {
  EXPECT_THAT(ncu_problem("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to "
                          "access NVIDIA GPU Performance Counters on the target device 0.\n"),
              HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
  EXPECT_THAT(
      ncu_problem(
          "ncu: error while loading shared libraries: libX.so: cannot open shared object file\n"),
      HasSubstr("install it whole"));
  EXPECT_THAT(ncu_problem("==WARNING== No kernels were profiled.\n"), HasSubstr("saw no kernel"));
  EXPECT_THAT(ncu_problem("==ERROR== Failed to find metric abc\n"),
              HasSubstr("Failed to find metric abc"));
  EXPECT_EQ(ncu_problem("==PROF== Connected to process 1\n"), "");
}

}  // namespace
}  // namespace hone::profile
