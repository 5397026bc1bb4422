#include "adapters/kernelbench.h"

#include <gmock/gmock.h>

#include <fstream>

#include "adapters/task_key.h"
#include "base/error.h"
#include "base/files.h"
#include "base/resources.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::adapters {
namespace {

using testing::HasSubstr;

std::string said_by(const std::function<void()>& work) {
  try {
    work();
  } catch (const base::Error& error) {
    return error.what();
  }
  return "";
}

TEST(KernelBench, NamesAProblemByLevelAndNumber) {
  const auto problem = kernelbench_problem("kernelbench:level2/17");
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->level, "level2");
  EXPECT_EQ(problem->number, 17);
  EXPECT_EQ(problem->wanted_class, "");
  const auto narrowed = kernelbench_problem("kernelbench:level2/17@protocol");
  EXPECT_EQ(narrowed->number, 17);
  EXPECT_EQ(narrowed->wanted_class, "protocol");
  EXPECT_THAT(said_by([] { kernelbench_problem("kernelbench:level2/17@"); }),
              HasSubstr("@fp32, @tf32 and @protocol"));
  EXPECT_THAT(said_by([] { kernelbench_problem("kernelbench:level2/17@bf16"); }),
              HasSubstr("@fp32"));
  EXPECT_FALSE(kernelbench_problem("examples/softmax"));
  for (const char* wrong : {"kernelbench:", "kernelbench:level1", "kernelbench:level1/",
                            "kernelbench:level4/1", "kernelbench:level1/x", "kernelbench:level1/0",
                            "kernelbench:level1/2.5", "kernelbench:../1"})
    EXPECT_THAT(said_by([&] { kernelbench_problem(wrong); }), HasSubstr("kernelbench:level1/23"))
        << wrong;
}

TEST(KernelBench, FindsTheFileByItsNumberAndNotByItsBeginning) {
  const base::TemporaryFolder folder("kernelbench-test");
  const auto level = folder.path() / "KernelBench" / "level1";
  std::filesystem::create_directories(level);
  for (const char* name : {"19_ReLU.py", "1_Square.py", "191_Other.py", "1_notes.txt"})
    std::ofstream(level / name) << "x";
  EXPECT_EQ(problem_file(folder.path(), {"level1", 1, ""}), level / "1_Square.py");
  EXPECT_EQ(problem_file(folder.path(), {"level1", 19, ""}), level / "19_ReLU.py");
  EXPECT_THAT(said_by([&] {
                problem_file(folder.path(), {"level1", 9, ""});
              }),
              HasSubstr("no problem 9"));
  EXPECT_THAT(said_by([&] {
                problem_file(folder.path(), {"level2", 1, ""});
              }),
              HasSubstr("no checkout of KernelBench"));
}

TEST(KernelBench, NamesSeveralProblemsByLevelOrRangeInOrder) {
  const base::TemporaryFolder folder("kernelbench-test");
  const auto level = folder.path() / "KernelBench" / "level1";
  std::filesystem::create_directories(level);
  for (const char* name : {"10_Ten.py", "9_Nine.py", "2_Two.py", "notes.py", "3_Three.txt"})
    std::ofstream(level / name) << "x";
  const auto numbers = [&](const std::string& text) {
    std::vector<int> list;
    for (const auto& problem : kernelbench_problems(text, folder.path()))
      list.push_back(problem.number);
    return list;
  };
  EXPECT_EQ(numbers("kernelbench:level1"), (std::vector<int>{2, 9, 10}));
  EXPECT_EQ(numbers("kernelbench:level1/3-9"), (std::vector<int>{9}));
  EXPECT_TRUE(numbers("kernelbench:level1/9").empty()) << "one problem is no list";
  EXPECT_TRUE(numbers("examples/softmax").empty());
  EXPECT_THAT(said_by([&] { numbers("kernelbench:level1/9-3"); }), HasSubstr("level1/1-20"));
  EXPECT_THAT(said_by([&] { numbers("kernelbench:level9"); }), HasSubstr("the levels are"));
  EXPECT_THAT(said_by([&] { numbers("kernelbench:level2"); }), HasSubstr("no such problems"));
}

