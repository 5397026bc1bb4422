#include "task/task_new.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "task/candidate_loader.h"
#include "task/kernel_scanner.h"
#include "task/plan_parser.h"
#include "task/task_loader.h"

namespace hone::task {
namespace {

namespace fs = std::filesystem;
using core::DType;
using core::Language;
using Kind = KernelParameter::Kind;
using testing::ElementsAre;
using testing::HasSubstr;

// "kind name dtype" of each parameter.
std::vector<std::string> signature(const Kernel& kernel) {
  static const char* kinds[] = {"input", "output", "integer", "real", "local", "other"};
  std::vector<std::string> out;
  for (const auto& p : kernel.parameters)
    out.push_back(std::string(kinds[static_cast<int>(p.kind)]) + " " + p.name +
                  (p.dtype ? " " + std::string(core::name_of(*p.dtype)) : ""));
  return out;
}

TEST(KernelScanner, ReadsACudaSignature) {
  const auto kernels = scan_kernels(R"(
    // __global__ void not_this(int a);
    /* nor __global__ void this(int a) {} */
    #define MACRO __global__ void nor_this(int a)
    extern "C" __global__ void __launch_bounds__(256, 2) __cluster_dims__(2, 1, 1)
    scale(const float* __restrict__ x, float *__restrict__ const y, const __half2* h, __nv_bfloat16* b, unsigned char* bytes,
          const float alpha, int n, unsigned int m, size_t bytes_total, long long big = 3, const int (*table)[4], double eps,
          const __grid_constant__ CUtensorMap map) { __shared__ float t[256]; }
  )",
                                    Language::cuda);
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].name, "scale");
  EXPECT_EQ(kernels[0].line, 5);
  EXPECT_TRUE(kernels[0].extern_c);
  EXPECT_FALSE(kernels[0].is_template);
  EXPECT_THAT(
      signature(kernels[0]),
      ElementsAre("input x f32", "output y f32", "input h f16", "output b bf16", "output bytes u8",
                  "real alpha f32", "integer n i32", "integer m u32", "integer bytes_total u64",
                  "integer big i64", "input table i32", "real eps f64", "other map"));
}

TEST(KernelScanner, ReadsAnOpenclSignature) {
  const auto kernels = scan_kernels(R"(
    __kernel __attribute__((reqd_work_group_size(64, 1, 1)))
    void sum(__global const float4* restrict x, __constant int* table, global float* y, __local float* tmp, const uint n, half s) {}
    kernel void other(void) {}
  )",
                                    Language::opencl);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_THAT(signature(kernels[0]), ElementsAre("input x f32", "input table i32", "output y f32",
                                                 "local tmp f32", "integer n u32", "real s f16"));
  EXPECT_EQ(kernels[1].name, "other");
  EXPECT_TRUE(kernels[1].parameters.empty());
}

TEST(KernelScanner, KnowsHowAKernelIsNamed) {
  const auto kernels = scan_kernels(
      "extern \"C\" {\n__global__ void a() {}\n}\n__global__ void b(float*, int) { extern "
      "__shared__ float s[]; }\ntemplate <int N> __global__ void c() {}\n__global__ void b(float*, "
      "int);",
      Language::cuda);
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_TRUE(kernels[0].extern_c);
  EXPECT_FALSE(kernels[1].extern_c);
  EXPECT_TRUE(kernels[1].dynamic_shared);
  EXPECT_TRUE(kernels[2].is_template);
  EXPECT_THAT(signature(kernels[1]), ElementsAre("output argument1 f32", "integer argument2 i32"));
}

TEST(KernelScanner, SurvivesBrokenSources) {
  for (const char* source :
       {"__global__", "__global__ void", "__global__ void k", "__global__ void k(",
        "__global__ void k(int", "__global__ void k((((", "\"", "'", "/*", "#",
        "__global__ void k(,,,)", "__global__ __launch_bounds__("})
    (void)scan_kernels(source, Language::cuda);
  EXPECT_TRUE(scan_kernels("int main() {}", Language::cuda).empty());
}

class NewTask : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
    return folder_.path() / name;
  }
  static std::string read(const fs::path& path) { return base::read_file(path); }
  fs::path task() const { return folder_.path() / "mine"; }
  // "file:line message" of each complaint.
  std::vector<std::string> said() const {
    std::vector<std::string> out;
    for (const auto& d : check_task(task()))
      out.push_back(fs::path(d.file).filename().string() + ":" + std::to_string(d.at.line) + " " +
                    d.message);
    return out;
  }
  base::TemporaryFolder folder_{"hone-new-test"};
};

TEST_F(NewTask, HasNothingWrongWithIt) {
  const auto files = write_new_task(task());
  EXPECT_EQ(files.size(), 4u);
  EXPECT_THAT(said(), ElementsAre());
  const auto loaded = load_task(task());
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->name, "mine");
  EXPECT_TRUE(loaded->seed_cl && loaded->seed_cu);
}

TEST_F(NewTask, ResolvesForEveryCase) {
  write_new_task(task());
  const auto loaded = load_task(task());
  ASSERT_TRUE(loaded.ok());
  for (const char* seed : {"seed.cu", "seed.cl"}) {
    auto candidate = load_candidate(task() / seed);
    ASSERT_TRUE(candidate.ok());
    EXPECT_TRUE(check_plan(candidate->plan, *loaded, seed).empty());
    for (const auto& which : loaded->cases)
      EXPECT_TRUE(core::resolve(candidate->plan, *loaded, which,
                                core::default_point(candidate->plan),
                                core::device_symbols(8, 32, 49152, 0, 1024))
                      .ok());
  }
}

