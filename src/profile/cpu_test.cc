#include "profile/cpu.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/files.h"
#include "device/tools.h"
#include "profile/cpu_binary.h"
#include "profile/cpu_code.h"
#include "profile/cpu_reached.h"
#include "profile/cpu_source.h"
#include "profile/cpu_times.h"
#include "profile/facts.h"
#include "profile/tool_test_support.h"
#include "profile/vector_task.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::profile {
namespace {

constexpr const char* cpu_code_listing = R"(
f.so:     file format elf64-x86-64

Disassembly of section .plt:

0000000000001020 <expf@plt>:
    1020:	jmp    QWORD PTR [rip+0x2fe2]        # 4008 <expf@GLIBC_2.27>

Disassembly of section .text:

0000000000001100 <_pocl_kernel_f_workgroup>:
    1100:	vmovups zmm0,ZMMWORD PTR [rdi]
    1106:	vfmadd231ps zmm0,zmm1,zmm2
    110c:	vaddps ymm3,ymm4,ymm5
    1110:	vmulss xmm0,xmm1,xmm2
    1114:	vgatherdps ymm1{k1},DWORD PTR [rax+ymm2*4]
    111c:	call   1020 <expf@plt>
    1121:	vpaddd ymm0,ymm0,ymm1
    1125:	jne    1110 <_pocl_kernel_f_workgroup+0x10>
    1127:	call   1020 <expf@plt>
    112c:	ret
)";

TEST(CpuCode, CountsOperationsOnVectorsAndOnScalars) {
  const auto code = read_cpu_code(cpu_code_listing);
  EXPECT_EQ(code.instructions, 10);
  EXPECT_EQ(code.vector, 16 + 8);
  EXPECT_EQ(code.scalar, 1);
  EXPECT_EQ(code.widest, 512);
  EXPECT_EQ(code.gathers, 1);
}

TEST(CpuCode, CountsCallsOfTheMathLibraryOnlyInLoops) {
  EXPECT_EQ(read_cpu_code(cpu_code_listing).math_calls, 1);
}

// A product: the loop over vectors, and behind it the same one number at a time, deeper in loops.
// It is called from a loop over work-items, by the linker's jump.
constexpr const char* product = R"(
Disassembly of section .text:

0000000000001000 <_pocl_kernel_f>:
    1000:	vbroadcastss xmm2,DWORD PTR [r8+rdx*4]
    1006:	vfmadd231ps xmm1,xmm2,XMMWORD PTR [rcx-0x8]
    100c:	inc    rdx
    100f:	add    rcx,r11
    1012:	cmp    rsi,rdx
    1015:	jne    1000 <_pocl_kernel_f>
    1017:	test   rdi,rdi
    101a:	je     1040 <_pocl_kernel_f+0x40>
    101c:	xor    edx,edx
    1020:	vmovss xmm2,DWORD PTR [r8+rdx*4]
    1026:	vfmadd231ss xmm1,xmm2,DWORD PTR [rcx]
    102c:	inc    rdx
    1032:	cmp    rsi,rdx
    1035:	jne    1020 <_pocl_kernel_f+0x20>
    1037:	dec    rdi
    103a:	jne    101c <_pocl_kernel_f+0x1c>
    1040:	ret

0000000000001100 <_pocl_kernel_f_workgroup>:
    1100:	call   900 <_pocl_kernel_f@plt>
    1105:	dec    rbx
    1108:	jne    1100 <_pocl_kernel_f_workgroup>
    110a:	ret

0000000000001200 <_pocl_kernel_f_workgroup_fast>:
    1200:	vaddss xmm0,xmm0,DWORD PTR [rax]
    1204:	jmp    1200 <_pocl_kernel_f_workgroup_fast>
)";

