#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task/plan_parser.h"

namespace hone::task {
namespace {

using testing::HasSubstr;

core::Task softmax() {
  core::Task task;
  task.name = "softmax";
  task.inputs.push_back(
      {"x", core::DType::f32, {*base::Expr::parse("rows"), *base::Expr::parse("cols")}, {}, {}});
  task.outputs.push_back(
      {"y", core::DType::f32, {*base::Expr::parse("rows"), *base::Expr::parse("cols")}, {}});
  task.scalars.push_back({"eps", core::DType::f32, 1e-5, std::nullopt});
  task.scalars.push_back({"total", core::DType::i64, 0, *base::Expr::parse("rows * cols")});
  task.cases.push_back({"small", {{"rows", 4}, {"cols", 8}}, true, "", false});
  return task;
}

struct Checked {
  core::Plan plan;
  std::string said;  // "line:column message", one to a line
};

Checked check(const std::string& body, core::Language language = core::Language::cuda) {
  auto plan = parse_plan("/* hone 1\n" + body + "\n*/", "k.cu", language);
  if (!plan) return {{}, base::render(plan.error(), "")};
  Checked out{std::move(*plan), ""};
  for (const auto& d : check_plan(out.plan, softmax(), "k.cu"))
    out.said +=
        std::to_string(d.at.line) + ":" + std::to_string(d.at.column) + " " + d.message + "\n";
  return out;
}

// A plan with one launch whose lines stand from line 3 on.
std::string said_of_launch(const std::string& lines) {
  return check("[[launch]]\nkernel = \"k\"\n" + lines).said;
}
const std::string rest = "\ngrid = [1]\nblock = [1]\nargs = [\"x\", \"y\"]";

TEST(PlanCheck, DecidesWhatEachArgumentIs) {
  const auto [plan, said] = check(
      "[[launch]]\nkernel = \"k\"\ngrid = [\"sm_count\"]\nblock = [1]\nargs = [\"x\", \" y \", "
      "\"eps\", \"total\", \"rows\", \"total + 1\", \"u8:rows\"]");
  ASSERT_EQ(said, "");
  const auto& args = plan.launches[0].args;
  EXPECT_EQ(std::get<core::BufferArg>(args[0].value).name, "x");
  EXPECT_EQ(std::get<core::BufferArg>(args[1].value).name, "y");
  EXPECT_EQ(std::get<core::ScalarArg>(args[2].value).name, "eps");
  EXPECT_EQ(std::get<core::ScalarArg>(args[3].value).name, "total");
  EXPECT_TRUE(std::holds_alternative<core::IntegerArg>(args[4].value));
  EXPECT_TRUE(std::holds_alternative<core::IntegerArg>(args[5].value));
  EXPECT_TRUE(std::holds_alternative<core::TypedIntegerArg>(args[6].value));
}

TEST(PlanCheck, GivesThePlanThatResolveUnderstands) {
  auto [plan, said] = check(
      "[[launch]]\nkernel = \"k\"\ngrid = [\"rows\"]\nblock = [32]\nargs = [\"x\", \"y\", \"eps\", "
      "\"total\", \"cols\"]");
  const auto task = softmax();
  const auto resolved =
      core::resolve(plan, task, task.cases[0], {}, core::device_symbols(1, 32, 0, 0, 1024));
  ASSERT_TRUE(resolved.ok());
  EXPECT_EQ(resolved->launches[0].args[1].index, 1);
  EXPECT_EQ(core::load_as_integer(core::DType::i64, resolved->launches[0].args[3].bits.data()), 32);
  EXPECT_EQ(resolved->launches[0].args[4].integer, 8);
}

TEST(PlanCheck, PointsAtAnUnknownSymbol) {
  EXPECT_EQ(said_of_launch("grid = [\"rows * colz\"]\nblock = [1]\nargs = [\"x\", \"y\"]"),
            "4:17 there is no symbol 'colz': did you mean 'cols'?\n");
  EXPECT_EQ(said_of_launch("when = \"bogus > 1\"" + rest), "4:9 there is no symbol 'bogus'\n");
  EXPECT_EQ(said_of_launch("shared = \"4 * warp_sise\"" + rest),
            "4:15 there is no symbol 'warp_sise': did you mean 'warp_size'?\n");
  EXPECT_EQ(said_of_launch("cluster = [\"a\"]" + rest), "4:13 there is no symbol 'a'\n");
  EXPECT_EQ(said_of_launch("grid = [1]\nblock = [1]\nargs = [\"x\", \"y\", \"i64:rows * n\"]"),
            "6:31 there is no symbol 'n'\n");
  EXPECT_EQ(said_of_launch("grid = [1]\nblock = [1]\nargs = [\"x\", \"y\", \"epss\"]"),
            "6:20 there is no tensor, scalar or symbol 'epss': did you mean 'eps'?\n");
  EXPECT_EQ(check("[[scratch]]\nname = \"s\"\ndtype = \"f32\"\nshape = "
                  "[\"row\"]\n[[launch]]\nkernel = \"k\"" +
                  rest)
                .said,
            "5:11 there is no symbol 'row': did you mean 'rows'?\n");
}

TEST(PlanCheck, ReportsEverySymbolAtOnce) {
  EXPECT_EQ(
      said_of_launch("grid = [\"a\", \"b\"]\nblock = [\"c\"]\nargs = [\"x\", \"y\"]"),
      "4:10 there is no symbol 'a'\n4:15 there is no symbol 'b'\n5:11 there is no symbol 'c'\n");
}

TEST(PlanCheck, KeepsBuffersAndFloatsOutOfExpressions) {
  EXPECT_EQ(
      said_of_launch("grid = [1]\nblock = [1]\nargs = [\"x\", \"y\", \"x + 1\", \"2 * eps\"]"),
      "6:20 'x' is a tensor of the task; expressions are over integers\n6:33 'eps' is a scalar of "
      "the task; expressions are over integers\n");
}

TEST(PlanCheck, OffersIterationOnlyWithRepeat) {
  EXPECT_EQ(said_of_launch("repeat = 3\ngrid = [\"iteration + 1\"]\nblock = [1]\nargs = [\"x\", "
                           "\"y\", \"iteration\"]"),
            "");
  EXPECT_EQ(said_of_launch("grid = [\"iteration + 1\"]\nblock = [1]\nargs = [\"x\", \"y\"]"),
            "4:10 'iteration' is there only in `grid` and `args` of a launch with `repeat`\n");
  EXPECT_EQ(
      said_of_launch("repeat = 3\ngrid = [1]\nblock = [\"iteration\"]\nargs = [\"x\", \"y\"]"),
      "6:11 'iteration' is there only in `grid` and `args` of a launch with `repeat`\n");
}

TEST(PlanCheck, LimitsWhereToTunablesAndDeviceFacts) {
  const std::string launch = "[[launch]]\nkernel = \"k\"" + rest;
  EXPECT_EQ(
      check("where = [\"B <= max_threads\"]\n[tune]\nB = { values = [1], default = 1 }\n" + launch)
          .said,
      "");
  EXPECT_EQ(check("where = [\"rows > 1\"]\n" + launch).said,
            "2:11 `where` is over tunables and device facts, and 'rows' is a symbol of the task's "
            "cases: use `when` in a launch\n");
  EXPECT_EQ(
      check("where = [\"1 < BLOK\"]\n[tune]\nBLOCK = { values = [1], default = 1 }\n" + launch)
          .said,
      "2:15 there is no symbol 'BLOK': did you mean 'BLOCK'?\n");
}

TEST(PlanCheck, WantsEveryOutputAmongTheArguments) {
  EXPECT_EQ(said_of_launch("grid = [1]\nblock = [1]\nargs = [\"x\"]"),
            "2:1 the output 'y' is never an argument: no launch can write it\n");
  EXPECT_EQ(check("[[tensormap]]\nname = \"m\"\ntensor = \"y\"\nbox = [1, 1]\n[[launch]]\nkernel = "
                  "\"k\"\ngrid = [1]\nblock = [1]\nargs = [\"m\"]")
                .said,
            "");
}

TEST(PlanCheck, RejectsNamesTheTaskHas) {
  const std::string launch = "[[launch]]\nkernel = \"k\"" + rest;
  EXPECT_EQ(
      check("[tune]\nrows = { values = [1], default = 1 }\n" + launch).said,
      "3:1 'rows' is already the name of a symbol of the task's cases: rename the plan's own\n");
  EXPECT_EQ(check("[[scratch]]\nname = \"x\"\ndtype = \"f32\"\nshape = [1]\n" + launch).said,
            "3:1 'x' is already the name of a tensor of the task: rename the plan's own\n");
}

TEST(PlanCheck, ChecksTheTensorOfAMap) {
  const std::string launch = "[[launch]]\nkernel = \"k\"" + rest;
  EXPECT_EQ(check("[[tensormap]]\nname = \"m\"\ntensor = \"z\"\nbox = [1]\n" + launch).said,
            "3:1 the tensor map 'm' is of 'z', which is no input, output or scratch buffer\n");
  EXPECT_EQ(check("[[tensormap]]\nname = \"m\"\ntensor = \"x\"\nbox = [1]\n" + launch).said,
            "5:8 'box' has 1 dimensions, but 'x' has 2: give the tensor map a `shape`\n");
  EXPECT_EQ(
      check("[[tensormap]]\nname = \"m\"\ntensor = \"x\"\nshape = [\"rows * cols\"]\nbox = [1]\n" +
            launch)
          .said,
      "");
}

}  // namespace
}  // namespace hone::task
