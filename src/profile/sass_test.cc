#include "profile/sass.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "device/device.h"
#include "device/tools.h"
#include "profile/facts.h"
#include "profile/sass_class.h"
#include "profile/sass_loops.h"

namespace hone::profile {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::string listing(const std::string& name) {
  return base::read_file(std::string(HONE_TEST_DATA) + "/profile/sass/" + name);
}

SassKernel kernel_of(const std::string& file, const std::string& name) {
  for (auto& kernel : parse_sass(listing(file)))
    if (kernel.name == name) return kernel;
  ADD_FAILURE() << file << " has no " << name;
  return {};
}
SassSummary summary_of(const std::string& file, const std::string& name) {
  return summarise(kernel_of(file, name));
}

SassInstruction one(const std::string& opcode, const std::string& operands = "",
                    const std::string& predicate = "") {
  SassInstruction instruction;
  instruction.opcode = opcode;
  instruction.operands = operands;
  instruction.predicate = predicate;
  return instruction;
}

core::ResolvedPlan plan_with(const std::vector<std::string>& kernels) {
  core::ResolvedPlan plan;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    core::ResolvedLaunch launch;
    launch.kernel = kernels[i];
    launch.plan_index = static_cast<int>(i);
    plan.launches.push_back(launch);
  }
  return plan;
}

const char* const all_listings[] = {
    "common.sm_80.sass",      "common.sm_90a.sass", "common.sm_100a.sass",  "hopper.sm_90a.sass",
    "blackwell.sm_100a.sass", "lines.sm_90a.sass",  "cuobjdump.sm_90a.sass"};

TEST(Sass, ReadsAnInstructionWithItsPredicateAndTarget) {
  const auto kernel = kernel_of("lines.sm_90a.sass", "sum_squares");
  ASSERT_EQ(kernel.code.size(), 0x240 / 16 + 1);  // without the branch to itself behind the end
  const auto& branch = kernel.code[0x140 / 16];
  EXPECT_EQ(branch.offset, 0x140);
  EXPECT_EQ(branch.predicate, "!P0");
  EXPECT_EQ(branch.opcode, "BRA");
  EXPECT_THAT(branch.targets, ElementsAre(0xc0));
  EXPECT_EQ(kernel.code[0xd0 / 16].opcode, "LDG.E");
  EXPECT_EQ(kernel.code[0xd0 / 16].operands, "R2, desc[UR4][R2.64]");
}

TEST(Sass, ReadsWhatCuobjdumpPrints) {
  const auto kernel = kernel_of("cuobjdump.sm_90a.sass", "twice");
  ASSERT_EQ(kernel.code.size(), 9u);
  EXPECT_EQ(kernel.code[5].opcode, "LDG.E");
  EXPECT_EQ(kernel.code[8].opcode, "EXIT");
}

TEST(Sass, KnowsEveryInstructionOfTheListings) {
  for (const char* file : all_listings)
    for (const auto& kernel : parse_sass(listing(file))) {
      EXPECT_GT(kernel.code.size(), 8u) << file << " " << kernel.name;
      EXPECT_TRUE(summarise(kernel).strange.empty())
          << file << " " << kernel.name << " " << summarise(kernel).strange.begin()->first;
    }
}

TEST(Sass, CountsWideLoadsAndStoresOnThreeArchitectures) {
  for (const char* file : {"common.sm_80.sass", "common.sm_90a.sass", "common.sm_100a.sass"}) {
    const auto summary = summary_of(file, "scale4");
    EXPECT_THAT(summary.widths.at("load_global"), ElementsAre(Pair(128, 1))) << file;
    EXPECT_THAT(summary.widths.at("store_global"), ElementsAre(Pair(128, 1))) << file;
    EXPECT_EQ(summary.mix.at("f32"), 4) << file;
    EXPECT_EQ(summary.loops, 1) << file;
    ASSERT_EQ(summary.innermost.size(), 1u) << file;
    EXPECT_EQ(summary.loop_mix.at("load_global"), 1) << file;
    EXPECT_EQ(summary.loop_mix.at("address"), 2) << file;
    EXPECT_NEAR(summary.address_per_access, 1.5, 0.01)
        << file;  // two addresses and the counter, for two accesses
  }
}

