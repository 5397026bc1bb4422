#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task/plan_parser.h"

namespace hone::task {
namespace {

using testing::HasSubstr;

core::Task linear() {
  core::Task task;
  task.name = "linear";
  task.inputs.push_back(
      {"x", core::DType::f32, {*base::Expr::parse("rows"), *base::Expr::parse("cols")}, {}, {}});
  task.inputs.push_back({"w", core::DType::f32, {8, *base::Expr::parse("cols")}, {}, {}});
  task.outputs.push_back({"y", core::DType::f32, {*base::Expr::parse("rows"), 8}, {}});
  task.scalars.push_back({"eps", core::DType::f32, 1e-5, std::nullopt});
  task.cases.push_back({"small", {{"rows", 4}, {"cols", 6}}, true, "", false});
  return task;
}

struct Read {
  core::Plan plan;
  std::string said;
};

Read read(const std::string& body) {
  auto plan = parse_plan("/* hone 1\n" + body + "\n*/", "k.cu", core::Language::cuda);
  if (!plan) return {{}, base::render(plan.error(), "")};
  Read out{std::move(*plan), ""};
  out.said = base::render(check_plan(out.plan, linear(), "k.cu"), "");
  return out;
}

std::string said_of(const std::string& lines) { return read("[[launch]]\n" + lines).said; }

constexpr const char* whole_plan = R"(
[[scratch]]
name = "z"
dtype = "f32"
shape = ["rows", 8]

[[launch]]
op = "aten.addmm"
args = ["None", "x", "w.T", [1, "rows * 2", [0.5, true]], "x[cols, rows].T", "eps", "f32:0.5", "'tanh'", "z"]
words = { alpha = 2, beta = 0.25 }
out = "z"
tf32 = true

[[launch]]
kernel = "k"
grid = [1]
block = [1]
args = ["z", "y"]
)";

TEST(PlanOperation, TakesTensorsNumbersListsAndTexts) {
  const auto [plan, said] = read(whole_plan);
  ASSERT_EQ(said, "");
  const auto& launch = plan.launches[0];
  EXPECT_TRUE(launch.is_operation);
  EXPECT_TRUE(launch.tf32);
  EXPECT_EQ(launch.out, std::vector<std::string>{"z"});
  EXPECT_TRUE(std::holds_alternative<core::NoneArg>(launch.args[0].value));
  EXPECT_TRUE(std::get<core::BufferArg>(launch.args[2].value).transposed);
  const auto& list = std::get<core::ListArg>(launch.args[3].value).items;
  EXPECT_TRUE(std::get<core::BoolArg>(std::get<core::ListArg>(list[2].value).items[1].value).value);
  EXPECT_EQ(std::get<core::BufferArg>(launch.args[4].value).shape.size(), 2u);
  EXPECT_EQ(std::get<core::ScalarArg>(launch.args[5].value).name, "eps");
  EXPECT_EQ(std::get<core::TextArg>(launch.args[7].value).value, "tanh");
  EXPECT_EQ(launch.words.size(), 2u);
  EXPECT_TRUE(core::has_operations(plan));
  EXPECT_EQ(core::kernel_names(plan), std::vector<std::string>{"k"});
}

TEST(PlanOperation, IsResolvedToNumbers) {
  const auto [plan, said] = read(whole_plan);
  const auto task = linear();
  const auto resolved =
      core::resolve(plan, task, task.cases[0], {}, core::device_symbols(1, 32, 1, 1, 1024));
  ASSERT_TRUE(resolved) << resolved.error().message;
  const auto& launch = resolved->launches[0];
  EXPECT_EQ(launch.out, std::vector<int>{3});
  EXPECT_EQ(launch.args[3].items[1].integer, 8);
  EXPECT_EQ(launch.args[4].dims, (std::vector<std::int64_t>{6, 4}));
  EXPECT_TRUE(launch.args[4].transposed);
  EXPECT_EQ(launch.args[7].word, "tanh");
  EXPECT_EQ(launch.words.at("alpha").integer, 2);
  EXPECT_FALSE(resolved->launches[1].is_operation);
}

TEST(PlanOperation, AnotherShapeHasAsManyElements) {
  const auto [plan, said] =
      read("[[launch]]\nop = \"aten.relu\"\nargs = [\"x[rows, 5]\"]\nout = \"y\"\n");
  ASSERT_EQ(said, "");
  const auto task = linear();
  const auto resolved =
      core::resolve(plan, task, task.cases[0], {}, core::device_symbols(1, 32, 1, 1, 1024));
  ASSERT_FALSE(resolved);
  EXPECT_THAT(resolved.error().message, HasSubstr("'x' has 24 elements, and this shape 20"));
}

TEST(PlanOperation, ComplainsAboutWhatIsWrong) {
  const std::string rest = "\nargs = [\"x\"]\nout = \"y\"\n";
  EXPECT_EQ(said_of("op = \"aten.relu\"" + rest), "");
  EXPECT_THAT(said_of("op = \"relu\"" + rest),
              HasSubstr("no operation: they are named like \"aten.mm\""));
  EXPECT_THAT(said_of("op = \"aten.a.b.c\"" + rest), HasSubstr("no operation"));
  EXPECT_THAT(said_of("op = \"aten.relu\"\ngrid = [1]" + rest), HasSubstr("grid"));
  EXPECT_THAT(said_of("op = \"aten.relu\"\nargs = [\"x\"]"), HasSubstr("out"));
  EXPECT_THAT(said_of("op = \"aten.relu\"\nargs = [\"x\"]\nout = \"x\""),
              HasSubstr("which is an input"));
  EXPECT_THAT(said_of("op = \"aten.relu\"\nargs = [\"x\"]\nout = \"yy\""),
              HasSubstr("no output or scratch buffer"));
  EXPECT_THAT(said_of("op = \"aten.relu\"\nargs = [\"q.T\"]\nout = \"y\""),
              HasSubstr("'q' is no input"));
  EXPECT_THAT(said_of("op = \"aten.relu\"\nargs = [[\"rowz\"]]\nout = \"y\""), HasSubstr("rowz"));
  EXPECT_THAT(said_of("op = \"aten.relu\"\nargs = [\"x[rows, )]\"]\nout = \"y\""),
              HasSubstr("args"));
  EXPECT_THAT(said_of("op = \"aten.relu\"\nargs = [[[[[1]]]]]\nout = \"y\""), HasSubstr("deep"));
  EXPECT_THAT(said_of("op = \"aten.relu\"\nargs = []\nout = []"),
              HasSubstr("'out' names the buffer"));
}

}  // namespace
}  // namespace hone::task