DescribedModule said() {
  return described<DescribedModule>(R"({"torch": "2.11.0", "tensors": [
      {"name": "x", "dtype": "f32", "shape": [64, 128], "weight": false,
       "draw": {"kind": "uniform", "a": 0.0, "b": 1.0}},
      {"name": "linear_weight", "dtype": "f32", "shape": [128, 128], "weight": true,
       "draw": {"kind": "normal", "a": 0.0, "b": 0.1}},
      {"name": "targets", "dtype": "i64", "shape": [64], "weight": false,
       "draw": {"kind": "integers", "low": 0, "high": 9}}],
    "scalars": [{"name": "s", "value": 3.14, "integer": false}],
    "outputs": [{"name": "y", "dtype": "f32", "shape": [], "error_max": 1e-3, "error_rms": 1e-7}],
    "variants": ["flipped", "large"], "weak": ["zeros pass", "ignoring \"x\"\n passes"],
    "flops": {"bf16": 2097152, "f32": 100}, "uncounted": ["aten._fft_r2c"]})",
                                    "level1_1");
}

TEST(KernelBench, WritesATaskThatLoads) {
  const base::TemporaryFolder folder("kernelbench-test");
  std::ofstream(folder.path() / "task.toml")
      << task_toml("level1_1", "KernelBench level1, 1_Linear", said());
  std::ofstream(folder.path() / "reference.py") << "class Model: ...";
  const auto task = task::load_task(folder.path());
  ASSERT_TRUE(task) << task::render_with_sources(task.error());
  ASSERT_EQ(task->inputs.size(), 3u);
  EXPECT_EQ(task->inputs[0].variants.size(), 2u);
  EXPECT_TRUE(task->inputs[1].variants.empty()) << "weights are drawn as they are";
  EXPECT_EQ(task->inputs[1].draw.b, 0.1);
  EXPECT_EQ(task->weak, (std::vector<std::string>{"zeros pass", "ignoring x passes"}));
  EXPECT_EQ(task->scalars.at(0).value, 3.14);
  EXPECT_EQ(task->outputs.at(0).tolerance.max, 4e-3) << "four times what torch is off";
  EXPECT_EQ(task->outputs.at(0).tolerance.rms, 2e-5);
  EXPECT_TRUE(task->reference_py);
  EXPECT_EQ(task->cases.at(0).bindings.at("x_1"), 128) << "plans can name the extents";
  EXPECT_EQ(*task->work.bytes.evaluate({}), 4 * (64 * 128 + 128 * 128 + 1) + 8 * 64);
  EXPECT_EQ(*task->work.flops.at("bf16").evaluate({}), 2097152);
  EXPECT_EQ(*task->work.flops.at("f32").evaluate({}), 100);
  EXPECT_EQ(task->work.uncounted, (std::vector<std::string>{"aten._fft_r2c"}));
}

TEST(TaskKey, ChangesWithTheProblemAndWithAnyScript) {
  const std::string key = task_key("kernelbench 1", {"source"});
  EXPECT_EQ(task_key("kernelbench 1", {"source"}), key);
  EXPECT_NE(task_key("kernelbench 1", {"other"}), key);
  EXPECT_NE(task_key("kernelbench 2", {"source"}), key);
  const base::TemporaryFolder changed("task-key"), none("task-key");
  std::filesystem::create_directories(changed.path() / "python");
  std::ofstream(changed.path() / "python" / "blocks.py") << "# another";
  base::set_resource_folder(changed.path());
  EXPECT_NE(task_key("kernelbench 1", {"source"}), key);
  base::set_resource_folder(none.path());
  EXPECT_EQ(task_key("kernelbench 1", {"source"}), key);
}

TEST(KernelBench, RefusesNamesThatAreNoNames) {
  auto hostile = said();
  hostile.tensors[0].name = "x\"\n[[case]]";
  EXPECT_THAT(said_by([&] { task_toml("level1_1", "", hostile); }),
              HasSubstr("cannot be the name"));
  hostile = said();
  hostile.flops["f32 = 1 }\n[[case]]"] = 1;
  EXPECT_THAT(said_by([&] { task_toml("level1_1", "", hostile); }),
              HasSubstr("no kind of operations"));
  hostile = said();
  hostile.uncounted = {"x\"]\n[[case]]"};
  EXPECT_THAT(task_toml("level1_1", "", hostile), HasSubstr(R"(uncounted = ["x\"] [[case]]"])"));
}

}  // namespace
}  // namespace hone::adapters