TEST(CpuLoops, LeavesTheScalarWayRoundTheEdgesOut) {
  const auto hot = read_cpu_code(product).hot;
  ASSERT_TRUE(hot);
  EXPECT_EQ(hot->count, 1);
  EXPECT_EQ(hot->bits, 128);
  EXPECT_EQ(hot->loads, 2);
  EXPECT_EQ(hot->cycles, 4);  // each multiply-add waits for the one before it
  EXPECT_DOUBLE_EQ(hot->chain, 4 / 1.5);
}

TEST(CpuLoops, KnowsHowDeepACallIsAndWhatWorkGroupsDoNotRun) {
  const auto functions = read_listing(product);
  ASSERT_EQ(functions.size(), 2u);
  const auto loops = arithmetic_loops(functions);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].depth, 2);
  EXPECT_EQ(loops[1].depth, 3);
}

TEST(CpuLoops, SeesScalarLoopsBesideAVectorLoopThatDoesOtherWork) {
  const auto code = read_cpu_code(R"(
0000000000001000 <_pocl_kernel_f_workgroup>:
    1000:	vaddss xmm0,xmm0,DWORD PTR [rdi+rax*4]
    1006:	inc    rax
    1009:	cmp    rax,rcx
    100c:	jne    1000 <_pocl_kernel_f_workgroup>
    1010:	vmovups ymm1,YMMWORD PTR [rdi+rdx*4]
    1016:	vmulps ymm1,ymm1,ymm2
    101c:	vmovups YMMWORD PTR [rsi+rdx*4],ymm1
    1022:	add    rdx,0x8
    1026:	cmp    rdx,rcx
    1029:	jne    1010 <_pocl_kernel_f_workgroup+0x10>
    1030:	vmulss xmm1,xmm2,DWORD PTR [rdi+rdx*4]
    1036:	vmovss DWORD PTR [rsi+rdx*4],xmm1
    103c:	inc    rdx
    103f:	cmp    rdx,rcx
    1042:	jne    1030 <_pocl_kernel_f_workgroup+0x30>
    1044:	ret
)");
  ASSERT_TRUE(code.hot);
  EXPECT_EQ(code.hot->count, 2);  // the last is the remainder of the second
  // Four instructions an element on 32 bits, six for eight elements on 256.
  EXPECT_DOUBLE_EQ(code.hot->bits, (4.0 * 32 + 6.0 / 8 * 256) / (4 + 6.0 / 8));
}

// A loop over work-items: an unrolled tile of 24 products on 512 bits, or, near the edges, a loop
// one by one.
std::string tile_with_edges() {
  std::string text = R"(
0000000000001000 <_pocl_kernel_f_workgroup>:
    1000:	cmp    rdx,r8
    1004:	je     1400 <_pocl_kernel_f_workgroup+0x400>
/tmp/pocl/tempfile_a.cl:12
)";
  for (int i = 0; i < 24; ++i)
    text += fmt::format("    {:x}:\tvfmadd231ps zmm{},zmm9,ZMMWORD PTR [rsi+{:#x}]\n",
                        0x1010 + 8 * i, i % 8, 64 * i);
  return text + R"(    1200:	jmp    1440 <_pocl_kernel_f_workgroup+0x440>
/tmp/pocl/tempfile_a.cl:31 (discriminator 2)
    1400:	vmovss xmm2,DWORD PTR [r8+rax*4]
    1406:	vfmadd231ss xmm1,xmm2,DWORD PTR [rcx+rax*4]
    140c:	inc    rax
    140f:	cmp    rax,r9
    1412:	jne    1400 <_pocl_kernel_f_workgroup+0x400>
    1440:	dec    rdx
    1443:	jne    1000 <_pocl_kernel_f_workgroup>
    1445:	ret
)";
}

TEST(CpuLoops, AnUnrolledTileIsWhereTheTimeGoesAndNotTheLoopRoundItsEdges) {
  const auto hot = read_cpu_code(tile_with_edges()).hot;
  ASSERT_TRUE(hot);
  EXPECT_EQ(hot->bits, 512);
  EXPECT_NEAR(hot->loads, 1, 0.01);
}

