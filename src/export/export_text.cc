#include "export/export_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/resources.h"

namespace hone::exports {
namespace {

using base::ExitCode;

// Words that C++ keeps for itself, and names that the templates use.
const std::set<std::string, std::less<>> taken = {"alignas",   "alignof",
                                                  "and",       "asm",
                                                  "auto",      "bool",
                                                  "break",     "case",
                                                  "catch",     "char",
                                                  "class",     "const",
                                                  "constexpr", "continue",
                                                  "decltype",  "default",
                                                  "delete",    "do",
                                                  "double",    "else",
                                                  "enum",      "explicit",
                                                  "export",    "extern",
                                                  "false",     "float",
                                                  "for",       "friend",
                                                  "goto",      "if",
                                                  "inline",    "int",
                                                  "long",      "mutable",
                                                  "namespace", "new",
                                                  "noexcept",  "not",
                                                  "nullptr",   "operator",
                                                  "or",        "private",
                                                  "protected", "public",
                                                  "register",  "requires",
                                                  "concept",   "return",
                                                  "short",     "signed",
                                                  "sizeof",    "static",
                                                  "struct",    "switch",
                                                  "template",  "this",
                                                  "throw",     "true",
                                                  "try",       "typedef",
                                                  "typename",  "union",
                                                  "unsigned",  "using",
                                                  "virtual",   "void",
                                                  "volatile",  "while",
                                                  "xor",       "int64_t",
                                                  "size_t",    "dim3",
                                                  "workspace", "stream",
                                                  "queue",     "event",
                                                  "events",    "wait_count",
                                                  "wait_list", "launch",
                                                  "error",     "iteration_count",
                                                  "NULL",      "std"};

}  // namespace

std::string cpp_name(const std::string& name) {
  std::string out = name;
  for (char& c : out)
    if (c == '-') c = '_';
  if (!out.empty() && out[0] >= '0' && out[0] <= '9') out = "task_" + out;
  return taken.contains(out) ? out + "_" : out;
}

std::string cpp(const base::Expr& expr) { return expr.to_cpp(cpp_name); }

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  return fmt::format("{}", fmt::join(parts, between));
}

std::vector<base::Expr> expressions(const std::vector<core::PlanExpr>& list) {
  std::vector<base::Expr> out;
  for (const auto& item : list) out.push_back(item.expr);
  return out;
}

std::string product(const std::vector<base::Expr>& factors) {
  std::vector<std::string> parts;
  for (const auto& factor : factors) parts.push_back(fmt::format("int64_t({})", cpp(factor)));
  return parts.empty() ? "1" : joined(parts, " * ");
}

std::string dims(const std::vector<core::PlanExpr>& list) {
  std::vector<std::string> parts;
  for (const auto& item : list) parts.push_back(cpp(item.expr));
  parts.resize(3, "1");
  return joined(parts, ", ");
}

std::string bits_of(core::DType dtype, double value) {
  unsigned char bytes[8] = {};
  core::store_double(dtype, value, bytes);
  std::string out = "0x";
  for (std::size_t i = core::size_of(dtype); i > 0; --i) out += fmt::format("{:02x}", bytes[i - 1]);
  return out;
}

std::string number(double value, const char* type) {
  if (std::isnan(value)) return fmt::format("{}(NAN)", type);
  if (std::isinf(value)) return fmt::format("{}({}INFINITY)", type, value < 0 ? "-" : "");
  const std::string digits = fmt::format("{}", value);  // the shortest that reads back as the same double
  return fmt::format("{}({})", type, digits);
}

std::string filled(const std::string& resource, const Gaps& gaps) {
  const std::string text = base::resource(resource);
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find('@', at);
    if (open == std::string::npos) return out + text.substr(at);
    const std::size_t close = text.find('@', open + 1);
    const auto value = close == std::string::npos ? gaps.end() : gaps.find(text.substr(open + 1, close - open - 1));
    if (value == gaps.end())
      base::fail(ExitCode::environment, "the resource {} has a gap that nothing fills, at character {}", resource,
                 open);
    out += text.substr(at, open - at) + value->second;
    at = close + 1;
  }
}

}  // namespace hone::exports
