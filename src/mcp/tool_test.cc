#include "mcp/tool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/test_support.h"
#include "base/error.h"
#include "base/json_probe.h"

namespace hone::mcp {
namespace {

TEST(Tools, HaveNamesTextsAndSchemasOfObjects) {
  std::set<std::string> names;
  for (const auto& tool : tools()) {
    EXPECT_TRUE(names.insert(tool.name).second) << tool.name;
    EXPECT_FALSE(tool.title.empty() || tool.about.empty()) << tool.name;
    const base::JsonProbe arguments(tool.arguments), result(tool.result);
    EXPECT_EQ(arguments["type"], "object") << tool.name;
    EXPECT_EQ(arguments["additionalProperties"].dump(), "false") << tool.name;
    EXPECT_EQ(result["type"], "object") << tool.name;
    if (!arguments.contains("properties")) continue;  // of a tool without arguments
    for (const auto& [name, property] : arguments["properties"].object())
      EXPECT_TRUE(base::JsonProbe(property.text).contains("description"))
          << tool.name << " " << name;
  }
  EXPECT_EQ(find_tool("burn"), nullptr);
}

TEST(Tools, ThatJudgeRunApartAndAreCounted) {
  for (const char* name :
       {"check_task", "evaluate", "compare", "profile", "tune", "start_run", "resume_run"}) {
    EXPECT_NE(find_tool(name)->runs, Tool::Runs::here) << name;
    EXPECT_TRUE(find_tool(name)->evals_wanted) << name;
  }
  EXPECT_EQ(find_tool("compare")->evals_wanted(R"({"task":"t","a":"a","b":"b"})"), 2);
  EXPECT_EQ(find_tool("tune")->evals_wanted(R"({"task":"t","candidate":"c","max_evals":7})"), 7);
  EXPECT_FALSE(find_tool("status")->evals_wanted);
}

std::string refusal(const std::string& tool, const std::string& arguments) {
  app::RecordingSink sink;
  const Place place = place_at(".");
  Call call{place, sink, 1};
  try {
    return find_tool(tool)->run(arguments, call).text;
  } catch (const base::Error& error) {
    return error.what();
  }
}

TEST(Arguments, AreRefusedByName) {
  using testing::HasSubstr;
  EXPECT_THAT(refusal("evaluate", "[]"), HasSubstr("no object"));
  EXPECT_THAT(refusal("evaluate", R"({"canditate":"x"})"), HasSubstr(R"("canditate")"));
  EXPECT_THAT(refusal("evaluate", R"({"task":"x"})"), HasSubstr(R"(no "candidate")"));
  EXPECT_THAT(refusal("evaluate", R"({"task":7,"candidate":"x"})"), HasSubstr("no text"));
  EXPECT_THAT(refusal("evaluate", R"({"task":"t","candidate":"c","depth":"deep"})"),
              HasSubstr("'deep'"));
  EXPECT_THAT(refusal("status", R"({"x":1})"), HasSubstr("there are: none"));
  EXPECT_THAT(refusal("search_knowledge", R"({"words":"x","limit":-1})"), HasSubstr("limit"));
  EXPECT_THAT(refusal("show", R"({"id":"../x"})"), HasSubstr("no id"));
}

TEST(SearchKnowledge, FindsSectionsOfCards) {
  EXPECT_THAT(refusal("search_knowledge", R"({"words":"work-group thread"})"),
              testing::HasSubstr("card cpu"));
  EXPECT_THAT(refusal("search_knowledge", R"({"words":"qqqqq"})"), testing::HasSubstr("Nothing"));
}

// Through the same function as in the process that the server starts.
TEST(Evaluate, JudgesACandidateOfTheFolder) {
  const app::FakePlace fake;
  const std::string good = fake.good();
  Place place = place_at(fake.path());
  place.common = fake.request<app::CommonOptions>();
  app::RecordingSink sink;
  Call call{place, sink, 1};
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(place.folder);
  const Answer answer =
      find_tool("evaluate")->run(R"({"task":"copy","candidate":"good.fake"})", call);
  std::filesystem::current_path(before);
  EXPECT_EQ(base::JsonProbe(answer.json)["outcome"], "accepted");
  EXPECT_THAT(answer.text, testing::HasSubstr("accepted"));
  EXPECT_EQ(answer.evals, 1);
}

}  // namespace
}  // namespace hone::mcp