TEST(CpuLoops, KnowWhichLinesOfTheSourceTheyAre) {
  const auto hot = read_cpu_code(tile_with_edges()).hot;
  ASSERT_TRUE(hot);
  EXPECT_GT(hot->lines.at(12), 0.8);
  const auto functions = read_listing(tile_with_edges());
  EXPECT_EQ(functions[0].code[2].line, 12);
  EXPECT_EQ(functions[0].code[27].line, 31);
}

// A column of a picture. The compiler keeps a version for neighbours at hand, in case that the
// width is 1.
TEST(CpuLoops, SeeNumbersThatLieRowsApart) {
  const auto code = read_cpu_code(R"(
0000000000001000 <_pocl_kernel_f_workgroup>:
    1000:	vmovups ymm1,YMMWORD PTR [r9+rdx*4]
    1006:	vfmadd213ps ymm1,ymm3,ymm4
    100c:	vmovups YMMWORD PTR [r8+rdx*4],ymm1
    1012:	add    rdx,0x8
    1016:	cmp    rdx,rcx
    1019:	jne    1000 <_pocl_kernel_f_workgroup>
    1020:	movsxd rdx,edi
    1023:	vmovss xmm6,DWORD PTR [r9+rdx*4]
    1029:	vfmadd213ss xmm6,xmm3,xmm4
    102e:	vmovss DWORD PTR [r8+rdx*4],xmm6
    1032:	lea    edx,[rax+0x1]
    1034:	add    edi,esi
    1036:	dec    rcx
    1039:	jne    1020 <_pocl_kernel_f_workgroup+0x20>
    103b:	ret
)");
  ASSERT_TRUE(code.hot);
  EXPECT_GT(code.hot->strided, 0.75);
  // One of two factors of a product goes by rows; that loop is a way round edges as any other.
  EXPECT_EQ(read_cpu_code(product).hot->strided, 0);
}

TEST(CpuLoops, CallsOfPoclsOwnMathLibraryAreCallsAndNotArithmetic) {
  EXPECT_TRUE(is_math("Sleef_erff_u10"));
  EXPECT_TRUE(is_math("Sleef_exp10_u10"));
  EXPECT_TRUE(is_math("_Z7_cl_powff"));
  EXPECT_FALSE(is_math("Sleef_erff16_u10"));
  EXPECT_FALSE(is_math("_Z7_cl_erfDv16_f"));
  EXPECT_FALSE(is_math("_pocl_kernel_f"));
  const auto code = read_cpu_code(R"(
0000000000001000 <Sleef_erff_u10>:
    1000:	vmulss xmm0,xmm0,xmm0
    1004:	vmulss xmm0,xmm0,xmm0
    1008:	ret
0000000000001100 <_pocl_kernel_f_workgroup>:
    1100:	vmovss xmm0,DWORD PTR [r8+rax*4]
    1106:	call   1000 <Sleef_erff_u10>
    110b:	vmovss DWORD PTR [r9+rax*4],xmm0
    1111:	inc    rax
    1114:	cmp    rax,rcx
    1117:	jne    1100 <_pocl_kernel_f_workgroup>
    1119:	ret
)");
  ASSERT_TRUE(code.hot);
  EXPECT_EQ(code.hot->count, 1);
  EXPECT_GT(code.hot->math, 0.8);
  EXPECT_TRUE(is_vector_math("_Z7_cl_erfDv16_f"));
  EXPECT_FALSE(is_vector_math("_Z13get_global_idj"));
}