TEST(Sass, SeesLoopsInsideLoopsOnThreeArchitectures) {
  for (const char* file : {"common.sm_80.sass", "common.sm_90a.sass", "common.sm_100a.sass"}) {
    const auto summary = summary_of(file, "tiles");
    EXPECT_EQ(summary.loops, 2) << file;
    ASSERT_EQ(summary.innermost.size(), 1u) << file;
    EXPECT_EQ(summary.innermost[0].depth, 2) << file;
    EXPECT_EQ(summary.counts.at("sass.tensor.hmma"), 2) << file;
    EXPECT_EQ(summary.loop_mix.at("tensor"), 2) << file;
    EXPECT_EQ(summary.counts.at("sass.copy.ldgsts"), 1) << file;
    EXPECT_EQ(summary.counts.at("sass.barrier.block"), 2) << file;
    EXPECT_THAT(summary.widths.at("load_shared"), ElementsAre(Pair(128, 2))) << file;
    EXPECT_THAT(summary.widths.at("store_global"), ElementsAre(Pair(64, 4))) << file;
  }
}

TEST(Sass, SeesLocalMemoryDoublesSpecialFunctionsAndFences) {
  for (const char* file : {"common.sm_80.sass", "common.sm_90a.sass", "common.sm_100a.sass"}) {
    const auto summary = summary_of(file, "mixed");
    EXPECT_GT(summary.mix.at("load_local"), 0) << file;
    EXPECT_GT(summary.mix.at("store_local"), 0) << file;
    EXPECT_GT(summary.mix.at("f64"), 0) << file;
    EXPECT_GT(summary.mix.at("special"), 0) << file;
    EXPECT_GT(summary.mix.at("convert"), 0) << file;
    EXPECT_GT(summary.mix.at("atomic"), 0) << file;
    EXPECT_EQ(summary.counts.at("sass.fence.gpu"), 1) << file;
    EXPECT_EQ(summary.counts.at("sass.fence.errbar"), 1) << file;
    EXPECT_EQ(summary.widths.at("store_global").at(8), 1) << file;
  }
}

TEST(Sass, SeesHoppersTensorPathAndTheFenceInItsLoop) {
  const auto summary = summary_of("hopper.sm_90a.sass", "stages");
  EXPECT_EQ(summary.counts.at("sass.tensor.hgmma"), 1);
  EXPECT_FALSE(summary.counts.contains("sass.tensor.hmma"));
  EXPECT_EQ(summary.counts.at("sass.copy.tensor"), 1);
  EXPECT_EQ(summary.counts.at("sass.barrier.cluster"), 1);
  EXPECT_EQ(summary.counts.at("sass.fence.membar"), 4);
  EXPECT_EQ(summary.counts.at("sass.fence.gpu"), 2);
  EXPECT_EQ(summary_of("hopper.sm_90a.sass", "bulk").counts.at("sass.copy.bulk"), 1);
  // The loop that waits for the barrier, out of line behind the end, and the one over a warp's
  // values are no loops of their own.
  EXPECT_EQ(summary.loops, 1);
  EXPECT_EQ(summary.loop_mix.at("tensor"), 1);
  EXPECT_EQ(summary.loop_mix.at("copy_bulk"), 1);
  EXPECT_EQ(summary.loop_mix.at("fence"), 4);
}

TEST(Sass, SeesBlackwellsTensorPathAndItsWidestLoad) {
  const auto summary = summary_of("blackwell.sm_100a.sass", "fifth");
  EXPECT_EQ(summary.counts.at("sass.tensor.utcmma"), 1);
  EXPECT_EQ(summary.widths.at("load_global").at(256), 1);
  EXPECT_EQ(summary.loops, 1);
  EXPECT_EQ(summary.loop_mix.at("tensor"), 1);
}

TEST(Sass, TellsMovesAddressesAndConversionsFromArithmetic) {
  EXPECT_EQ(class_of(one("IMAD.MOV.U32", "R3, RZ, RZ, RZ")), "move");
  EXPECT_EQ(class_of(one("HFMA2.MMA", "R0, -RZ, RZ, 0, 0")), "move");
  EXPECT_EQ(class_of(one("IMAD", "R0, R0, UR4, R7")), "integer");
  EXPECT_EQ(class_of(one("IMAD.WIDE", "R2, R7, 0x4, R4")), "address");
  EXPECT_EQ(class_of(one("IADD3.X", "R3, RZ, UR5, RZ, P0, !PT")), "address");
  EXPECT_EQ(class_of(one("HADD2.F32", "R9, -RZ, R3.H0_H0")), "convert");
  EXPECT_EQ(class_of(one("HADD2", "R9, R2, R3")), "f16");
  EXPECT_EQ(class_of(one("LDS", "RZ, [RZ]", "!PT")), "other");
  EXPECT_EQ(class_of(one("WHATEVER.E")), "");
}

