#include "app/tools.h"

#include <gtest/gtest.h>

#include "base/json_probe.h"
#include "profile/tool.h"
#include "store/test_support.h"

namespace hone::app {
namespace {

TEST(ListOfTools, HasEveryBuiltInToolAlsoWithoutARecord) {
  store::testing::Fixture f;
  ToolsRequest request;
  request.archive = f.path.string();
  const auto result = tools(request);
  ASSERT_EQ(result.tools.size(), profile::tools().size());
  EXPECT_EQ(result.tools[0].name, profile::tools()[0].name);
  EXPECT_EQ(result.tools[0].weight(), 1) << "nothing is known of it";
  const auto json = base::probe(result)["tools"];
  ASSERT_EQ(json.size(), result.tools.size());
  EXPECT_EQ(json[0]["fired"], 0);
  EXPECT_EQ(json[0]["coverage"], nullptr);
  EXPECT_EQ(json[0]["mean_realised"], nullptr);
  EXPECT_FALSE(json[0]["summary"].text().empty());
}

TEST(ListOfTools, TellsProgramsWhatCameOfAdvice) {
  ListedTool one;
  one.name = "own-program";
  one.record.fired = 4;
  one.record.followed = 4;
  one.record.covered = 1;
  one.record.width = 12;
  const auto json = base::probe(ToolsResult{{one}})["tools"][0];
  EXPECT_EQ(json["tool"], "own-program");
  EXPECT_EQ(json["hardware"], nullptr) << "it is none of the table";
  EXPECT_EQ(json["coverage"], 0.25);
  EXPECT_EQ(json["mean_width"], 12);
}

}  // namespace
}  // namespace hone::app
