#include "task/plan_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace hone::task {
namespace {

using core::Language;
using testing::HasSubstr;

constexpr const char* whole_source = R"plan(/* hone 1
where = ["BLOCK * VEC <= 2048"]

[tune]
BLOCK = { values = [128, 256, 512], default = 256 }
VEC   = { values = [1, 2, 4], default = 4 }

[[scratch]]
name  = "partial"
dtype = "f32"
shape = ["rows", "ceil_div(cols, 1024)"]

[[tensormap]]
name = "x_map"
tensor = "x"
box = [1, "BLOCK"]
swizzle = "128B"
l2 = "256B"
fill = "nan"

[[launch]]
kernel = "row_max"
when   = "cols % VEC == 0"
grid   = ["rows", 2]
block  = ["BLOCK"]
shared = "4 * BLOCK"
cluster = [2]
cooperative = true
repeat = 3
args   = ["x", "partial", "x_map", "rows * 2", 7, "f32:0.5", "i64:rows * cols", "iteration"]
*/
extern "C" __global__ void row_max() {}
)plan";

std::string with(const std::string& body) { return "/* hone 1\n" + body + "\n*/\n"; }
const std::string launch = "[[launch]]\nkernel = \"k\"\ngrid = [1]\nblock = [1]\n";

// All complaints as "line:column message", one to a line.
std::string complaints(const std::string& source, Language language = Language::cuda) {
  const auto plan = parse_plan(source, "k.cu", language);
  std::string out;
  if (plan) return out;
  for (const auto& d : plan.error())
    out += std::to_string(d.at.line) + ":" + std::to_string(d.at.column) + " " + d.message + "\n";
  return out;
}
std::string args(const std::string& list, Language language = Language::cuda) {
  return complaints(with(launch + "args = [" + list + "]"), language);
}

TEST(Plan, ReadsEveryKey) {
  const auto plan = parse_plan(whole_source, "k.cu", Language::cuda);
  ASSERT_TRUE(plan.ok()) << base::render(plan.error(), whole_source);
  EXPECT_EQ(plan->where.size(), 1u);
  ASSERT_EQ(plan->tunables.size(), 2u);
  EXPECT_EQ(plan->tunables[0].name, "BLOCK");
  EXPECT_EQ(plan->tunables[1].chosen, 4);
  EXPECT_EQ(plan->scratch[0].shape.size(), 2u);
  EXPECT_EQ(plan->tensormaps[0].swizzle, 128);
  EXPECT_EQ(plan->tensormaps[0].interleave, 0);
  EXPECT_EQ(plan->tensormaps[0].l2, 256);
  EXPECT_TRUE(plan->tensormaps[0].fill_nan);
  const auto& only = plan->launches.at(0);
  EXPECT_EQ(only.kernel, "row_max");
  EXPECT_TRUE(only.cooperative);
  EXPECT_EQ(only.grid.size(), 2u);
  EXPECT_EQ(only.args.size(), 8u);
  EXPECT_TRUE(std::holds_alternative<core::BufferArg>(only.args[1].value));
  EXPECT_TRUE(std::holds_alternative<core::TensorMapArg>(only.args[2].value));
  EXPECT_EQ(std::get<core::TypedFloatArg>(only.args[5].value).value, 0.5);
  EXPECT_EQ(std::get<core::TypedIntegerArg>(only.args[6].value).dtype, core::DType::i64);
}

TEST(Plan, RemembersWhereExpressionsStand) {
  const auto plan = parse_plan(whole_source, "k.cu", Language::cuda);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->where[0].at.line, 2);
  EXPECT_EQ(plan->where[0].at.column, 11);
  EXPECT_EQ(plan->tunables[0].at.line, 5);
  EXPECT_EQ(plan->launches[0].at.line, 21);
  EXPECT_EQ(plan->launches[0].args[3].at.line, 30);
  EXPECT_EQ(plan->launches[0].args[3].at.column, 37);  // behind the quote
  EXPECT_EQ(plan->launches[0].args[6].at.column, 67);  // behind "i64:
}

TEST(Plan, SaysThatThereIsNone) {
  EXPECT_THAT(complaints("__global__ void k() {}"),
              HasSubstr("1:1 there is no launch plan: a candidate opens with a comment"));
  EXPECT_THAT(
      complaints("/* a licence */\n/* hone 1\n*/"),
      HasSubstr("2:1 the plan must be the first comment of the file, but there is one in line 1"));
  EXPECT_THAT(complaints("// hone 1\n"), HasSubstr("there is no launch plan"));
  EXPECT_THAT(complaints("/* honest work */"), HasSubstr("there is no launch plan"));
}