TEST(Sass, ReadsWidthsOffWholeModifiersOnly) {
  EXPECT_EQ(width_of("LDG.E.LTC128B.64"), 64);
  EXPECT_EQ(width_of("LDG.E.LTC128B"), 32);
  EXPECT_EQ(width_of("LDG.E.U8.CONSTANT"), 8);
  EXPECT_EQ(width_of("LDSM.16.MT88.4"), 128);
  EXPECT_EQ(width_of("LDSM.16.M88.2"), 64);
  EXPECT_EQ(width_of("LDSM.16.M88"), 32);
  EXPECT_EQ(width_of("STS.U16"), 16);
}

TEST(Sass, DoesNotTakeAJumpBackIntoTheWayForALoop) {
  // A slow way out of line, which comes back.
  const auto kernels = parse_sass(
      "\t.section\t.text.f,\"ax\"\n/*0000*/ @P0 BRA `(.L_slow) ;\n.L_on:\n/*0010*/ FADD R0, R0, R0 "
      ";\n/*0020*/ EXIT ;\n"
      ".L_slow:\n/*0030*/ MUFU.RCP R1, R1 ;\n/*0040*/ BRA `(.L_on) ;\n");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_TRUE(loops_of(kernels[0]).empty());
}

TEST(Sass, FollowsAJumpThroughATable) {
  const auto kernels = parse_sass(
      "\t.section\t.text.f,\"ax\"\n.L_a:\n/*0000*/ FADD R0, R0, R0 ;\n/*0010*/ BRX R2 -0x20 "
      "(*\"BRANCH_TARGETS .L_a,.L_b\"*) ;\n.L_b:\n/*0020*/ EXIT ;\n");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_THAT(kernels[0].code[1].targets, ElementsAre(0x0, 0x20));
  EXPECT_EQ(loops_of(kernels[0]).size(), 1u);
}

TEST(Sass, NamesTheInstructionsItDoesNotKnow) {
  const auto collected = collect_sass_text(
      "\t.section\t.text.f,\"ax\"\n/*0000*/ FROBNICATE.E R0, R0 ;\n/*0010*/ EXIT ;\n",
      plan_with({"f"}));
  EXPECT_EQ(MetricTable(collected.metrics).get("sass.unknown", 0), 1);
  ASSERT_EQ(collected.notes.size(), 1u);
  EXPECT_THAT(collected.notes[0], HasSubstr("FROBNICATE (1)"));
}

TEST(Sass, GivesEachLaunchItsKernelsFigures) {
  const auto collected = collect_sass_text(listing("common.sm_90a.sass"),
                                           plan_with({"scale4", "tiles", "scale4", "absent"}));
  const MetricTable table(collected.metrics);
  EXPECT_EQ(table.get("sass.load_global.128", 0), 1);
  EXPECT_EQ(table.get("sass.load_global.128", 2), 1);
  EXPECT_EQ(table.get("sass.tensor.hmma", 0), 0);
  EXPECT_EQ(table.get("sass.tensor.hmma", 1), 2);
  EXPECT_EQ(table.get("sass.loop_mix.tensor", 1), 2);
  EXPECT_FALSE(table.get("sass.instructions", 3));
  EXPECT_THAT(table.missing("sass.instructions", 3), HasSubstr("absent"));
}

TEST(Sass, LivesThroughTextsThatAreCutOff) {
  for (const char* file : all_listings) {
    const std::string whole = listing(file);
    for (std::size_t length = 0; length < whole.size(); length += 397)
      for (const auto& kernel : parse_sass(std::string_view(whole).substr(0, length)))
        (void)summarise(kernel);
  }
}

TEST(Sass, LivesThroughTextsThatMakeNoSense) {
  for (const char* text : {"", "\n\n", ":", "/*", "/**/", "/*zz*/ FADD ;",
                           "\t.section\t.text.,\n/*0*/ BRA `(", "Function : ",
                           "\t.section\t.text.f\n/*0010*/ BRA 0x10 ;\n/*0010*/ BRA 0x10 "
                           ";\n/*0000*/ BRX (*\"BRANCH_TARGETS ,"})
    for (const auto& kernel : parse_sass(text)) (void)summarise(kernel);
}

