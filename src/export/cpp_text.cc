#include "export/cpp_text.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "export/templates.h"

namespace hone::exports {
namespace {

// Words that C++ keeps for itself, and names that the templates use.
const std::set<std::string, std::less<>> reserved_in_cpp = {"alignas",   "alignof",
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
  return reserved_in_cpp.contains(out) ? out + "_" : out;
}

std::string cpp(const base::Expr& expr) { return expr.to_cpp(cpp_name); }

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
  const std::string digits =
      fmt::format("{}", value);  // the shortest that reads back as the same double
  return fmt::format("{}({})", type, digits);
}

std::string launch_block(const core::Launch& launch,
                         const std::function<std::string(const std::string&)>& body) {
  const std::string head = launch.when ? fmt::format("if ({}) ", cpp(launch.when->expr)) : "";
  if (!launch.repeat)
    return fmt::format("  {}{{  // {}\n{}  }}\n", head, launch.kernel, body("    "));
  return fmt::format(
      "  {}{{  // {}\n    const int64_t iteration_count = {};\n    for (int64_t iteration = 0; "
      "iteration < iteration_count; ++iteration) {{\n{}    }}\n  }}\n",
      head, launch.kernel, cpp(launch.repeat->expr), body("      "));
}

}  // namespace hone::exports