TEST(Plan, MayFollowCodeButNotAComment) {
  EXPECT_EQ(complaints("#define S \"/* no comment\"\n" + with(launch + "args = []")), "");
}

TEST(Plan, ComplainsAboutItsHeader) {
  EXPECT_EQ(complaints("\n  /* hone 1\n[[launch]]\n"),
            "2:3 the comment with the plan is not closed: it ends with */\n");
  EXPECT_EQ(complaints("/* hone 2\n*/"),
            "1:1 the plan is of version 2, newer than this hone knows (1): update hone\n");
  EXPECT_THAT(complaints("/* hone\n*/"), HasSubstr("1:1 the version of the plan is missing"));
  EXPECT_EQ(complaints("/* hone 1 where = []\n*/"),
            "1:1 the plan starts on the line below \"/* hone 1\"\n");
  EXPECT_EQ(complaints("/* hone 0\n*/"), "1:1 there is no plan version 0: write \"/* hone 1\"\n");
  EXPECT_THAT(complaints("/* hone 1 */"), HasSubstr("the plan has no [[launch]]"));
  EXPECT_THAT(complaints("/* hone 1\n" + std::string(70000, ' ') + "*/"),
              HasSubstr("70010 characters; 65536 at most"));
}

TEST(Plan, PointsIntoMalformedToml) {
  EXPECT_THAT(complaints("\n/* hone 1\nwhere = [1, \n*/"), HasSubstr("this is not TOML"));
  EXPECT_THAT(complaints("/* hone 1\nx = 1\ny == 2\n*/"), HasSubstr("3:4 this is not TOML"));
  EXPECT_THAT(complaints("/* hone 1\nwhere = []\nwhere = []\n*/"), HasSubstr("3:"));
}

TEST(Plan, SurvivesWhatTomlPlusPlusDoesNotExpect) {
  EXPECT_EQ(complaints("/* hone 1\nwhere = []\n[!]\n[tune]\n*/"),
            "3:1 this is not TOML: the line cannot be read\n");
  EXPECT_EQ(complaints("/* hone 1\nwhere = [ü]\n*/"),
            "2:10 this is not TOML: outside of quotes and comments there is only ASCII\n");
  EXPECT_EQ(complaints("/* hone 1\nwhere = [\"\"\"a\"\"\"\"\", ü\n*/"),
            "2:21 this is not TOML: outside of quotes and comments there is only ASCII\n");
  EXPECT_EQ(complaints("/* hone 1\nwhere = [\"\\ü\"]\n*/"),
            "2:12 a backslash must be followed by a letter, a quote or a backslash\n");
}

TEST(Plan, PointsRightBehindTextOutsideAscii) {
  const std::string body = "[tune] # größe\n\"größe\" = { values = [1], default = 1 }\n" + launch +
                           "args = [\"ü\", 1.5]";
  EXPECT_EQ(complaints(with(body)),
            "3:1 'größe' cannot be a name: a name has letters, digits and _, and does not start "
            "with a digit\n"
            "8:10 args: unexpected '\\xc3' where a value was expected\n"
            "8:15 a number with a fraction needs its type: write \"f32:1.5\"\n");
  EXPECT_EQ(complaints(with("where = ['ü']")), "2:11 write text outside ASCII in double quotes\n");
  EXPECT_EQ(complaints("/* hone 1\na = 1\"ü\"\n*/").substr(0, 4), "2:6 ");
}

TEST(Plan, AcceptsWindowsLineEnds) {
  EXPECT_EQ(complaints("/* hone 1\r\n[[launch]]\r\nkernel = \"k\"\r\ngrid = [1]\r\nblock = "
                       "[1]\r\nargs = []\r\n*/\r\n"),
            "");
}

TEST(Plan, NamesUnknownKeysAndWhatWasMeant) {
  EXPECT_THAT(complaints(with(launch + "args = []\nsharde = 4")),
              HasSubstr("7:1 [[launch]] has no key 'sharde': did you mean 'shared'?"));
  EXPECT_THAT(complaints(with("wher = []\n" + launch + "args = []")),
              HasSubstr("2:1 the plan has no key 'wher': did you mean 'where'?"));
  EXPECT_THAT(
      complaints(with(launch + "args = []\nwhere = []")),
      HasSubstr("7:1 'where' does not belong to [[launch]]: write it above the first [section]"));
  EXPECT_THAT(complaints(with("[tune]\nB = { values = [1], defalt = 1, default = 1 }\n" + launch +
                              "args = []")),
              HasSubstr("3:21 the tunable 'B' has no key 'defalt': did you mean 'default'?"));
}

