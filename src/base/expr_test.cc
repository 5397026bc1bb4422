#include "base/expr.h"

#include <gtest/gtest.h>

namespace hone::base {
namespace {

std::int64_t value(const char* text, const Bindings& bindings = {}) {
  const auto expr = Expr::parse(text);
  EXPECT_TRUE(expr.ok()) << text;
  const auto result = expr->evaluate(bindings);
  EXPECT_TRUE(result.ok()) << text << ": " << (result.ok() ? "" : result.error().message);
  return result.ok() ? *result : -999;
}

std::string parse_error(const char* text) {
  const auto expr = Expr::parse(text);
  return expr.ok() ? "" : expr.error().message;
}

TEST(Expr, FollowsTheUsualPrecedence) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("-2 * 3 + 10 % 4"), -4);
  EXPECT_EQ(value("1 + 1 == 2 and 3 < 2 or 4 >= 4"), 1);
  EXPECT_EQ(value("not 1 == 2"), 1);
}

TEST(Expr, KnowsItsFunctions) {
  EXPECT_EQ(value("ceil_div(10, 3)"), 4);
  EXPECT_EQ(value("ceil_div(9, 3)"), 3);
  EXPECT_EQ(value("next_pow2(1000)"), 1024);
  EXPECT_EQ(value("next_pow2(1024)"), 1024);
  EXPECT_EQ(value("min(rows, 4) + max(rows, 4)", {{"rows", 7}}), 11);
}

TEST(Expr, DoesNotEvaluateWhatIsAlreadyDecided) {
  EXPECT_EQ(value("n == 0 or 10 / n > 2", {{"n", 0}}), 1);
  EXPECT_EQ(value("n != 0 and 10 / n > 2", {{"n", 0}}), 0);
}

TEST(Expr, ReportsOverflowAndDivisionByZeroWithThePlace) {
  const auto overflow = Expr::parse("n * n")->evaluate({{"n", std::int64_t{1} << 40}});
  ASSERT_FALSE(overflow.ok());
  EXPECT_EQ(overflow.error().offset, 2u);
  EXPECT_NE(overflow.error().message.find("64 bits"), std::string::npos);
  const auto division = Expr::parse("7 / (n - n)")->evaluate({{"n", 3}});
  ASSERT_FALSE(division.ok());
  EXPECT_EQ(division.error().message, "division by zero");
  EXPECT_FALSE(Expr::parse("n / m")->evaluate({{"n", INT64_MIN}, {"m", -1}}).ok());
}

TEST(Expr, NamesAnUnknownSymbol) {
  const auto result = Expr::parse("rows + colz")->evaluate({{"rows", 1}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "there is no symbol 'colz'");
  EXPECT_EQ(result.error().offset, 7u);
}

TEST(Expr, RefusesWhatItCannotRead) {
  EXPECT_NE(parse_error(""), "");
  EXPECT_NE(parse_error("1 +"), "");
  EXPECT_NE(parse_error("1.5"), "");
  EXPECT_NE(parse_error("f(1)"), "");
  EXPECT_NE(parse_error("min(1)"), "");
  EXPECT_NE(parse_error("99999999999999999999"), "");
  EXPECT_NE(parse_error(std::string(5000, '(').c_str()), "");
  EXPECT_NE(parse_error((std::string(200, '-') + "1").c_str()), "");
  EXPECT_NE(parse_error("a b"), "");
}

std::string in_cpp(const char* text) {
  return Expr::parse(text)->to_cpp([](const std::string& name) { return name; });
}

TEST(Expr, IsWrittenInCppWithItsOwnPrecedence) {
  EXPECT_EQ(in_cpp("7"), "7");
  EXPECT_EQ(in_cpp("rows"), "rows");
  EXPECT_EQ(in_cpp("a + b * 2"), "a + (b * 2LL)");
  EXPECT_EQ(in_cpp("(a + b) * (c - d)"), "(a + b) * (c - d)");
  EXPECT_EQ(in_cpp("not a == b"), "!(a == b)");
  EXPECT_EQ(in_cpp("-a % 4"), "(-a) % 4LL");
  EXPECT_EQ(in_cpp("a > 1 and b > 2 and c or d"), "((a > 1LL) && (b > 2LL) && c) || d");
  EXPECT_EQ(in_cpp("a and (b or c) and not d"), "a && (b || c) && !d");
  EXPECT_EQ(in_cpp("ceil_div(a, next_pow2(b)) + min(a, max(b, 3))"),
            "hone_ceil_div(a, hone_next_pow2(b)) + hone_min(a, hone_max(b, 3LL))");
}

TEST(Expr, IsWrittenInPythonWithDivisionTowardsZero) {
  const auto in_python = [](const char* text) {
    return Expr::parse(text)->to_python([](const std::string& name) { return name; });
  };
  EXPECT_EQ(in_python("a + b * 2"), "a + (b * 2)");
  EXPECT_EQ(in_python("a / 2 % b"), "hone_mod(hone_div(a, 2), b)");
  EXPECT_EQ(in_python("not a == b"), "not (a == b)");
  EXPECT_EQ(in_python("1 + (a and b > 2 or c)"),
            "1 + (bool((bool(a) and bool((b > 2)))) or bool(c))");
  EXPECT_EQ(in_python("ceil_div(a, next_pow2(b))"), "hone_ceil_div(a, hone_next_pow2(b))");
}

}  // namespace
}  // namespace hone::base
