// Expressions as C++ text: see Expr::to_cpp.
#include <fmt/format.h>

#include "base/expr.h"

namespace hone::base {

std::string Expr::to_cpp(const std::function<std::string(const std::string&)>& name) const {
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
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    switch (step.op) {
      // A lone number needs no suffix; in arithmetic all operands are 64 bits wide.
      case Op::push:
        stack.push_back(fmt::format("{}{}", step.value, steps.size() > 1 ? "LL" : ""));
        break;
      case Op::load:
        stack.push_back(name(node_->symbols[static_cast<std::size_t>(step.value)].name));
        break;
      case Op::jump_if_false:
        open.push_back({pop() + " && ", static_cast<std::size_t>(step.value)});
        break;
      case Op::jump_if_true:
        open.push_back({pop() + " || ", static_cast<std::size_t>(step.value)});
        break;
      case Op::truth: {
        std::string text = pop() + ")";
        for (; !open.empty() && open.back().end == i + 1; open.pop_back()) text = open.back().text + text;
        stack.push_back("(" + text);
        break;
      }
      case Op::logical_not:
        stack.push_back(fmt::format("!{}", pop()));
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
        binary("/");
        break;
      case Op::mod:
        binary("%");
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