TEST(Plan, NamesMissingKeys) {
  EXPECT_EQ(complaints(with("[[launch]]\nwhen = 1")),
            "2:1 [[launch]] has no 'kernel'\n2:1 [[launch]] has no 'grid'\n2:1 [[launch]] has no "
            "'block'\n2:1 [[launch]] has no 'args'\n");
  EXPECT_EQ(complaints(with("where = []")),
            "2:0 the plan has no [[launch]]: it says which kernel runs and how\n");
  EXPECT_THAT(complaints(with("[launch]\nkernel = \"k\"")),
              HasSubstr("2:2 write [[launch]], with two brackets: there can be several"));
  EXPECT_THAT(complaints(with("[[scratch]]\nname = \"s\"\n" + launch + "args = []")),
              HasSubstr("2:1 [[scratch]] has no 'dtype'\n2:1 [[scratch]] has no 'shape'"));
}

TEST(Plan, RejectsWrongTypes) {
  EXPECT_THAT(
      complaints(with("where = \"a\"\n" + launch + "args = []")),
      HasSubstr(
          "2:9 'where' must be an array of expressions, such as where = [\"n\"], not a string"));
  EXPECT_THAT(
      complaints(with("[[launch]]\nkernel = 3\ngrid = 4\nblock = [1, 1, 1, 1]\nargs = \"x\"")),
      HasSubstr(
          "3:10 'kernel' must be a string, not an integer\n"
          "4:8 'grid' must be an array of expressions, such as grid = [\"n\"], not an integer\n"
          "5:9 'block' has 4 expressions; it takes 1 to 3\n"
          "6:8 'args' must be an array, not a string\n"));
  EXPECT_THAT(complaints(with(launch + "args = []\ncooperative = 1")),
              HasSubstr("7:15 'cooperative' must be true or false, not an integer"));
  EXPECT_THAT(complaints(with(launch + "args = []\nwhen = 1.5")),
              HasSubstr("7:8 'when' must be an expression (a string or an integer), not a number "
                        "with a fraction"));
}

TEST(Plan, PointsIntoExpressions) {
  EXPECT_THAT(complaints(with(
                  "[[launch]]\nkernel = \"k\"\ngrid = [\"rows +\"]\nblock = [\"(1\"]\nargs = []")),
              HasSubstr("4:16 grid: the expression ends where a value was expected\n5:13 block: "
                        "')' was expected here\n"));
}

TEST(Plan, ChecksTunables) {
  const auto tune = [](const std::string& line) {
    return complaints(with("[tune]\n" + line + "\n" + launch + "args = []"));
  };
  EXPECT_EQ(tune("B = { values = [], default = 1 }"),
            "3:16 the tunable 'B' has 0 values; it takes 1 to 1024\n");
  EXPECT_EQ(tune("B = { values = [1, 2, 1], default = 1 }"),
            "3:23 1 stands twice among the values of 'B'\n");
  EXPECT_EQ(tune("B = { values = [1, 2], default = 3 }"),
            "3:34 the default 3 is not among the values of 'B'\n");
  EXPECT_EQ(tune("B = { values = [1, 2.0], default = 1 }"),
            "3:20 'values' must be an integer, not a number with a fraction\n");
  EXPECT_EQ(tune("B = [1, 2]"),
            "3:5 a tunable is written 'B' = { values = [1, 2], default = 1 }\n");
  EXPECT_EQ(tune("B = { values = [1, 2] }"), "3:5 the tunable 'B' has no 'default'\n");
  EXPECT_THAT(tune("B = { values = [9223372036854775808], default = 1 }"), HasSubstr("3:"));
  std::string many;
  for (char c = 'A'; c <= 'Z'; ++c)
    many += std::string(1, c) + " = { values = [1, 2, 3, 4, 5, 6, 7, 8], default = 1 }\n";
  EXPECT_THAT(tune(many), HasSubstr("the tune space has more than 1099511627776 points"));
}

