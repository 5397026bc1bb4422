#include "text/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::text {
namespace {

TEST(Markdown, CannotBeBrokenOutOf) {
  EXPECT_EQ(markdown("a|b*c_`d`<e>\nf"), "a\\|b\\*c\\_\\`d\\`&lt;e&gt; f");
  EXPECT_THAT(fenced("x ````` y", "diff"), ::testing::StartsWith("``````diff\n"));
  EXPECT_EQ(fenced("", ""), "```\n```\n");
}

}  // namespace
}  // namespace hone::text
