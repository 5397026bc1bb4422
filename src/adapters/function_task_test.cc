#include "adapters/function_task.h"

#include <gmock/gmock.h>

#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"
#include "task/task_new.h"

namespace hone::adapters {
namespace {

using testing::HasSubstr;
using testing::Not;

// What function_describe.py says of y = x[idx] * scale, half precision, with a size as a number.
DescribedFunction said() {
  return described<DescribedFunction>(
      R"({"torch": "2.5.1", "function": "pick", "summary": "Rows of a \"table\".", "entry": "pick",
    "inputs_function": "example_inputs", "numpy": false, "double": true,
    "inputs": [{"name": "x", "dtype": "f16", "shape": ["rows", "cols"], "draw": {"kind": "normal", "a": 0.0, "b": 1.0},
                "variants": ["heavy"]},
               {"name": "idx", "dtype": "i64", "shape": ["n"], "draw": {"kind": "integers", "low": 0, "high": "rows - 1"},
                "variants": []},
               {"name": "mask", "dtype": "u8", "shape": [4], "draw": {"kind": "problem", "why": "it is of torch.bool"},
                "variants": []}],
    "scalars": [{"name": "scale", "integer": false, "value": 0.1}, {"name": "width", "integer": true, "value": "cols"}],
    "outputs": [{"name": "y", "dtype": "f16", "shape": ["n", "cols + 2"], "error_max": 0.001, "error_rms": 0.0002}],
    "cases": [{"name": "", "bind": {"rows": 1000, "cols": 64, "n": 500}}, {"name": "odd", "bind": {"rows": 37, "cols": 61, "n": 29}}],
    "flops": {"f16": "2 * rows * cols", "f32": "n"}, "uncounted": [], "notes": [], "interface": {}})",
      "pick.py");
}

core::Task loaded(const DescribedFunction& description) {
  const base::TemporaryFolder folder("function-test");
  std::ofstream(folder.path() / "task.toml") << function_toml("picked", description, 30);
  std::ofstream(folder.path() / "reference.py") << "def pick(x, idx): ...";
  std::ofstream(folder.path() / "interface.json") << "{}";
  const auto task = task::load_task(folder.path());
  EXPECT_TRUE(task) << (task ? "" : task::render_with_sources(task.error()));
  return task ? *task : core::Task();
}

TEST(FunctionTask, IsATaskLikeAnyOther) {
  const core::Task task = loaded(said());
  ASSERT_EQ(task.inputs.size(), 3u);
  EXPECT_EQ(task.summary, "Rows of a \"table\".");
  EXPECT_EQ(task.function->seconds, 30);
  EXPECT_EQ(task.inputs[0].variants, (std::vector{core::Variant::heavy}));
  EXPECT_EQ(*task.inputs[1].draw.high.evaluate(task.cases[1].bindings), 36);
  EXPECT_EQ(task.inputs[2].draw.kind, core::DrawKind::problem);
  EXPECT_EQ(core::shape_of(task.outputs[0].shape, task.cases[1].bindings)->dims,
            (std::vector<std::int64_t>{29, 63}));
  EXPECT_EQ(*task.scalars.at(1).expression->evaluate(task.cases[0].bindings), 64);
  EXPECT_TRUE(task.cases[0].timed);
  EXPECT_FALSE(task.cases[1].timed) << "proposed sizes are checked only";
  EXPECT_EQ(*task.work.bytes.evaluate(task.cases[1].bindings),
            2 * 37 * 61 + 8 * 29 + 4 + 2 * 29 * 63);
  EXPECT_TRUE(task.work.flops.contains("f16"));
}

TEST(FunctionTask, ItsToleranceIsSeveralTimesWhatTheReferenceIsOff) {
  EXPECT_EQ(loaded(said()).outputs[0].tolerance.max, 8e-3);
  auto exact = said();
  exact.outputs[0].error_max = exact.outputs[0].error_rms = 0;
  EXPECT_NEAR(loaded(exact).outputs[0].tolerance.max, 4 * 0x1p-11, 1e-4)
      << "rounding alone is a few of these";
  exact.outputs[0].error_max = 100;
  EXPECT_EQ(loaded(exact).outputs[0].tolerance.max, 0.25) << "beyond that anything would pass";
}

TEST(FunctionTask, RefusesNamesThatAreNoNames) {
  auto hostile = said();
  hostile.inputs[0].name = "x\"\n[[case]]";
  EXPECT_THROW(function_toml("t", hostile, 120), base::Error);
}

TEST(FunctionTask, ItsKernelMayNameAFunction) {
  EXPECT_EQ(file_and_function("a/kernel.py:softmax"),
            (std::pair<std::filesystem::path, std::string>("a/kernel.py", "softmax")));
  EXPECT_EQ(file_and_function("a/kernel.py").second, "");
  EXPECT_EQ(file_and_function("C:/kernel.cu").first, "C:/kernel.cu");
}

TEST(FunctionTask, TheKernelsPlanHasTheTasksNames) {
  const base::TemporaryFolder folder("function-test");
  const auto file = folder.path() / "k.cu";
  std::ofstream(file) << "__global__ void k(const __half* table, const long long* idx, const "
                         "unsigned char* m, __half* out,\n"
                         "                  int cols, int other, float scale) {}\n";
  const std::string seed = task::seed_for(file, loaded(said()));
  for (const char* line : {"\"x\", ", "\"idx\",", "\"mask\",", "\"y\",", "\"cols\",", "\"scale\","})
    EXPECT_THAT(seed, HasSubstr(line));
  EXPECT_THAT(
      seed,
      HasSubstr(
          "\"?\",                             # int other: a symbol, a scalar or an expression"));
  EXPECT_THAT(seed, HasSubstr("extern \"C\" __global__ void k("));
}

TEST(FunctionTask, APlanWhoseNumbersAreNotKnownNamesTheTasksOwnTensorsAndSymbols) {
  const base::TemporaryFolder folder("function-test");
  const auto file = folder.path() / "k.cl";
  std::ofstream(file) << "__kernel void k(__global const half* a, __global const long* b, __global "
                         "const uchar* c, __global half* d, const int m, const float f) {}\n";
  const std::string seed = task::seed_for(file, loaded(said()));
  EXPECT_THAT(seed, Not(HasSubstr("arg_")));
  for (const char* line : {"\"x\", ", "\"idx\",", "\"mask\",", "\"y\",", "\"?\", "})
    EXPECT_THAT(seed, HasSubstr(line));
  EXPECT_THAT(seed, HasSubstr("for example [\"ceil_div(cols, 256)\"]"));
}

}  // namespace
}  // namespace hone::adapters