TEST(Plan, RejectsNamesThatCannotBe) {
  const auto tune = [](const std::string& name) {
    return complaints(
        with("[tune]\n" + name + " = { values = [1], default = 1 }\n" + launch + "args = []"));
  };
  EXPECT_EQ(tune("float"), "3:1 'float' is a word of the kernel languages and cannot be a name\n");
  EXPECT_EQ(tune("HONE_REAL"), "3:1 'HONE_REAL': names that start with HONE_ are Hone's own\n");
  EXPECT_EQ(tune("__X"),
            "3:1 '__X' is reserved for compilers: choose a name without the leading _\n");
  EXPECT_EQ(tune("sm_count"), "3:1 'sm_count' is a fact of the device and cannot be a name\n");
  EXPECT_EQ(tune("ceil_div"), "3:1 'ceil_div' is a word of expressions and cannot be a name\n");
  EXPECT_EQ(tune("iteration"),
            "3:1 'iteration' counts the rounds of `repeat` and cannot be a name\n");
  EXPECT_THAT(tune("\"a b\""), HasSubstr("3:1 'a b' cannot be a name"));
  EXPECT_THAT(tune("k"),
              HasSubstr("5:11 'k' is also a tunable, whose macro would rename the kernel"));
}

TEST(Plan, RejectsTheSameNameTwice) {
  const std::string scratch = "[[scratch]]\nname = \"p\"\ndtype = \"f32\"\nshape = [1]\n";
  EXPECT_EQ(complaints(with(scratch + scratch + launch + "args = []")),
            "7:9 there is already a scratch buffer called 'p'\n");
  EXPECT_EQ(complaints(with("[tune]\np = { values = [1], default = 1 }\n" + scratch + launch +
                            "args = []")),
            "5:9 there is already a tunable called 'p'\n");
}

TEST(Plan, ChecksTensorMaps) {
  const auto map = [](const std::string& lines) {
    return complaints(with("[[tensormap]]\nname = \"m\"\ntensor = \"x\"\n" + lines + "\n" + launch +
                           "args = []"));
  };
  EXPECT_EQ(map("box = [1]\nswizzle = \"16B\""),
            "6:12 'swizzle' cannot be '16B': it is \"none\", \"32B\", \"64B\" or \"128B\"\n");
  EXPECT_EQ(map("box = [1]\nfill = \"one\""),
            "6:9 'fill' cannot be 'one': it is \"zero\" or \"nan\"\n");
  EXPECT_EQ(map("shape = [1, 1]\nbox = [1]"), "6:1 'box' has 1 dimensions, but the tensor map 2\n");
  EXPECT_EQ(map("shape = [1, 1, 1, 1, 1, 1]\nbox = [1]"),
            "5:9 'shape' has 6 expressions; it takes 1 to 5\n");
  EXPECT_EQ(map(""), "2:1 [[tensormap]] has no 'box'\n");
}

TEST(Plan, ReadsArguments) {
  EXPECT_EQ(args("\"x\", 7, -3, \"f16:-1e-3\", \"bf16:2\", \"u64: rows\", \"i8:1\""), "");
  EXPECT_EQ(args("1.5"), "6:9 a number with a fraction needs its type: write \"f32:1.5\"\n");
  EXPECT_EQ(args("\"1.5\""), "6:10 a number with a fraction needs its type: write \"f32:1.5\"\n");
  EXPECT_EQ(args("true"), "6:9 'args' must be a string, not true or false\n");
  EXPECT_EQ(args("\"f32:x\""), "6:14 'x' is not a number: f32 takes one, such as 0.5 or 1e-5\n");
  EXPECT_EQ(args("\"f32:1.0f\""),
            "6:14 '1.0f' is not a number: f32 takes one, such as 0.5 or 1e-5\n");
  EXPECT_EQ(args("\"f32:\""), "6:14 '' is not a number: f32 takes one, such as 0.5 or 1e-5\n");
  EXPECT_EQ(args("\"f32:inf\""), "6:14 'inf' does not fit in f32\n");
  EXPECT_EQ(args("\"f32:1e40\""), "6:14 '1e40' does not fit in f32\n");
  EXPECT_EQ(args("\"f64:1e400\""), "6:14 '1e400' does not fit in f64\n");
  EXPECT_EQ(args("\"f16:65520\""), "6:14 '65520' does not fit in f16\n");
  EXPECT_THAT(args("\"int:4\""),
              HasSubstr("6:10 there is no type 'int': arguments are typed f64 f32"));
  EXPECT_THAT(args("\"i32:rows +\""), HasSubstr("6:20 args: the expression ends"));
  EXPECT_EQ(args("\"?\""), "6:9 'args' is still to be filled in\n");
}