TEST_F(NewTask, DoesNotOverwriteAnything) {
  write_new_task(task());
  EXPECT_THROW(write_new_task(task()), base::Error);
  EXPECT_THROW(write_new_task(folder_.path() / "a b"), base::Error);
  EXPECT_THROW(write_new_task_from(task(), write("k.cu", "__global__ void k(float* x) {}")),
               base::Error);
}

const char* const two_kernels = R"(#include <cuda_fp16.h>
extern "C" __global__ void partial_sums(const float* x, float* partial, int n) { extern __shared__ float s[]; }
__global__ void finish(const float* partial, double* total, int n, float scale) {}
)";

TEST_F(NewTask, AsksForWhatAKernelDoesNotSay) {
  write_new_task_from(task(), write("k.cu", two_kernels));
  const auto toml = read(task() / "task.toml"), seed = read(task() / "seed.cu");
  EXPECT_THAT(seed, HasSubstr("extern \"C\" __global__ void finish("));
  EXPECT_THAT(seed,
              HasSubstr("#include <cuda_fp16.h>\nextern \"C\" __global__ void partial_sums("));
  EXPECT_THAT(said(),
              ElementsAre("task.toml:4 'summary' is still to be filled in",  //
                          "task.toml:9 'shape' is still to be filled in",    //
                          "task.toml:15 'shape' is still to be filled in",   //
                          "task.toml:16 'max' is still to be filled in",
                          "task.toml:16 'rms' is still to be filled in",    //
                          "task.toml:21 'value' is still to be filled in",  //
                          "task.toml:24 'n' is still to be filled in",
                          "task.toml:27 'n' is still to be filled in",  //
                          "task.toml:31 'bytes' is still to be filled in",
                          "task.toml:32 'flops' is still to be filled in",        //
                          "reference.cc:9 the reference is still to be written",  //
                          "seed.cu:7 'shape' is still to be filled in",
                          "seed.cu:11 'grid' is still to be filled in",  //
                          "seed.cu:12 'block' is still to be filled in",
                          "seed.cu:13 'shared' is still to be filled in",  //
                          "seed.cu:22 'grid' is still to be filled in",
                          "seed.cu:23 'block' is still to be filled in",
                          "seed.cu:24 'shared' is still to be filled in"))
      << toml << seed;
  for (const auto& complaint : check_task(task())) {
    const auto text = read(complaint.file);
    EXPECT_THAT(base::render(complaint, text),
                testing::AnyOf(HasSubstr("?"), HasSubstr("HONE_UNFINISHED")));
  }
}

TEST_F(NewTask, IsSoundOnceItIsFilledIn) {
  write_new_task_from(task(), write("k.cl",
                                    "__kernel void add(__global const float* a, __global float* "
                                    "max, __local float* t, int n) {}\n"));
  const auto fill = [&](const char* name,
                        std::vector<std::pair<std::string, std::string>> answers) {
    std::string text = read(task() / name);
    for (const auto& [question, answer] : answers) {
      const auto at = text.find(question);
      ASSERT_NE(at, std::string::npos) << question << " in\n" << text;
      text.replace(at, question.size(), answer);
    }
    std::ofstream(task() / name) << text;
  };
  fill("task.toml", {{"summary = \"?\"", "summary = \"Adds.\""},
                     {"shape = [\"?\"]", "shape = [\"n\"]"},
                     {"shape = [\"?\"]", "shape = [\"n\"]"},
                     {"max = \"?\", rms = \"?\"", "max = 0, rms = 0"},
                     {"n = \"?\"", "n = 1024"},
                     {"n = \"?\"", "n = 7"},
                     {"bytes = \"?\"", "bytes = \"8 * n\""},
                     {"flops = \"?\"", "flops = {}"}});
  fill("reference.cc", {{"HONE_UNFINISHED", "arg_max = a;"}});
  fill("seed.cl", {{"grid = [\"?\"]", "grid = [\"n\"]"},
                   {"block = [\"?\"]", "block = [1]"},
                   {"  \"?\",", "  \"local:4\","}});
  EXPECT_THAT(said(), ElementsAre());
}

TEST_F(NewTask, KeepsAPlanThatIsAlreadyThere) {
  const std::string source =
      "/* hone 1\n[[launch]]\nkernel = \"k\"\ngrid = [1]\nblock = [1]\nargs = [\"x\", "
      "\"y\"]\n*/\n__kernel void k(__global const float* x, __global float* y) {}\n";
  write_new_task_from(task(), write("k.cl", source));
  EXPECT_EQ(read(task() / "seed.cl"), source);
}

TEST_F(NewTask, SaysWhyAFileIsNoStart) {
  const auto why = [&](const std::string& name, const std::string& text) -> std::string {
    try {
      write_new_task_from(task(), write(name, text));
    } catch (const base::Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(why("k.txt", "x"),
              HasSubstr("a task starts from a CUDA (.cu), OpenCL (.cl) or Python (.py) source"));
  EXPECT_THAT(why("k.cu", ""), HasSubstr("the file is empty"));
  EXPECT_THAT(why("k.cu", "int main() {}"),
              HasSubstr("there is no kernel in it: Hone looked for __global__ functions"));
  EXPECT_THAT(why("k.cu", "template <typename T>\n__global__ void k(T* x) {}"),
              HasSubstr("k.cu:2: the kernel 'k' is a template"));
}

}  // namespace
}  // namespace hone::task
