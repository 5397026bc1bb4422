#include "task/toml_ascii.h"

#include <gtest/gtest.h>

namespace hone::task {
namespace {

TEST(AsciiToml, LeavesAsciiAlone) {
  const std::string text = "a = \"x\\\"y\" # 'c\n[b]\nd = '''\n''' # \"\n";
  EXPECT_EQ(to_ascii(text).text, text);
  EXPECT_EQ(to_ascii(text).problem, "");
}

TEST(AsciiToml, EscapesStringsAndBlanksComments) {
  const auto ascii = to_ascii("a = \"ü🙂\" # ß\n");
  EXPECT_EQ(ascii.text, "a = \"\\U000000FC\\U0001F642\" # ?\n");
  EXPECT_EQ(ascii.origin[5], 5u);
  EXPECT_EQ(ascii.origin[15], 7u);   // the second character stands two bytes further
  EXPECT_EQ(ascii.origin[25], 11u);  // the closing quote
  EXPECT_EQ(ascii.origin.back(), 18u);
}

TEST(AsciiToml, SaysWhatItCannotRewrite) {
  EXPECT_EQ(to_ascii("a = ü").problem_at, 4u);
  EXPECT_EQ(to_ascii("a = 'ü'").problem, "write text outside ASCII in double quotes");
  EXPECT_EQ(to_ascii("a = \"\\ü\"").problem_at, 6u);
  EXPECT_EQ(to_ascii("a = \"\xff\"").problem, "this is not UTF-8: save the file as UTF-8 text");
  EXPECT_EQ(to_ascii("# \xc3").problem, "this is not UTF-8: save the file as UTF-8 text");
  EXPECT_EQ(to_ascii("a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1").problem,
            "a key of more than 16 parts");
}

}  // namespace
}  // namespace hone::task
