#include "app/findings.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/json_probe.h"
#include "store/test_support.h"

namespace hone::app {
namespace {

struct FindingRequests : ::testing::Test {
  store::testing::Fixture f;
  CommonOptions place;

  void SetUp() override { place.archive = f.path.string(); }
  store::Finding add(const std::string& text, const std::string& task = "copy") {
    return add_finding({place, task, "cpu", text});
  }
  std::size_t listed(const std::string& task = "") {
    return findings({place, task, "", 50}).findings.size();
  }
};

TEST_F(FindingRequests, AddOneThatIsListedForItsTask) {
  const auto added = add("Copy in vectors.\n");
  EXPECT_EQ(added.text, "Copy in vectors.");
  EXPECT_EQ(added.source, "user");
  EXPECT_EQ(listed("copy"), 1u);
  EXPECT_EQ(listed("matmul"), 0u);
  const auto json = base::probe(findings({place, "", "", 50}));
  EXPECT_EQ(json["findings"][0]["id"], added.id);
  EXPECT_EQ(json["findings"][0]["run"], nullptr);
  EXPECT_EQ(base::probe(added)["deleted"], false);
}

TEST_F(FindingRequests, EditOneThatKeepsItsId) {
  const auto added = add("Wrong.");
  const auto same = edit_finding({{place, added.id.substr(0, 6)}, "Wrong.\n"});
  EXPECT_FALSE(same.changed);
  const auto edited = edit_finding({{place, added.id}, "Right."});
  EXPECT_TRUE(edited.changed);
  EXPECT_EQ(edited.finding.id, added.id);
  EXPECT_EQ(show_finding({place, added.id}).text, "Right.");
}

TEST_F(FindingRequests, DeleteOneThatCanStillBeShown) {
  const auto added = add("Wrong.");
  EXPECT_TRUE(delete_finding({place, added.id}).deleted);
  EXPECT_EQ(listed(), 0u);
  EXPECT_TRUE(show_finding({place, added.id}).deleted);
  EXPECT_THROW(edit_finding({{place, added.id}, "Right."}), base::Error);
}

TEST_F(FindingRequests, RefuseATextThatIsNone) {
  EXPECT_THROW(add(" \n"), base::Error);
  EXPECT_THROW(add(std::string((64 << 10) + 1, 'x')), base::Error);
  EXPECT_THROW(show_finding({place, "abcdef"}), base::Error);
}

}  // namespace
}  // namespace hone::app