TEST(CpuLoops, SumsOverTheLanesOfAVectorAreNotWhereTheTimeGoes) {
  const auto code = read_cpu_code(R"(
0000000000001000 <_pocl_kernel_f_workgroup>:
    1000:	vaddps zmm0,zmm0,ZMMWORD PTR [rdi+rax*4]
    1006:	add    rax,0x10
    1009:	cmp    rax,rcx
    100c:	jne    1000 <_pocl_kernel_f_workgroup>
    1010:	vmulss xmm1,xmm1,DWORD PTR [rsp+rdx*4]
    1016:	inc    rdx
    1019:	cmp    rdx,0x10
    101c:	jne    1010 <_pocl_kernel_f_workgroup+0x10>
    101e:	ret
)");
  ASSERT_TRUE(code.hot);
  EXPECT_EQ(code.hot->bits, 512);
}

TEST(CpuCode, LivesThroughAnyText) {
  for (const std::string lined = tile_with_edges();
       const std::size_t length : {90, 120, 140, 300, 1700, 1760, 1900})
    (void)read_cpu_code(lined.substr(0, length));
  EXPECT_EQ(read_cpu_code("/a.cl:99999999999999\n/a.cl:-4\n/:\n/.cl:\n").instructions, 0);
  for (const std::string whole = product;
       const std::size_t length : {100, 250, 700, 900, 1000, 1100, 1200})
    (void)read_cpu_code(whole.substr(0, length));
  const std::string whole = cpu_code_listing;
  for (std::size_t length = 0; length < whole.size(); ++length)
    (void)read_cpu_code(whole.substr(0, length));
  EXPECT_EQ(read_cpu_code("").instructions, 0);
  EXPECT_EQ(read_cpu_code("ffffffffffffffffffff:\tjmp 0\n:\n10:\n10:\t\n").instructions, 0);
}

TEST(CpuCode, ReadsTheMachinesVectorsOffItsFlags) {
  EXPECT_EQ(vector_bits("processor : 0\nflags\t\t: fpu sse2 avx avx2 avx512f avx512dq\n"), 512);
  EXPECT_EQ(vector_bits("processor : 0\nflags\t\t: fpu sse2 avx avx2\n"), 256);
  EXPECT_EQ(vector_bits("processor : 0\nFeatures\t: fp asimd evtstrm\n"), 128);
  EXPECT_EQ(vector_bits(""), 0);
}

TEST(CpuSource, CountsVectorsAndBarriersOfTheKernelAndItsHelpers) {
  constexpr const char* source =
      "// float4 in a comment\nfloat4 help(float4 v) { return v; }\n"
      "__kernel void a(__global float* x, __local float* t) { float8 v = vload8(0, x); barrier(1); "
      "if (x) { barrier(1); } }\n"
      "__kernel void b(__global float* x) { int16 v; }\n";
  const auto a = features_of(source, "a"), b = features_of(source, "b");
  EXPECT_EQ(a.vectors, 4);
  EXPECT_EQ(a.barriers, 2);
  EXPECT_EQ(a.locals, 1);
  EXPECT_EQ(b.vectors, 3);
  EXPECT_EQ(b.barriers, 0);
}

TEST(CpuBinary, PrefersTheCodeForTheWorkGroupSize) {
  EXPECT_EQ(best_variant({"0-0-0", "64-1-1-goffs0", "64-1-1-goffs0-smallgrid"}, {64, 1, 1}), 1);
  EXPECT_EQ(best_variant({"0-0-0", "64-1-1-goffs0-smallgrid"}, {64, 1, 1}), 1);
  EXPECT_EQ(best_variant({"0-0-0", "164-1-1", "64-1-10"}, {64, 1, 1}), 0);
  EXPECT_EQ(best_variant({"164-1-1"}, {64, 1, 1}), -1);
}

TEST(CpuTimes, TakesRepetitionsOfALaunchForOnePart) {
  core::ResolvedPlan plan;
  for (const int index : {0, 1, 1, 0, 2}) plan.launches.emplace_back().plan_index = index;
  EXPECT_THAT(launch_parts(plan), testing::ElementsAre(1, 3, 4, 5));
}

