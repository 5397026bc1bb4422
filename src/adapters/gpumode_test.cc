#include "adapters/gpumode.h"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>

#include "base/error.h"
#include "base/files.h"
#include "base/json_probe.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::adapters {
namespace {

using base::JsonProbe;
using testing::ElementsAre;
using testing::HasSubstr;

std::string said_by(const std::function<void()>& work) {
  try {
    work();
  } catch (const base::Error& error) {
    return error.what();
  }
  return "";
}

TaskYml problem() {
  TaskYml yml;
  yml.name = "blend-py";
  yml.summary = "Blends \"two\" things.";
  yml.files = {{"reference.py", "def ref_kernel(data): ..."},
               {"task.py", "x = 1"},
               {"eval.py", "secret = 1"}};
  const base::RawJson yes{"\"True\""}, no{"\"False\""}, one{"1"};
  yml.tests = {{{"size", {"3"}}, {"flag", yes}, {"seed", one}},
               {{"size", {"3"}}, {"flag", no}, {"extra", one}, {"seed", one}}};
  yml.benchmarks = {{{"size", {"64"}}, {"flag", yes}, {"seed", {"2"}}}};
  yml.ranking = "geom";
  return yml;
}

// An input of two tensors, the second by columns, a dict with an integer, a truth value and a
// number, and a buffer.
DescribedProblem said() {
  return described<DescribedProblem>(R"({
    "torch": "2.11", "unique": true, "double": true, "noise": 1e-4, "variants": ["flipped", "large"], "notes": ["said"],
    "independent": ["in_0"], "numbers": {"in_2_eps": 0.1}, "buffers": {"in_3": "y"},
    "input": {"tuple": [{"tensor": "in_0"}, {"tensor": "in_1"},
                        {"dict": [["keep", {"scalar": "in_2_keep"}], ["on", {"flag": "in_2_on"}],
                                  ["eps", {"scalar": "in_2_eps"}], ["none", {"value": null}]]},
                        {"tensor": "in_3"}]},
    "output": {"tensor": "y"},
    "inputs": [{"name": "in_0", "dtype": "f32", "type": "", "order": [0, 1]},
               {"name": "in_1", "dtype": "u8", "type": "bool", "order": [1, 0]},
               {"name": "in_3", "dtype": "f32", "type": "", "order": [0]}],
    "outputs": [{"name": "y", "dtype": "f32", "type": "", "order": [], "error_max": 1e-3, "error_rms": 1e-7}],
    "cases": [
      {"name": "test-0", "inputs": {"in_0": [3, 4], "in_1": [4, 3], "in_3": [1]}, "outputs": {"y": []},
       "integers": {"in_2_keep": 2, "in_2_on": 1}, "flops": {}, "uncounted": []},
      {"name": "test-1", "inputs": {"in_0": [3, 4], "in_1": [4, 3], "in_3": [1]}, "outputs": {"y": []},
       "integers": {"in_2_keep": 2, "in_2_on": 1}, "flops": {}, "uncounted": []},
      {"name": "benchmark-0", "inputs": {"in_0": [64, 4], "in_1": [4, 64], "in_3": [1]}, "outputs": {"y": []},
       "integers": {"in_2_keep": 5, "in_2_on": 1}, "flops": {}, "uncounted": []}]})",
                                     "blend");
}

TEST(GpuMode, AProblemIsNamedByItsFolder) {
  EXPECT_EQ(gpumode_folder("gpumode:a/b_py"), "a/b_py");
  EXPECT_FALSE(gpumode_folder("examples/softmax"));
  EXPECT_THAT(said_by([] { gpumode_folder("gpumode:"); }), HasSubstr("folder of a problem"));
}

class MadeTask : public testing::Test {
 protected:
  void SetUp() override {
    write("task.toml", gpumode_toml(problem(), said()));
    const auto known = said();
    write("problem.json", gpumode_problem(problem(), &known));
    write("interface.json", gpumode_interface(problem(), said()));
    write("reference.py", problem().files.at("reference.py"));
  }
  void write(const char* name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
  }
  base::TemporaryFolder folder_{"gpumode-test"};
};

