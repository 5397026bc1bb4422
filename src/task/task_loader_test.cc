#include "task/task_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/files.h"
#include "core/precision.h"
#include "task/candidate_loader.h"
#include "task/task_parser.h"

namespace hone::task {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// The parts of a good task; tests replace one and look at what is said.
struct Parts {
  std::string head = "hone = 1\nname = \"t\"\nsummary = \"Something.\"\n";            // lines 1-3
  std::string input = "[[input]]\nname = \"x\"\ndtype = \"f32\"\nshape = [\"n\"]\n";  // lines 4-7
  std::string output =
      "[[output]]\nname = \"y\"\ndtype = \"f32\"\nshape = [\"n\"]\ntolerance = { max = 1e-5, rms = "
      "1e-6 }\n";                                                                 // lines
                                                                                  // 8-12
  std::string work = "[work]\nbytes = \"8 * n\"\nflops = { f32 = \"2 * n\" }\n";  // lines 13-15
  std::string cases = "[[case]]\nbind = { n = 64 }\n";                            // lines 16-17
  std::string text() const { return head + input + output + work + cases; }
};

// All complaints as "line:column message", one to a line.
std::string said(const Parts& parts, core::Task task = {}) {
  std::string out;
  for (const auto& d : parse_task(parts.text(), "task.toml", task))
    out += std::to_string(d.at.line) + ":" + std::to_string(d.at.column) + " " + d.message + "\n";
  return out;
}
std::string head(const std::string& text) { return said({.head = text}); }
std::string input(const std::string& lines) {
  return said({.input = "[[input]]\nname = \"x\"\n" + lines + "\n"});
}
std::string output(const std::string& lines) {
  return said({.output = "[[output]]\nname = \"y\"\nshape = [\"n\"]\n" + lines + "\n"});
}
std::string work(const std::string& text) { return said({.work = text}); }
std::string cases(const std::string& text, core::Task task = {}) {
  return said({.cases = text}, std::move(task));
}
std::string scalar(const std::string& lines) {
  return said({.cases = "[[case]]\nbind = { n = 64 }\n[[scalar]]\nname = \"s\"\n" + lines + "\n"});
}
std::string draw(const std::string& table) {
  return input("dtype = \"f32\"\nshape = [\"n\"]\ndraw = { " + table + " }");
}

TEST(Task, ReadsAGoodOne) {
  core::Task task;
  EXPECT_TRUE(parse_task(Parts().text(), "task.toml", task).empty());
  EXPECT_EQ(task.name, "t");
  EXPECT_EQ(task.inputs.at(0).draw.kind, core::DrawKind::normal);
  EXPECT_EQ(task.inputs.at(0).variants.size(), 4u);
  EXPECT_EQ(task.outputs.at(0).tolerance.max, 1e-5);
  EXPECT_EQ(task.cases.at(0).name, "n=64");
  EXPECT_TRUE(task.cases.at(0).timed);
  EXPECT_EQ(task.work.flops.size(), 1u);
}

TEST(Task, ChecksItsHead) {
  EXPECT_EQ(head("name = \"t\"\nsummary = \"s\"\n"),
            "1:1 the version of the format is missing: a task.toml starts with hone = 1\n");
  EXPECT_EQ(head("hone = 2\nname = \"t\"\nsummary = \"s\"\n"),
            "1:8 the task is of format 2, newer than this hone knows (1): update hone\n");
  EXPECT_EQ(head("hone = 1\n"),
            "1:1 there is no 'name': write name = \"...\" above the first [section]\n1:1 there is "
            "no 'summary': write summary = \"...\" above the first [section]\n");
  EXPECT_EQ(head("hone = 1\nname = \"a b\"\nsummary = \" \"\n"),
            "2:9 'a b' cannot be a task's name: it has letters, digits, - and _, 64 at most\n3:11 "
            "the summary is empty: one sentence says what is computed\n");
  EXPECT_EQ(head("hone = 1\nname = 3\nsummary = \"s\"\nsumary = 1\n"),
            "2:8 'name' must be a string, not an integer\n4:1 task.toml has no key 'sumary': did "
            "you mean 'summary'?\n");
  EXPECT_THAT(head("hone = 1\nname = t\n"), HasSubstr("2:9 this is not TOML"));
}

TEST(Task, HasAClassOfPrecisionOnlyWhereThereAreClasses) {
  Parts parts;
  core::Task torch;
  torch.reference_py = "class Model: ...";
  parts.head += "class = \"fp32\"\n";
  EXPECT_EQ(said(parts, torch), "");
  EXPECT_EQ(said(parts), "4:10 classes of precision are for problems of KernelBench's kind\n");
  parts.head = Parts().head + "class = \"fp16\"\n";
  EXPECT_EQ(said(parts, torch),
            "4:10 'class' cannot be 'fp16': it is \"fp32\", \"tf32\" or \"protocol\"\n");
}

TEST(Task, NamesTheFunctionThatIsItsReference) {
  core::Task files;
  files.reference_py = "def f(x): ...";
  files.interface = "{}";
  const auto with = [&](const std::string& lines, const core::Task& task) {
    Parts parts;
    parts.head += "[reference]\n" + lines;
    return said(parts, task);
  };
  EXPECT_EQ(with("function = \"f\"\nseconds = 3\nnumpy = true\nprecision = \"any\"\n", files), "");
  EXPECT_THAT(with("function = \"f\"\n", {}),
              HasSubstr("[reference] names a function of reference.py, and the folder has"));
  EXPECT_THAT(with("inputs = \"g\"\n", files), HasSubstr("'function'"));
  EXPECT_THAT(with("function = \"f\"\nseconds = 0\n", files),
              HasSubstr("'seconds' is the limit of a call"));
  EXPECT_THAT(with("function = \"f\"\nsecond = 3\n", files), HasSubstr("did you mean 'seconds'?"));
  EXPECT_THAT(with("function = \"f\"\nprecision = \"half\"\n", files),
              HasSubstr("'precision' cannot be 'half'"));
  core::Task bare = files;
  bare.interface.reset();
  EXPECT_THAT(with("function = \"f\"\n", bare), HasSubstr("there is no interface.json"));
  Parts drawn;
  drawn.head += "[reference]\nfunction = \"f\"\n";
  drawn.input += "draw = { kind = \"problem\" }\n";
  EXPECT_THAT(said(drawn, files), HasSubstr("'x' is drawn by reference.py itself"));
}

TEST(Task, OfAFunctionHasNoClassesOfPrecision) {
  const base::TemporaryFolder folder("task-test");
  Parts parts;
  parts.head += "[reference]\nfunction = \"f\"\nprecision = \"any\"\ndouble = false\n";
  std::ofstream(folder.path() / "task.toml") << parts.text();
  std::ofstream(folder.path() / "reference.py") << "def f(x): ...";
  std::ofstream(folder.path() / "interface.json") << "{}";
  std::ofstream(folder.path() / "seed.py") << "def f(x): ...";
  const auto task = load_task(folder.path());
  ASSERT_TRUE(task) << render_with_sources(task.error());
  ASSERT_TRUE(task->function);
  EXPECT_EQ(task->function->function, "f");
  EXPECT_EQ(task->function->seconds, 120);
  EXPECT_EQ(task->reference_form, "function");
  EXPECT_EQ(task->benchmark, "");
  EXPECT_TRUE(task->seed_py);
  EXPECT_FALSE(core::has_classes(*task));
  EXPECT_TRUE(core::any_precision(*task));
}

TEST(Task, NeedsItsSections) {
  EXPECT_EQ(said({.input = "", .work = "[work]\nbytes = 4\n"}),
            "0:0 there is no [[input]]: without one the answer would never change\n");
  EXPECT_EQ(said({.output = "", .work = "[work]\nbytes = 4\n"}),
            "0:0 there is no [[output]]: a task computes something\n");
  EXPECT_EQ(said({.cases = ""}), "0:0 there is no [[case]]: cases give the symbols their values\n");
  EXPECT_EQ(
      said({.work = ""}),
      "0:0 there is no [work]: it says how many bytes and operations any implementation needs\n");
}

TEST(Task, ChecksInputs) {
  EXPECT_EQ(input("dtype = \"f33\"\nshape = [\"n\"]"),
            "6:10 there is no dtype 'f33': it is one of f64, f32, f16, bf16, i64, i32, i8 or u8\n");
  EXPECT_EQ(input("dtype = \"f32\"\nshape = []"),
            "7:9 'shape' has 0 expressions; it takes 1 to 8\n");
  EXPECT_EQ(input("dtype = \"f32\"\nshape = [\"n *\"]"),
            "7:14 shape: the expression ends where a value was expected\n");
  EXPECT_EQ(input("dtype = \"f32\"\nshape = [\"m + n\"]"),
            "7:11 shape: no case binds the symbol 'm'\n");
  EXPECT_EQ(
      input("dtype = \"f32\"\nshpe = [\"n\"]"),
      "4:1 [[input]] has no 'shape'\n7:1 [[input]] has no key 'shpe': did you mean 'shape'?\n");
  EXPECT_EQ(input("dtype = \"i32\"\nshape = [\"n\"]"),
            "4:1 an integer input needs draw = { kind = \"integers\", low = 0, high = 9 }\n");
  EXPECT_EQ(said({.input = "[[input]]\nname = \"sm_count\"\ndtype = \"f32\"\nshape = [\"n\"]\n"}),
            "5:9 'sm_count' is a fact of the device and cannot be a name\n");
}

TEST(Task, ChecksDraws) {
  EXPECT_EQ(draw("kind = \"normal\", mean = 1, std = 2.5"), "");
  EXPECT_EQ(draw("kind = \"norml\""),
            "8:18 'kind' cannot be 'norml': it is \"normal\", \"uniform\", \"integers\", "
            "\"ends\" or \"problem\"\n");
  EXPECT_EQ(draw("kind = \"normal\", std = 0"), "8:27 the deviation 'std' must be more than 0\n");
  EXPECT_EQ(draw("kind = \"normal\", std = inf"), "8:33 'std' must be finite\n");
  EXPECT_EQ(draw("kind = \"normal\", low = 0"), "8:27 draw has no key 'low'\n");
  EXPECT_EQ(draw("kind = \"uniform\", low = 2, high = 1"),
            "8:28 'low' (2) must be less than 'high' (1)\n");
  EXPECT_EQ(draw("kind = \"problem\", why = \"it is symmetric\""), "");
  EXPECT_EQ(draw("kind = \"problem\", low = 0"), "8:28 draw has no key 'low'\n");
  EXPECT_EQ(draw("kind = \"integers\", low = 0"), "8:8 draw has no 'high'\n");
  EXPECT_EQ(draw("mean = 0"), "8:8 draw has no 'kind'\n");
  EXPECT_EQ(draw("kind = \"normal\", variants = []"),
            "8:27 'variants' stands in [[input]], beside draw\n");
  const std::string integer = "dtype = \"u8\"\nshape = [\"4 * n\"]\ndraw = ";
  EXPECT_EQ(input(integer + "{ kind = \"normal\" }"),
            "8:18 an integer input is drawn with kind = \"integers\" or \"ends\"\n");
  EXPECT_EQ(input(integer + "{ kind = \"integers\", low = 0, high = \"n * 4\" }"),
            "8:46 'high' is 256 in case 'n=64', which does not fit in u8\n");
  EXPECT_EQ(input(integer + "{ kind = \"integers\", low = \"n\", high = 1 }"),
            "8:36 'low' is 64 and 'high' 1 in case 'n=64'\n");
  EXPECT_EQ(input(integer + "{ kind = \"integers\", low = 0, high = \"n - 1\" }"), "");
}

TEST(Task, ChecksEndsOfRanges) {
  const std::string ends = "dtype = \"i64\"\nshape = [\"n\"]\ndraw = ";
  EXPECT_EQ(input(ends + "{ kind = \"ends\", total = \"4 * n\", skew = 3, empty = 2 }"), "");
  EXPECT_EQ(input(ends + "{ kind = \"ends\" }"), "8:8 draw has no 'total'\n");
  EXPECT_EQ(input(ends + "{ kind = \"ends\", total = \"n\", skew = -1 }"),
            "8:45 'skew' is -1 in case 'n=64'; it is at least 0\n");
  EXPECT_EQ(input(ends + "{ kind = \"ends\", total = \"m\" }"),
            "8:34 total: no case binds the symbol 'm'\n");
  EXPECT_EQ(draw("kind = \"ends\", total = 3"),
            "8:18 kind = \"ends\" is for inputs of dtype i32 or i64\n");
}

TEST(Task, ChecksVariants) {
  const std::string start = "dtype = \"f32\"\nshape = [\"n\"]\nvariants = ";
  EXPECT_EQ(input(start + "[]"), "");
  EXPECT_EQ(input(start + "[\"heavy\", \"huge\", \"heavy\"]"),
            "8:23 'variants' cannot be 'huge': it is \"shifted\", \"flipped\", \"heavy\" or "
            "\"large\"\n8:31 the variant 'heavy' stands twice\n");
  EXPECT_EQ(input("dtype = \"u8\"\nshape = [\"4 * n\"]\nvariants = [\"heavy\"]\ndraw = { kind = "
                  "\"integers\", low = 0, high = 1 }"),
            "8:12 an integer input has no variants\n");
}

TEST(Task, ChecksTolerances) {
  EXPECT_EQ(output("dtype = \"f32\""),
            "8:1 a floating-point [[output]] needs tolerance = { max = 2e-5, rms = 2e-6 }\n");
  EXPECT_EQ(output("dtype = \"i32\""), "");
  EXPECT_EQ(output("dtype = \"f32\"\ntolerance = { max = 0, rms = 0 }"), "");
  EXPECT_EQ(output("dtype = \"f32\"\ntolerance = { max = 1.5, rms = -1 }"),
            "12:21 'max' is 1.5; a tolerance is at least 0 and less than 1, where anything would "
            "pass\n12:32 'rms' is -1; a tolerance is at least 0 and less than 1, where anything "
            "would pass\n");
  EXPECT_EQ(output("dtype = \"f32\"\ntolerance = { max = 1e-5 }"),
            "12:13 tolerance has no 'rms'\n");
  EXPECT_EQ(output("dtype = \"f32\"\ntolerance = 1e-5"),
            "12:13 'tolerance' must be a table, not a number with a fraction\n");
  EXPECT_EQ(output("dtype = \"f32\"\ntolerance = { max = 1e-5, rms = 1e-4 }"),
            "12:27 'rms' (0.0001) bounds nothing when it is more than 'max' (1e-05)\n");
}

TEST(Task, ChecksScalars) {
  EXPECT_EQ(scalar("dtype = \"f32\"\nvalue = 1"), "");
  EXPECT_EQ(scalar("dtype = \"u32\"\nvalue = \"n * n\""), "");
  EXPECT_EQ(scalar("dtype = \"i8\"\nvalue = \"n * 2\""),
            "21:10 'value' is 128 in case 'n=64', which does not fit in i8\n");
  EXPECT_EQ(scalar("dtype = \"f16\"\nvalue = 1e6"), "21:9 1000000 does not fit in f16\n");
  EXPECT_EQ(scalar("dtype = \"f32\"\nvalue = \"n\""),
            "21:9 'value' must be a number, not a string\n");
  EXPECT_EQ(scalar("dtype = \"i32\"\nvalue = 1.5"),
            "21:9 'value' must be an expression (a string or an integer), not a number with a "
            "fraction\n");
  EXPECT_EQ(scalar("dtype = \"i32\"\nvalue = \"k\""),
            "21:10 value: no case binds the symbol 'k'\n");
  EXPECT_EQ(scalar("dtype = \"f32\""), "18:1 [[scalar]] has no 'value'\n");
}

TEST(Task, ChecksCases) {
  const std::string good = "[[case]]\nbind = { n = 64 }\n";
  EXPECT_EQ(
      cases(good +
            "[[case]]\nuse = \"check\"\nbind = { n = 63 }\ndevice = \"gpu\"\nname = \"odd\"\n"),
      "");
  EXPECT_EQ(cases("[[case]]\nname = \"a\"\n"), "16:1 [[case]] has no 'bind'\n");
  EXPECT_EQ(cases("[[case]]\nbind = { n = 1.5 }\n"),
            "17:14 'n' must be an integer, not a number with a fraction\n");
  EXPECT_EQ(cases("[[case]]\nbind = {}\n"), "17:8 'bind' has 0 symbols; it takes 1 to 512\n");
  EXPECT_EQ(cases(good + "[[case]]\nbind = { m = 64 }\n"),
            "19:8 this case does not bind 'n', which the first case does\n19:8 this case binds "
            "'m', which the first case does not\n");
  EXPECT_EQ(cases(good + "[[case]]\nbind = { n = 64 }\ndevice = \"gpu\"\n"),
            "19:8 the case in line 17 has the same bindings for the same device\n");
  EXPECT_EQ(cases(good + "name = \"a\"\n[[case]]\nbind = { n = 3 }\nname = \"a\"\n"),
            "21:9 the case in line 17 has the same name\n");
  EXPECT_EQ(
      cases(good + "device = \"tpu\"\n[[case]]\nbind = { n = 3 }\nuse = \"time\"\nname = \"a/b\""),
      "18:11 'device' cannot be 'tpu': it is \"cpu\", \"gpu\", \"cuda\" or \"opencl\"\n"
      "21:8 'use' cannot be 'time': it is \"check\"\n"
      "22:9 'a/b' cannot be a case's name: it has letters, digits, - and _, 64 at most\n");
  EXPECT_EQ(cases(good + "use = \"check\"\n"),
            "17:8 every case is for checking only: at least one must be timed\n");
  EXPECT_EQ(cases("[[case]]\nbind = { n = 64, x = 1 }\n[[case]]\nbind = { n = 65, x = 1 }\n"),
            "17:18 'x' is already the name of a tensor or scalar\n");
  EXPECT_EQ(cases("[[case]]\nbind = { n = 64, max = 1 }\n"),
            "17:18 'max' is a word of expressions and cannot be a name\n");
}

TEST(Task, NamesCasesByTheirBindingsInTheOrderWritten) {
  core::Task task;
  const Parts parts{.cases =
                        "[[case]]\nbind = { n = 64, a = 2 }\ndevice = \"cpu\"\n[[case]]\nbind = { "
                        "n = 64, a = 2 }\ndevice = \"gpu\"\n[[case]]\nbind = { n = 1, a = 2 }\n"};
  EXPECT_TRUE(parse_task(parts.text(), "task.toml", task).empty());
  EXPECT_EQ(task.cases[0].name, "n=64,a=2@cpu");
  EXPECT_EQ(task.cases[1].name, "n=64,a=2@gpu");
  EXPECT_EQ(task.cases[2].name, "n=1,a=2");
}

TEST(Task, ChecksTheSizesOfEveryCase) {
  EXPECT_EQ(cases("[[case]]\nbind = { n = 0 }\n"),
            "7:11 shape: 'n' is 0 in case 'n=0'; a dimension is at least 1\n11:11 shape: 'n' is 0 "
            "in case 'n=0'; a dimension is at least 1\n14:10 bytes: '8 * n' is 0 in case 'n=0'; "
            "some must move\n");
  EXPECT_EQ(cases("[[case]]\nbind = { n = 1000000000000 }\n"),
            "17:8 the tensors of case 'n=1000000000000' have 7.28 TiB; 1 TiB is the most a case "
            "may have\n");
  EXPECT_THAT(
      cases("[[case]]\nbind = { n = 9223372036854775807 }\n"),
      HasSubstr("7:11 shape: 'x' has more than 2^63 bytes in case 'n=9223372036854775807'"));
  EXPECT_EQ(
      said({.input = "[[input]]\nname = \"x\"\ndtype = \"f32\"\nshape = [\"n / (n - n)\"]\n"}),
      "7:13 shape: division by zero in case 'n=64'\n");
}

TEST(Task, ChecksItsWork) {
  EXPECT_EQ(work("[work]\nbytes = \"8 * n\"\n"), "");
  EXPECT_EQ(work("[work]\nflops = {}\n"), "13:1 [work] has no 'bytes'\n");
  EXPECT_EQ(work("[work]\nbytes = \"8 * k\"\nflops = { fp32 = 1 }\n"),
            "14:14 bytes: no case binds the symbol 'k'\n15:11 flops has no key 'fp32': did you "
            "mean 'f32'?\n");
  EXPECT_EQ(work("[work]\nbytes = \"12 * n\"\n"),
            "14:10 bytes: in case 'n=64' this says that at least 768 bytes must move, but all "
            "inputs and outputs together are 512 bytes\n");
  EXPECT_EQ(work("[work]\nbytes = \"8 * n\"\nuncounted = [1]\n"),
            "15:14 'uncounted' must be a string, not an integer\n");
  EXPECT_EQ(work("[work]\nbytes = \"8 * n\"\nflops = { f32 = \"n - 100\" }\n"),
            "15:18 flops: 'n - 100' is -36 in case 'n=64'\n");
  EXPECT_EQ(work("[work]\nbytes = \"8 * n\"\nflops = { f32 = \"n / (n - 64)\" }\n"),
            "15:20 flops: division by zero in case 'n=64'\n");
}

TEST(Task, ChecksThatDeviceReferencesAreThereAndChecked) {
  const std::string gpu =
      "[[case]]\nbind = { n = 64 }\n[[case]]\nbind = { n = 128 }\nreference = \"device\"\ndevice "
      "= ";
  core::Task cuda, both;
  cuda.reference_cu = both.reference_cu = both.reference_cl = "kernel";
  EXPECT_EQ(cases(gpu + "\"gpu\"\n", cuda), "");
  EXPECT_EQ(cases(gpu + "\"gpu\"\n"),
            "20:1 this case needs reference.cu or reference.cl, and neither is there\n");
  EXPECT_EQ(cases(gpu + "\"cuda\"\n"), "20:1 this case needs reference.cu, which is not there\n");
  EXPECT_EQ(cases(gpu + "\"cpu\"\n", cuda),
            "20:1 this case needs reference.cl, which is not there\n");
  const std::string everywhere = "[[case]]\nbind = { n = 128 }\nreference = \"device\"\n";
  EXPECT_EQ(cases("[[case]]\nbind = { n = 64 }\n" + everywhere, cuda),
            "20:1 this case is for every device and needs reference.cl as well: write it, or give "
            "the case a device\n");
  EXPECT_EQ(cases(everywhere, both),
            "18:1 nothing would check the device reference: no case for this device has its values "
            "from reference.cc\n");
  EXPECT_EQ(cases("[[case]]\nbind = { n = 64 }\nreference = \"cc\"\n"),
            "18:14 'reference' cannot be 'cc': it is \"device\"\n");
}

TEST(Task, RejectsTheSameNameTwice) {
  EXPECT_EQ(output("dtype = \"i32\"\n[[output]]\nname = \"x\"\ndtype = \"i32\"\nshape = [1]"),
            "13:9 the name 'x' stands twice: inputs, outputs and scalars share their names\n");
}

TEST(Task, SaysWhatIsStillToBeFilledIn) {
  EXPECT_EQ(said({.input = "[[input]]\nname = \"x\"\ndtype = \"?\"\nshape = [\"?\"]\n",
                  .cases = "[[case]]\nbind = { n = \"?\" }\n"}),
            "6:9 'dtype' is still to be filled in\n7:10 'shape' is still to be filled in\n17:14 "
            "'n' is still to be filled in\n");
  EXPECT_EQ(output("dtype = \"f32\"\ntolerance = { max = \"?\", rms = \"?\" }"),
            "12:21 'max' is still to be filled in\n12:32 'rms' is still to be filled in\n");
  EXPECT_EQ(work("[work]\nbytes = \"?\"\nflops = { f32 = \"?\" }\n"),
            "14:9 'bytes' is still to be filled in\n15:17 'f32' is still to be filled in\n");
}

class TaskFolder : public testing::Test {
 protected:
  TaskFolder() {
    fs::create_directory(folder_.path() / "softmax");
    write("task.toml", Parts().text());
    write("reference.cc", "#include <hone/reference.h>\nHONE_REFERENCE(call) {}\n");
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(task() / name, std::ios::binary) << text;
  }
  fs::path task() const { return folder_.path() / "softmax"; }
  // The complaints without the folder's name.
  std::string said(const Diagnostics& diagnostics) const {
    std::string out;
    for (auto d : diagnostics) {
      d.file = fs::path(d.file).filename().string();
      out += base::render(d, "") + "\n";
    }
    return out;
  }
  std::string load(const fs::path& path) const {
    const auto loaded = load_task(path);
    return loaded ? "" : said(loaded.error());
  }
  base::TemporaryFolder folder_{"hone-task-test"};
};

TEST_F(TaskFolder, IsFoundByItsFolderOrItsFile) {
  EXPECT_EQ(load(task()), "");
  EXPECT_EQ(load(task() / "task.toml"), "");
  EXPECT_EQ(load(task() / ""), "");
}

TEST_F(TaskFolder, NamesNearOnesWhereThereIsNone) {
  EXPECT_EQ(load(folder_.path() / "sofmax"),
            "sofmax: there is no such task: did you mean 'softmax'?\n");
  EXPECT_EQ(load(folder_.path() / "matmul"), "matmul: there is no such task (here are: softmax)\n");
  fs::create_directory(folder_.path() / "empty");
  EXPECT_THAT(load(folder_.path() / "empty"),
              HasSubstr("task.toml: the folder has no task.toml, so it is no task"));
}

TEST_F(TaskFolder, HashesWhatDecidesAVerdict) {
  const auto hash = [&] { return load_task(task())->hash; };
  const auto before = hash();
  write("seed.cl", "/* hone 1\n*/");
  EXPECT_EQ(hash(), before);
  write("reference.cl", "anything");
  const auto with_device = hash();
  EXPECT_NE(with_device, before);
  write("reference.cc", "#include <hone/reference.h>\nHONE_REFERENCE(call) { }\n");
  EXPECT_NE(hash(), with_device);
}

TEST_F(TaskFolder, NeedsAReference) {
  fs::remove(task() / "reference.cc");
  EXPECT_THAT(load(task()), HasSubstr("reference.cc: the reference is missing"));
  write("reference.cc", "");
  EXPECT_EQ(load(task()), "reference.cc: the file is empty\n");
  write("reference.cc", "int main() {}");
  EXPECT_THAT(load(task()), HasSubstr("there is no HONE_REFERENCE(call)"));
}

TEST_F(TaskFolder, SaysEverythingAtOnce) {
  Parts parts;
  parts.head = "hone = 1\nname = \"t\"\n";
  write("task.toml", parts.text());
  write("reference.cc", "");
  write("seed.cl", "void");
  EXPECT_EQ(
      said(check_task(task())),
      "task.toml:1:1: there is no 'summary': write summary = \"...\" above the first [section]\n"
      "reference.cc: the file is empty\n"
      "seed.cl:1:1: there is no launch plan: a candidate opens with a comment whose first line is "
      "\"/* hone 1\" and which holds its launch plan (docs/formats.md)\n");
}

TEST_F(TaskFolder, ChecksSeedsAgainstTheTask) {
  write("seed.cl",
        "/* hone 1\n[[launch]]\nkernel = \"k\"\ngrid = [\"m\"]\nblock = [1]\nargs = [\"x\", "
        "\"y\"]\n*/");
  write("seed.cu",
        "/* hone 1\n[[launch]]\nkernel = \"k\"\ngrid = [\"n\"]\nblock = [1]\nargs = [\"x\"]\n*/");
  EXPECT_EQ(said(check_task(task())),
            "seed.cu:2:1: the output 'y' is never an argument: no launch can write "
            "it\nseed.cl:4:10: there is no symbol 'm'\n");
  EXPECT_EQ(load(task()), "");  // a broken seed does not stop others from being judged
}

TEST_F(TaskFolder, MayNotBeHuge) {
  fs::resize_file(task() / "task.toml", 50'000'000);
  EXPECT_EQ(load(task()),
            "task.toml: the file has 50 MB; 262 kB is the most that is read: is this a source?\n");
}

}  // namespace
}  // namespace hone::task