// Two launches on the real device: one that the compiler can put on vectors, and one with a chain
// it cannot.
constexpr const char* source_cl = R"(/* hone 1
[[scratch]]
name = "room"
dtype = "f32"
shape = ["n"]
[[launch]]
kernel = "twice"
grid = ["n / 64"]
block = [64]
args = ["x", "room"]
[[launch]]
kernel = "chain"
grid = [1]
block = [1]
args = ["room", "y", "n", "local:256"]
*/
__kernel void twice(__global const float* x, __global float* room) {
  int i = get_global_id(0);
  room[i] = x[i] + x[i];
}
__kernel void chain(__global const float* room, __global float* y, int n, __local float* t) {
  float s = 0;
  for (int i = 0; i < n; ++i) {
    s = s * 0.5f + room[i];
    y[i] = room[i] + s * 0.0f;
  }
  t[0] = s;
}
)";

// One home for all: references are compiled once. It may be that of other tests, too.
class LiveCpu : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    home_ = std::make_unique<base::TemporaryFolder>("hone-cpu-test-home");
  }
  static void TearDownTestSuite() { home_.reset(); }
  void SetUp() override {
    for (const auto& backend : device::discover())
      if (backend.language == core::Language::opencl)
        for (const auto& device : backend.devices)
          if (device.is_cpu) info_ = device;
    if (!info_) GTEST_SKIP() << "no OpenCL device on a CPU";
    const char* cache = std::getenv("HONE_TEST_CACHE");
    ::setenv(
        "HONE_HOME",
        (cache != nullptr ? std::filesystem::path(cache).parent_path() : home_->path()).c_str(), 1);
    write_vector_task(folder_.path(), 2, {{"timed", 65536}});
  }
  static inline std::unique_ptr<base::TemporaryFolder> home_;
  base::TemporaryFolder folder_{"hone-cpu-test"};
  std::optional<core::DeviceInfo> info_;
};

TEST_F(LiveCpu, TellsEachLaunchsTimeAndWhatItsCodeIsMadeOf) {
  const auto task = task::load_task(folder_.path());
  ASSERT_TRUE(task.ok());
  judge::Judge judge(*task, *info_, {});
  const auto candidate = task::candidate_from(source_cl, core::Language::opencl, "double.cl");
  ASSERT_TRUE(candidate.ok()) << base::render(candidate.error(), source_cl);
  core::Evaluation evaluation;
  auto ready = judge::load(judge, *candidate, {}, evaluation);
  ASSERT_TRUE(ready) << (ready ? "" : ready.error().text);
  const auto& which = judge.task().cases.front();
  const auto plan = judge::fitted_plan(judge, *ready, which);
  ASSERT_TRUE(plan.ok()) << plan.error();
  const auto collected = collect_cpu(judge, *ready, which, *plan);
  const MetricTable table(collected.metrics);
  ASSERT_TRUE(table.get("cpu.kernel_seconds", 0)) << testing::PrintToString(collected.notes);
  EXPECT_GT(*table.get("cpu.kernel_seconds", 0), 0);
  EXPECT_EQ(table.get("cpu.local_bytes", 1), 256);
  EXPECT_GT(table.get("cpu.units", 0), 0);
  if (!runner::isolation_problem().empty() || device::find_tool("objdump").empty())
    GTEST_SKIP() << "no objdump";
  ASSERT_TRUE(table.get("cpu.vector_width", 0)) << testing::PrintToString(collected.notes);
  EXPECT_GE(*table.get("cpu.vector_width", 0), 128);
  EXPECT_GT(*table.get("cpu.vector_code", 0), 0.5);
  EXPECT_EQ(table.get("cpu.gathers", 0), 0);
}

