// Expressions as C++ and as Python text: see Expr::to_cpp and Expr::to_python.
#include <fmt/format.h>

#include "base/expr.h"

namespace hone::base {

// How a language writes what the languages write differently. Python's own division rounds down,
// not to zero.
struct Expr::Spelling {
  const char *both, *either, *negation;
  const char* wide;  // behind a number in arithmetic
  bool division_is_a_call, truth_is_a_call;
};

std::string Expr::to_cpp(const Naming& name) const {
  return written({" && ", " || ", "!{}", "LL", false, false}, name);
}
std::string Expr::to_python(const Naming& name) const {
  return written({" and ", " or ", "(not {})", "", true, true}, name);
}

std::string Expr::written(const Spelling& spelling, const Naming& name) const {
  struct Operand {  // of an `and` or `or` whose end is still to come
    std::string text;
    std::size_t end;
  };
  std::vector<std::string> stack;
  std::vector<Operand> open;
  const auto pop = [&stack] {
    std::string text = std::move(stack.back());
    stack.pop_back();
    return text;
  };
  const auto& steps = node_->steps;
  const auto binary = [&](const char* sign) {
    const std::string b = pop(), a = pop();
    stack.push_back(fmt::format("({} {} {})", a, sign, b));
  };
  const auto call = [&](const char* function) {
    const std::string b = pop(), a = pop();
    stack.push_back(fmt::format("{}({}, {})", function, a, b));
  };
  // `and` and `or` give one of their operands in Python, and 0 or 1 here.
  const auto truth = [&](const std::string& text) {
    return spelling.truth_is_a_call ? fmt::format("bool({})", text) : text;
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    switch (step.op) {
      // A lone number needs no suffix; in arithmetic all operands are 64 bits wide.
      case Op::push:
        stack.push_back(fmt::format("{}{}", step.value, steps.size() > 1 ? spelling.wide : ""));
        break;
      case Op::load:
        stack.push_back(name(node_->symbols[static_cast<std::size_t>(step.value)].name));
        break;
      case Op::jump_if_false:
        open.push_back({truth(pop()) + spelling.both, static_cast<std::size_t>(step.value)});
        break;
      case Op::jump_if_true:
        open.push_back({truth(pop()) + spelling.either, static_cast<std::size_t>(step.value)});
        break;
      case Op::truth: {
        std::string text = truth(pop()) + ")";
        for (; !open.empty() && open.back().end == i + 1; open.pop_back())
          text = open.back().text + text;
        stack.push_back("(" + text);
        break;
      }
      case Op::logical_not:
        stack.push_back(fmt::format(fmt::runtime(spelling.negation), pop()));
        break;
      case Op::neg:
        stack.push_back(fmt::format("(-{})", pop()));
        break;
      case Op::next_pow2:
        stack.push_back(fmt::format("hone_next_pow2({})", pop()));
        break;
      case Op::add:
        binary("+");
        break;
      case Op::sub:
        binary("-");
        break;
      case Op::mul:
        binary("*");
        break;
      case Op::div:
        spelling.division_is_a_call ? call("hone_div") : binary("/");
        break;
      case Op::mod:
        spelling.division_is_a_call ? call("hone_mod") : binary("%");
        break;
      case Op::eq:
        binary("==");
        break;
      case Op::ne:
        binary("!=");
        break;
      case Op::lt:
        binary("<");
        break;
      case Op::le:
        binary("<=");
        break;
      case Op::gt:
        binary(">");
        break;
      case Op::ge:
        binary(">=");
        break;
      case Op::min:
        call("hone_min");
        break;
      case Op::max:
        call("hone_max");
        break;
      case Op::ceil_div:
        call("hone_ceil_div");
        break;
    }
  }
  std::string text = pop();
  // The outermost parentheses say nothing.
  if (text.starts_with('(')) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
      if (depth == 0) return i + 1 == text.size() ? text.substr(1, i - 1) : text;
    }
  }
  return text;
}

}  // namespace hone::base
