#include "run/line_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>

namespace hone::run {
namespace {

using ::testing::HasSubstr;

TEST(LineDiff, SaysNothingOfEqualTexts) {
  EXPECT_EQ(unified_diff("", "", "a", "b"), "");
  EXPECT_EQ(unified_diff("one\ntwo\n", "one\ntwo\n", "a", "b"), "");
}

TEST(LineDiff, ShowsAChangeWithTheLinesRoundIt) {
  const std::string a = "1\n2\n3\n4\n5\n6\n7\n8\n9\n", b = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n";
  EXPECT_EQ(unified_diff(a, b, "old.cl", "new.cl"),
            "--- old.cl\n+++ new.cl\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(LineDiff, KeepsDistantChangesApartAndNearOnesTogether) {
  std::string a, far, near;
  for (int i = 0; i < 30; ++i) {
    a += std::to_string(i) + "\n";
    far += i == 3 || i == 25 ? "changed\n" : std::to_string(i) + "\n";
    near += i == 3 || i == 9 ? "changed\n" : std::to_string(i) + "\n";
  }
  const auto hunks = [](const std::string& diff) {
    int count = 0;
    for (std::size_t at = 0; (at = diff.find("@@ -", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(hunks(unified_diff(a, far, "a", "b")), 2);
  EXPECT_EQ(hunks(unified_diff(a, near, "a", "b")), 1);
}

TEST(LineDiff, ShowsWholeTextsThatAreNew) {
  EXPECT_EQ(unified_diff("", "x\n", "a", "b"), "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n");
  EXPECT_EQ(unified_diff("x\ny\n", "", "a", "b"), "--- a\n+++ b\n@@ -1,2 +0,0 @@\n-x\n-y\n");
}

TEST(LineDiff, NoticesAMissingLineEnd) {
  EXPECT_EQ(unified_diff("x\n", "x", "a", "b"), "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+x\n\\ No newline at end of file\n");
}

// What a patch program does with it.
std::string applied(const std::string& a, const std::string& diff) {
  std::vector<std::string> source;
  std::istringstream in(a);
  for (std::string line; std::getline(in, line);) source.push_back(line);
  std::string out;
  std::size_t at = 0;
  std::istringstream lines(diff);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("---") || line.starts_with("+++")) continue;
    if (line.starts_with("@@ -")) {
      const std::size_t start = std::stoul(line.substr(4)), comma = line.find(','), plus = line.find('+');
      const bool none = comma < plus && line.substr(comma, 3) == ",0 ";
      while (at < (none ? start : start - 1)) out += source[at++] + "\n";
    } else if (line[0] == '+') {
      out += line.substr(1) + "\n";
    } else {
      EXPECT_EQ(source[at], line.substr(1));
      if (line[0] == ' ') out += source[at] + "\n";
      ++at;
    }
  }
  while (at < source.size()) out += source[at++] + "\n";
  return out;
}

TEST(LineDiff, TurnsTheOneTextIntoTheOther) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string a, b;
    const auto some = [&] {
      std::string text;
      for (unsigned i = 0, n = random() % 40; i < n; ++i)
        text += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
      return text;
    };
    a = some();
    b = some();
    const std::string diff = unified_diff(a, b, "a", "b", random() % 4);
    EXPECT_EQ(applied(a, diff), b) << diff;
  }
}

TEST(LineDiff, GivesUpOnTextsWithNothingInCommon) {
  std::string a, b;
  for (int i = 0; i < 5000; ++i) {
    a += "a" + std::to_string(i) + "\n";
    b += "b" + std::to_string(i) + "\n";
  }
  const std::string diff = unified_diff(a, b, "a", "b");
  EXPECT_THAT(diff, HasSubstr("@@ -1,5000 +1,5000 @@"));
}

}  // namespace
}  // namespace hone::run