// A vector loop that takes all of a case whose size is a multiple of it, and a scalar tail that
// runs in other cases.
TEST_F(LiveCpu, LeavesOutCodeThatTheCaseNeverReaches) {
  const std::string source = R"(/* hone 1
[[launch]]
kernel = "twice"
grid = [64]
block = [16]
args = ["x", "y", "n"]
*/
__kernel void twice(__global const float* x, __global float* y, int n) {
  const int size = n / (64 * 16), first = get_global_id(0) * size, end = get_global_id(0) + 1 == 1024 ? n : first + size;
  int i = first;
  for (; i + 16 <= end; i += 16) vstore16(2.0f * vload16(0, x + i), 0, y + i);
  for (; i < end; ++i) y[i] = 2.0f * x[i];
}
)";
  const auto task = task::load_task(folder_.path());
  judge::Judge judge(*task, *info_, {});
  const auto candidate = task::candidate_from(source, core::Language::opencl, "twice.cl");
  ASSERT_TRUE(candidate.ok()) << base::render(candidate.error(), source);
  core::Evaluation evaluation;
  auto ready = judge::load(judge, *candidate, {}, evaluation);
  ASSERT_TRUE(ready) << (ready ? "" : ready.error().text);
  const auto& which = judge.task().cases.front();
  const auto plan = judge::fitted_plan(judge, *ready, which);
  ASSERT_TRUE(plan.ok()) << plan.error();
  const auto reached = reached_code(judge, *ready, which, *plan);
  ASSERT_TRUE(reached) << reached.error();
  EXPECT_THAT((*reached)->never, testing::ElementsAre(12));
  const auto collected = collect_cpu(judge, *ready, which, *plan);
  EXPECT_THAT(collected.notes,
              testing::Contains(testing::HasSubstr("never enters the loop in line 12")));
  for (const auto& metric : collected.metrics)
    EXPECT_FALSE(metric.tag == tag::line_code && metric.line == 12);
}

// An example's seed on the real device, in a small case. How long it takes is made up: slow enough
// for every tool.
class LiveAdvice : public LiveCpu {
 protected:
  // Names of the tools that speak; absent where the code cannot be read here.
  std::optional<std::set<std::string>> advice(const std::string& name, const core::Point& point,
                                              const std::map<std::string, double>& flops) {
    const std::filesystem::path folder =
        std::filesystem::path(HONE_TEST_DATA) / "../../examples" / name;
    const auto task = task::load_task(folder);
    if (!task.ok()) return std::nullopt;
    const auto text = base::read_file(folder / "seed.cl");
    const auto candidate = task::candidate_from(text, core::Language::opencl, "seed.cl");
    judge::Judge judge(*task, *info_, {});
    core::Evaluation evaluation;
    judge::EvaluateOptions options;
    options.point = core::default_point(candidate->plan);
    for (const auto& [name_of, value] : point) options.point[name_of] = value;
    auto ready = judge::load(judge, *candidate, options, evaluation);
    if (!ready) return std::nullopt;
    const auto which = std::find_if(judge.task().cases.begin(), judge.task().cases.end(),
                                    [](const core::Case& one) { return one.name == "prime"; });
    const auto plan = judge::fitted_plan(judge, *ready, *which);
    if (!plan.ok()) return std::nullopt;
    Example example(name, {1024, 1, 1}, {4, 1, 1});
    example.on_a_cpu().takes(1, 1e8, flops);
    for (const auto& metric : collect_cpu(judge, *ready, *which, *plan).metrics)
      if (metric.value && metric.tag != tag::cpu_launch_seconds)
        example.with(metric.tag, *metric.value);
    if (!example.facts().metrics.get(tag::cpu_loop_bits, 0)) return std::nullopt;
    std::set<std::string> names;
    for (const auto& one : run_tools(example.facts()).advice) names.insert(one.tool);
    return names;
  }
};