TEST_F(MadeTask, Loads) {
  const auto task = task::load_task(folder_.path());
  ASSERT_TRUE(task) << task::render_with_sources(task.error());
  ASSERT_EQ(task->inputs.size(), 2u) << "a tensor that is there to be written is no input";
  EXPECT_EQ(task->inputs[0].draw.kind, core::DrawKind::problem);
  EXPECT_TRUE(task->inputs[0].draw.independent);
  EXPECT_EQ(task->inputs[0].variants.size(), 2u);
  EXPECT_FALSE(task->inputs[1].draw.independent);
  EXPECT_TRUE(task->inputs[1].variants.empty());
  EXPECT_EQ(task->inputs[1].shape.at(0).text(), "in_1_1") << "as it lies in memory";
  EXPECT_EQ(task->outputs.at(0).tolerance.max, 4e-3) << "four times what the reference is off";
  EXPECT_EQ(task->scalars.at(0).value, 0.1);
  ASSERT_EQ(task->cases.size(), 3u) << "cases of the same sizes are different ones";
  EXPECT_FALSE(task->cases[1].timed);
  EXPECT_TRUE(task->cases[2].timed);
  EXPECT_EQ(task->cases[2].bindings.at("in_0_0"), 64);
  EXPECT_EQ(task->cases[2].bindings.at("in_2_keep"), 5);
  EXPECT_EQ(task->cases[2].bindings.at("size"), 64) << "arguments of generate_input";
  EXPECT_FALSE(task->cases[2].bindings.contains("seed"));
  EXPECT_FALSE(task->cases[1].bindings.contains("extra")) << "which other cases do not have";
  EXPECT_EQ(*task->work.bytes.evaluate(task->cases[2].bindings), 4 * 64 * 4 + 64 * 4 + 4);
  ASSERT_TRUE(task->own_check);
  EXPECT_EQ(task->own_check->ranking, "geom");
  EXPECT_THAT(task->own_check->notes, ElementsAre("said"));
}

TEST_F(MadeTask, IsAnotherOneWithAnotherProblem) {
  const auto before = task::load_task(folder_.path());
  auto changed = problem();
  changed.files["task.py"] = "x = 2";
  const auto known = said();
  write("problem.json", gpumode_problem(changed, &known));
  const auto after = task::load_task(folder_.path());
  ASSERT_TRUE(before && after);
  EXPECT_NE(before->hash, after->hash);
}

TEST_F(MadeTask, IsRefusedWhereItsProblemIsBroken) {
  for (const char* broken : {"", "[]", "{\"unique\": 3}", "{"}) {
    write("problem.json", broken);
    const auto task = task::load_task(folder_.path());
    ASSERT_FALSE(task) << broken;
    EXPECT_THAT(task::render_with_sources(task.error()), HasSubstr("problem.json"));
  }
}

TEST(GpuMode, ACandidateIsHandedWhatItMayImportAndTheInputInItsOwnForm) {
  const JsonProbe interface(gpumode_interface(problem(), said()));
  EXPECT_EQ(interface["entry"], "custom_kernel");
  EXPECT_EQ(interface["files"].size(), 1u) << "not reference.py, not eval.py";
  const auto input = interface["arguments"][0]["tuple"];
  EXPECT_EQ(input[3].dump(), R"({"buffer":"in_3"})");
  EXPECT_EQ(input[2].dump(),
            R"({"dict":[["keep",{"scalar":"in_2_keep"}],["on",{"flag":"in_2_on"}],)"
            R"(["eps",{"scalar":"in_2_eps"}],["none",{"value":null}]]})");
  EXPECT_EQ(interface["sequence"], false);
  EXPECT_EQ(interface["orders"].dump(), R"({"in_1":[1,0]})");
  EXPECT_EQ(interface["bools"].dump(), R"(["in_1"])");
  EXPECT_EQ(interface["shapes"].dump(), R"({"y":[]})");
  EXPECT_EQ(interface["buffers"]["in_3"].dump(),
            R"({"dtype":"f32","name":"in_3","of":"y","order":[0],"type":""})");
}

TEST(GpuMode, RefusesNamesThatAreNoNames) {
  for (const char* name : {"x\"\n[[case]]", "for", "", "a b"}) {
    auto hostile = said();
    hostile.inputs[0].name = name;
    EXPECT_NE(said_by([&] { gpumode_toml(problem(), hostile); }), "") << name;
  }
}

}  // namespace
}  // namespace hone::adapters