TEST(Plan, KnowsWhatALanguageDoesNotHave) {
  EXPECT_EQ(args("\"local:4 * 256\"", Language::opencl), "");
  EXPECT_EQ(args("\"local:4\"", Language::cuda),
            "6:10 'local:' is OpenCL's: CUDA takes `shared = \"BYTES\"` in the launch\n");
  const std::string features = launch +
                               "args = []\nshared = 4\ncluster = [2]\ncooperative = "
                               "true\n[[tensormap]]\nname = \"m\"\ntensor = \"x\"\nbox = [1]";
  EXPECT_EQ(complaints(with(features), Language::opencl),
            "7:1 'shared' is CUDA's: OpenCL takes local buffers as arguments, \"local:BYTES\"\n"
            "8:1 'cluster' is CUDA's: OpenCL has no clusters of work-groups\n"
            "9:1 'cooperative' is CUDA's: OpenCL does not promise that all work-groups are "
            "resident at once\n"
            "10:1 [[tensormap]] is CUDA's: OpenCL has no bulk tensor copy engine\n");
  EXPECT_EQ(complaints(with(features), Language::fake), "");
}

TEST(Plan, ShowsTheLineWithACaret) {
  const std::string source = with(launch + "args = [\"x\", \"f32:zero\"]");
  const auto plan = parse_plan(source, "k.cu", Language::cuda);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(base::render(plan.error(), source),
            "k.cu:6:19: 'zero' is not a number: f32 takes one, such as 0.5 or 1e-5\n"
            "  args = [\"x\", \"f32:zero\"]\n"
            "                    ^");
}

TEST(Plan, BoundsWhatAHostileOneCanAsk) {
  std::string launches;
  for (int i = 0; i < 300; ++i) launches += launch + "args = []\n";
  EXPECT_THAT(complaints(with(launches)),
              HasSubstr("there are 300 [[launch]] sections; 256 at most"));
  std::string dots = "a";
  for (int i = 0; i < 20000; ++i) dots += ".a";
  EXPECT_THAT(complaints(with(dots + " = 1")), HasSubstr("2:32 a key of more than 16 parts"));
  EXPECT_THAT(complaints(with("x = " + std::string(30000, '['))), HasSubstr("this is not TOML"));
  std::string unknown;
  for (int i = 0; i < 500; ++i) unknown += "k" + std::to_string(i) + " = 1\n";
  EXPECT_THAT(complaints(with(unknown)), HasSubstr("and 401 more complaints about this file"));
  EXPECT_THAT(complaints(with("\"\\u001b[31m\\n" + std::string(500, 'x') + "\" = 1")),
              HasSubstr("'?[31m?xxx"));
}

TEST(PlanDefaults, ChangesOnlyTheNumbers) {
  const std::string before =
      "/* hone 1\n[tune]   # größe\nA = { values = [1, 0x10, -2], default = 0x10 } # 16\nB = "
      "{default=1, values=[1,2]}\n" +
      launch + "args = []\n*/ int default = 1;\n";
  const std::string after =
      "/* hone 1\n[tune]   # größe\nA = { values = [1, 0x10, -2], default = -2 } # 16\nB = "
      "{default=2, values=[1,2]}\n" +
      launch + "args = []\n*/ int default = 1;\n";
  EXPECT_EQ(set_defaults(before, {{"A", -2}, {"B", 2}}), after);
  EXPECT_EQ(set_defaults(before, {}), before);
  const auto plan = parse_plan(set_defaults(before, {{"B", 2}}), "k.cu", Language::cuda);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(core::default_point(*plan), (core::Point{{"A", 16}, {"B", 2}}));
}

TEST(PlanDefaults, RefusesWhatThePlanDoesNotHave) {
  const std::string source =
      with("[tune]\nA = { values = [1, 2], default = 1 }\n" + launch + "args = []");
  EXPECT_THROW(set_defaults(source, {{"Z", 1}}), base::Error);
  EXPECT_THROW(set_defaults(source, {{"A", 3}}), base::Error);
  EXPECT_THROW(set_defaults("no plan", {{"A", 1}}), base::Error);
}

}  // namespace
}  // namespace hone::task