TEST(LineMap, GivesTheCandidatesOwnLines) {
  const auto map = parse_line_map(listing("lines.sm_90a.sass"), "sum_squares", "lines.cu");
  EXPECT_EQ(map.line_at(0x00), 6);
  EXPECT_EQ(map.line_at(0xd0), 9);
  EXPECT_EQ(map.line_at(0xf0), 8);
  EXPECT_EQ(map.line_at(0x100), 9);  // inlined from a header
  EXPECT_EQ(map.line_at(0x160), 11);
  EXPECT_EQ(map.line_at(0x230), 13);
  EXPECT_EQ(parse_line_map(listing("lines.sm_90a.sass"), "twice", "lines.cu").line_at(0x50), 16);
}

TEST(LineMap, GivesNoLineWhereTheSourceIsAnother) {
  const auto map = parse_line_map(listing("lines.sm_90a.sass"), "sum_squares", "ines.cu");
  EXPECT_EQ(map.line_at(0xd0), 0);
  EXPECT_TRUE(parse_line_map("", "f", "f.cu").rows.empty());
  EXPECT_EQ(LineMap{}.line_at(0), 0);
}

TEST(LineMap, TellsALoopsLines) {
  const auto map = parse_line_map(listing("lines.sm_90a.sass"), "sum_squares", "lines.cu");
  const auto summary = summarise(kernel_of("lines.sm_90a.sass", "sum_squares"), &map);
  ASSERT_EQ(summary.innermost.size(), 1u);
  EXPECT_EQ(summary.innermost[0].first_line, 8);
  EXPECT_EQ(summary.innermost[0].last_line, 9);
}

// From the compiler to the metrics, where this machine has both programs.
class LiveSass : public testing::Test {
 protected:
  void SetUp() override {
    if (device::find_tool("nvdisasm").empty() ||
        device::compiler_version(core::Language::cuda, "").empty())
      GTEST_SKIP() << "no nvdisasm or no NVRTC";
  }
  static const device::BuildResult& build(bool line_info) {
    static std::map<bool, device::BuildResult> made;
    if (const auto found = made.find(line_info); found != made.end()) return found->second;
    device::BuildRequest request{.language = core::Language::cuda, .arch = "sm_90a"};
    request.source =
        "extern \"C\" __global__ void f(float4* x) {\n  float4 v = x[threadIdx.x];\n  v.x *= 3;\n  "
        "x[threadIdx.x] = v;\n}\n";
    request.name = "f.cu";
    request.line_info = line_info;
    return made[line_info] = device::compile(request);
  }
};

TEST_F(LiveSass, CountsWhatTheCompilerMade) {
  const auto& built = build(false);
  ASSERT_TRUE(built.ok) << built.log;
  const auto collected = collect_sass(built.image, plan_with({"f"}));
  const MetricTable table(collected.metrics);
  EXPECT_EQ(table.get("sass.load_global.128", 0), 1) << testing::PrintToString(collected.notes);
  EXPECT_EQ(table.get("sass.mix.f32", 0), 1);
}

TEST_F(LiveSass, FindsTheLinesOfABuildMadeForIt) {
  const auto& built = build(true);
  ASSERT_TRUE(built.ok) << built.log;
  const auto map = line_map(built.image, "f", "f.cu");
  ASSERT_TRUE(map) << map.error();
  std::vector<int> lines;
  for (const auto& row : map->rows) lines.push_back(row.line);
  EXPECT_THAT(lines, Contains(2));
  EXPECT_THAT(lines, Contains(4));
  EXPECT_FALSE(line_map(build(false).image, "f", "f.cu"));
}

TEST_F(LiveSass, LineInformationDoesNotChangeTheCode) {
  const auto &plain = build(false), &marked = build(true);
  const auto code = [](const std::string& image) {
    std::string text;
    for (const auto& kernel : parse_sass(*disassemble(image, {"-c"})))
      for (const auto& each : kernel.code)
        text += each.predicate + " " + each.opcode + " " + each.operands + "\n";
    return text;
  };
  EXPECT_EQ(code(plain.image), code(marked.image));
}

TEST_F(LiveSass, SaysWhyAnImageThatIsNoneHasNoCode) {
  const auto collected = collect_sass("this is no image", plan_with({"f"}));
  const MetricTable table(collected.metrics);
  EXPECT_FALSE(table.get("sass.instructions", 0));
  EXPECT_THAT(table.missing("sass.instructions", 0), HasSubstr("nvdisasm"));
  ASSERT_EQ(collected.notes.size(), 1u);
}

}  // namespace
}  // namespace hone::profile
