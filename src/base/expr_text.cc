// Expressions as C++ and as Python text: see Expr::to_cpp and Expr::to_python.
#include <fmt/format.h>

#include "base/expr.h"

namespace hone::base {
namespace {

// How a language writes what the languages write differently. Python's own division rounds down,
// not to zero.
struct Spelling {
  const char *both, *either, *negation;
  const char* wide;  // behind a number in arithmetic
  bool division_is_a_call, truth_is_a_call;
};
constexpr Spelling cpp = {" && ", " || ", "!{}", "LL", false, false};
constexpr Spelling python = {" and ", " or ", "(not {})", "", true, true};

// Without the outermost parentheses, which say nothing: "(a + b)" but not "(a) + (b)".
std::string stripped(const std::string& text) {
  if (!text.starts_with('(')) return text;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1 == text.size() ? text.substr(1, i - 1) : text;
  }
  return text;
}

}  // namespace

// Goes through the program as evaluating does, with a stack of texts instead of values. Every
// operation puts parentheses around itself, so no language's precedences matter.
class Expr::Writer {
 public:
  Writer(const Program& program, const Spelling& spelling, const Naming& name)
      : program_(program), spelling_(spelling), name_(name) {}

  std::string written() {
    for (std::size_t i = 0; i < program_.steps.size(); ++i) add(program_.steps[i], i);
    return stripped(pop());
  }

 private:
  struct Operand {  // of an `and` or `or` whose end is still to come
    std::string text;
    std::size_t end;
  };

  void add(const Step& step, std::size_t at) {
    switch (step.op) {
      case Op::push:
        // A lone number needs no suffix; in arithmetic all operands are 64 bits wide.
        push(fmt::format("{}{}", step.value, program_.steps.size() > 1 ? spelling_.wide : ""));
        break;
      case Op::load:
        push(name_(program_.symbols[static_cast<std::size_t>(step.value)].name));
        break;
      case Op::jump_if_false:
        open_.push_back({truth(pop()) + spelling_.both, static_cast<std::size_t>(step.value)});
        break;
      case Op::jump_if_true:
        open_.push_back({truth(pop()) + spelling_.either, static_cast<std::size_t>(step.value)});
        break;
      case Op::truth:
        close(at + 1);
        break;
      case Op::logical_not:
        push(fmt::format(fmt::runtime(spelling_.negation), pop()));
        break;
      case Op::neg:
        push(fmt::format("(-{})", pop()));
        break;
      case Op::next_pow2:
        push(fmt::format("hone_next_pow2({})", pop()));
        break;
      default:
        combine(step.op);
    }
  }

  // The last operand of the `and` or `or` that ends here, with those before it.
  void close(std::size_t end) {
    std::string text = truth(pop()) + ")";
    for (; !open_.empty() && open_.back().end == end; open_.pop_back())
      text = open_.back().text + text;
    push("(" + text);
  }

  void combine(Op op) {
    const std::string b = pop(), a = pop();
    if (const char* function = function_of(op); function != nullptr)
      push(fmt::format("{}({}, {})", function, a, b));
    else
      push(fmt::format("({} {} {})", a, sign_of(op), b));
  }

  // Null: it is written with a sign.
  const char* function_of(Op op) const {
    switch (op) {
      case Op::div:
        return spelling_.division_is_a_call ? "hone_div" : nullptr;
      case Op::mod:
        return spelling_.division_is_a_call ? "hone_mod" : nullptr;
      case Op::min:
        return "hone_min";
      case Op::max:
        return "hone_max";
      case Op::ceil_div:
        return "hone_ceil_div";
      default:
        return nullptr;
    }
  }

  static const char* sign_of(Op op) {
    switch (op) {
      case Op::add:
        return "+";
      case Op::sub:
        return "-";
      case Op::mul:
        return "*";
      case Op::div:
        return "/";
      case Op::mod:
        return "%";
      case Op::eq:
        return "==";
      case Op::ne:
        return "!=";
      case Op::lt:
        return "<";
      case Op::le:
        return "<=";
      case Op::gt:
        return ">";
      default:
        return ">=";
    }
  }

  // `and` and `or` give one of their operands in Python, and 0 or 1 here.
  std::string truth(const std::string& text) const {
    return spelling_.truth_is_a_call ? fmt::format("bool({})", text) : text;
  }

  void push(std::string text) { stack_.push_back(std::move(text)); }
  std::string pop() {
    std::string text = std::move(stack_.back());
    stack_.pop_back();
    return text;
  }

  const Program& program_;
  const Spelling& spelling_;
  const Naming& name_;
  std::vector<std::string> stack_;
  std::vector<Operand> open_;
};

std::string Expr::to_cpp(const Naming& name) const { return Writer(*node_, cpp, name).written(); }
std::string Expr::to_python(const Naming& name) const {
  return Writer(*node_, python, name).written();
}

}  // namespace hone::base