TEST_F(LiveAdvice, ARowOfSoftmaxOneNumberAtATimeWantsVectorsAndTheTunedOneNothing) {
  const auto seed = advice("softmax", {}, {});
  if (!seed) GTEST_SKIP() << "compiled code cannot be read here";
  EXPECT_TRUE(seed->contains("cpu-no-vectors")) << testing::PrintToString(*seed);
  const auto tuned = advice("softmax", {{"VEC", 16}, {"CHAINS", 2}, {"KEEP", 1}}, {});
  ASSERT_TRUE(tuned);
  EXPECT_THAT(*tuned, testing::IsEmpty());
}

TEST_F(LiveAdvice, AProductWithoutATileWantsReuseAndTheTunedOneNothing) {
  const auto seed = advice("matmul", {}, {{"f32", 1e10}});
  if (!seed) GTEST_SKIP() << "compiled code cannot be read here";
  EXPECT_TRUE(seed->contains("cpu-register-reuse")) << testing::PrintToString(*seed);
  // Eight sums as wide as the machine's vectors fit into the registers of all.
  const int lanes = std::max(4, vector_bits("\n" + base::read_file("/proc/cpuinfo")) / 32);
  const auto tuned = advice("matmul", {{"VEC", lanes}, {"ROWS", 4}, {"VECS", 2}}, {{"f32", 1e10}});
  ASSERT_TRUE(tuned);
  EXPECT_THAT(*tuned, testing::IsEmpty());
}

TEST_F(LiveAdvice, AnUnrolledStencilOnWideVectorsIsNotTakenForItsEdges) {
  const auto tuned = advice("stencil", {{"VEC", 16}, {"ROWS", 4}}, {{"f32", 1e10}});
  if (!tuned) GTEST_SKIP() << "compiled code cannot be read here";
  EXPECT_FALSE(tuned->contains("cpu-no-vectors"));
  EXPECT_FALSE(tuned->contains("cpu-register-reuse"));
}

TEST_F(LiveCpu, NamesTheLinesOfAHelperThatTheKernelCalls) {
  constexpr const char* text = R"(/* hone 1
[[launch]]
kernel = "twice"
grid = ["n / 64"]
block = [1]
args = ["x", "y"]
*/
float of_all(__global const float* x) {
  float s = 0.0f;
  for (int i = 0; i < 64; ++i)
    s = s * 0.5f + x[i];
  return s;
}
__kernel void twice(__global const float* x, __global float* y) {
  x += get_global_id(0) * 64;
  y += get_global_id(0) * 64;
  const float none = 0.0f * of_all(x);
  for (int i = 0; i < 64; ++i) y[i] = x[i] + x[i] + none;
}
)";
  const auto task = task::load_task(folder_.path());
  ASSERT_TRUE(task.ok());
  judge::Judge judge(*task, *info_, {});
  const auto candidate = task::candidate_from(text, core::Language::opencl, "helper.cl");
  ASSERT_TRUE(candidate.ok());
  core::Evaluation evaluation;
  auto ready = judge::load(judge, *candidate, {}, evaluation);
  ASSERT_TRUE(ready);
  const auto& which = judge.task().cases.front();
  const auto plan = judge::fitted_plan(judge, *ready, which);
  ASSERT_TRUE(plan.ok());
  std::set<int> lines;
  const auto collected = collect_cpu(judge, *ready, which, *plan);
  for (const auto& metric : collected.metrics)
    if (metric.tag == tag::line_code) lines.insert(metric.line.value());
  if (lines.empty()) GTEST_SKIP() << "no lines here: " << testing::PrintToString(collected.notes);
  EXPECT_TRUE(lines.contains(11)) << testing::PrintToString(lines);
  EXPECT_FALSE(lines.contains(15));
}

TEST_F(LiveCpu, FindsNoCodeWhereNothingWasCalled) {
  core::ResolvedLaunch launch;
  launch.kernel = "../../../../etc";
  EXPECT_FALSE(kernel_binary(::getpid(), launch));
}

}  // namespace
}  // namespace hone::profile
