#include "base/expr.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <charconv>
#include <limits>

namespace hone::base {

// Recursive descent, lowest binding first: or, and, not, comparison, sum, product, unary minus,
// primary.
class ExprParser {
 public:
  using Op = Expr::Op;
  explicit ExprParser(std::string_view text) : text_(text) {}

  Result<Expr, ExprError> parse() {
    program_.text = std::string(text_);
    if (text_.size() > longest_text)
      return Failure{
          ExprError{fmt::format("the expression is longer than {} characters", longest_text), 0}};
    disjunction();
    skip_space();
    if (!failed_ && at_ < text_.size())
      error(fmt::format("unexpected '{}'", printable(text_[at_])));
    if (failed_) return Failure{error_};
    Expr expr;
    expr.node_ = std::make_shared<const Expr::Program>(std::move(program_));
    return expr;
  }

 private:
  static constexpr std::size_t longest_text = 4096;
  static constexpr int deepest =
      64;  // parentheses inside parentheses: a hostile plan must not exhaust the stack

  void disjunction() { chain("or", Op::jump_if_true, &ExprParser::conjunction); }
  void conjunction() { chain("and", Op::jump_if_false, &ExprParser::negation); }

  // `a or b or c`: each operand but the last jumps to the end when it decides.
  void chain(std::string_view word, Op jump, void (ExprParser::*operand)()) {
    (this->*operand)();
    std::vector<std::size_t> jumps;
    while (!failed_ && take_word(word)) {
      jumps.push_back(emit(jump));
      (this->*operand)();
    }
    if (jumps.empty()) return;
    emit(Op::truth);
    for (const std::size_t jump_at : jumps)
      program_.steps[jump_at].value = static_cast<std::int64_t>(program_.steps.size());
  }

  void negation() {
    if (failed_ || !enter()) return;
    if (take_word("not")) {
      const std::size_t offset = at_;
      negation();
      emit(Op::logical_not, 0, offset);
    } else {
      comparison();
    }
    --depth_;
  }

  void comparison() {
    sum();
    static constexpr std::pair<std::string_view, Op> ops[] = {{"==", Op::eq}, {"!=", Op::ne},
                                                              {"<=", Op::le}, {">=", Op::ge},
                                                              {"<", Op::lt},  {">", Op::gt}};
    skip_space();
    for (const auto& [sign, op] : ops) {
      const std::size_t offset = at_;
      if (failed_ || !take(sign)) continue;
      sum();
      emit(op, 0, offset);
      return;
    }
  }

  void sum() {
    product();
    while (!failed_) {
      skip_space();
      const std::size_t offset = at_;
      if (take("+")) {
        product();
        emit(Op::add, 0, offset);
      } else if (take("-")) {
        product();
        emit(Op::sub, 0, offset);
      } else
        return;
    }
  }

  void product() {
    unary();
    while (!failed_) {
      skip_space();
      const std::size_t offset = at_;
      if (take("*")) {
        unary();
        emit(Op::mul, 0, offset);
      } else if (take("/")) {
        unary();
        emit(Op::div, 0, offset);
      } else if (take("%")) {
        unary();
        emit(Op::mod, 0, offset);
      } else
        return;
    }
  }

  void unary() {
    if (failed_ || !enter()) return;
    skip_space();
    const std::size_t offset = at_;
    if (take("-")) {
      unary();
      emit(Op::neg, 0, offset);
    } else {
      primary();
    }
    --depth_;
  }

  void primary() {
    skip_space();
    if (at_ >= text_.size()) return error("the expression ends where a value was expected");
    const std::size_t offset = at_;
    if (take("(")) {
      disjunction();
      return expect(")");
    }
    if (std::isdigit(static_cast<unsigned char>(text_[at_]))) return number();
    const std::string name = identifier();
    if (name.empty())
      return error(
          fmt::format("unexpected '{}' where a value was expected", printable(text_[at_])));
    skip_space();
    if (at_ < text_.size() && text_[at_] == '(') return call(name, offset);
    if (name == "and" || name == "or" || name == "not")
      return error(fmt::format("'{}' needs a value before it", name), offset);
    program_.symbols.push_back({name, offset});
    emit(Op::load, static_cast<std::int64_t>(program_.symbols.size()) - 1, offset);
  }

  void number() {
    const std::size_t offset = at_;
    std::int64_t value = 0;
    const auto [end, ec] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (ec != std::errc()) return error("the number does not fit in 64 bits");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[at_])) ||
                               text_[at_] == '.' || text_[at_] == '_'))
      return error("expressions are whole numbers only", offset);
    emit(Op::push, value, offset);
  }

  void call(const std::string& name, std::size_t offset) {
    struct Function {
      std::string_view name;
      Op op;
      int arity;
    };
    static constexpr Function functions[] = {{"min", Op::min, 2},
                                             {"max", Op::max, 2},
                                             {"ceil_div", Op::ceil_div, 2},
                                             {"next_pow2", Op::next_pow2, 1}};
    for (const auto& function : functions) {
      if (function.name != name) continue;
      expect("(");
      for (int i = 0; i < function.arity && !failed_; ++i) {
        if (i > 0) expect(",");
        if (!failed_) disjunction();
      }
      if (!failed_) expect(")");
      emit(function.op, 0, offset);
      return;
    }
    error(fmt::format("there is no function '{}' (there are min, max, ceil_div, next_pow2)", name),
          offset);
  }

  bool enter() {
    if (++depth_ <= deepest) return true;
    error(fmt::format("more than {} levels deep", deepest));
    return false;
  }

  std::size_t emit(Op op, std::int64_t value = 0, std::size_t offset = 0) {
    program_.steps.push_back({op, value, offset});
    return program_.steps.size() - 1;
  }

  static std::string printable(char c) {
    return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e
               ? fmt::format("\\x{:02x}", static_cast<unsigned char>(c))
               : std::string(1, c);
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(std::string_view token) {
    skip_space();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  static bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  bool take_word(std::string_view word) {
    skip_space();
    if (!text_.substr(at_).starts_with(word)) return false;
    if (at_ + word.size() < text_.size() && in_word(text_[at_ + word.size()])) return false;
    at_ += word.size();
    return true;
  }
  std::string identifier() {
    const std::size_t start = at_;
    if (at_ < text_.size() &&
        (std::isalpha(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }
  void expect(std::string_view token) {
    if (!failed_ && !take(token)) error(fmt::format("'{}' was expected here", token));
  }
  void error(std::string message) { error(std::move(message), at_); }
  void error(std::string message, std::size_t offset) {
    if (failed_) return;
    failed_ = true;
    error_ = {std::move(message), offset};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
  ExprError error_;
  Expr::Program program_;
};

Expr::Expr(std::int64_t constant) {
  auto program = std::make_shared<Program>();
  program->text = std::to_string(constant);
  program->steps.push_back({Op::push, constant, 0});
  node_ = std::move(program);
}

Result<Expr, ExprError> Expr::parse(std::string_view text) { return ExprParser(text).parse(); }

namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr const char* too_large = "the result does not fit in 64 bits";

// Why `a / b` and `a % b` have no value; null where they have one.
const char* why_not_divisible(std::int64_t a, std::int64_t b) {
  if (b == 0) return "division by zero";
  return a == lowest && b == -1 ? too_large : nullptr;
}

}  // namespace

// Evaluates one program, once. What cannot be computed is a reason; null means that it could.
class Expr::Machine {
 public:
  Machine(const Program& program, const Bindings& bindings)
      : program_(program), bindings_(bindings) {}

  Result<std::int64_t, ExprError> run() {
    for (; at_ < program_.steps.size(); ++at_) {
      const Step& step = program_.steps[at_];
      if (step.op == Op::load) {
        const auto& use = program_.symbols[static_cast<std::size_t>(step.value)];
        const auto found = bindings_.find(use.name);
        if (found == bindings_.end())
          return Failure{ExprError{fmt::format("there is no symbol '{}'", use.name), use.offset}};
        stack_.push_back(found->second);
      } else if (const char* why = take(step); why != nullptr) {
        return Failure{ExprError{why, step.offset}};
      }
    }
    return stack_.back();
  }

 private:
  const char* take(const Step& step) {
    switch (step.op) {
      case Op::push:
        stack_.push_back(step.value);
        return nullptr;
      case Op::jump_if_false:
      case Op::jump_if_true:
        jump(step);
        return nullptr;
      case Op::truth:
        stack_.back() = stack_.back() != 0;
        return nullptr;
      case Op::logical_not:
        stack_.back() = stack_.back() == 0;
        return nullptr;
      case Op::neg:
        return negate();
      case Op::next_pow2:
        return round_up_to_a_power();
      default:
        return combine(step.op);
    }
  }

  // `or` ends at its first true operand, `and` at its first false one; that operand's truth is the
  // value. The other operands are not evaluated, so `n == 0 or 8 / n > 2` does not divide by zero.
  void jump(const Step& step) {
    const bool truth = pop() != 0;
    if (truth != (step.op == Op::jump_if_true)) return;
    stack_.push_back(truth);
    at_ = static_cast<std::size_t>(step.value) - 1;  // run() adds one
  }

  const char* negate() {
    if (stack_.back() == lowest) return too_large;
    stack_.back() = -stack_.back();
    return nullptr;
  }

  const char* round_up_to_a_power() {
    const std::int64_t v = stack_.back();
    if (v > (std::int64_t{1} << 62)) return too_large;
    stack_.back() =
        v <= 1 ? 1 : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(v)));
    return nullptr;
  }

  const char* combine(Op op) {
    const std::int64_t b = pop(), a = pop();
    std::int64_t r = 0;
    const char* why = nullptr;
    switch (op) {
      case Op::add:
        why = __builtin_add_overflow(a, b, &r) ? too_large : nullptr;
        break;
      case Op::sub:
        why = __builtin_sub_overflow(a, b, &r) ? too_large : nullptr;
        break;
      case Op::mul:
        why = __builtin_mul_overflow(a, b, &r) ? too_large : nullptr;
        break;
      case Op::div:
      case Op::mod:
      case Op::ceil_div:
        why = why_not_divisible(a, b);
        if (why == nullptr) r = divided(op, a, b);
        break;
      default:
        r = compared(op, a, b);
    }
    if (why == nullptr) stack_.push_back(r);
    return why;
  }

  // Quotients round to zero and remainders have the dividend's sign, as in C: operands in plans are
  // sizes, and that is what kernel authors expect.
  static std::int64_t divided(Op op, std::int64_t a, std::int64_t b) {
    if (op == Op::mod) return a % b;
    const bool rounds_up = op == Op::ceil_div && a % b != 0 && (a < 0) == (b < 0);
    return a / b + (rounds_up ? 1 : 0);
  }

  static std::int64_t compared(Op op, std::int64_t a, std::int64_t b) {
    switch (op) {
      case Op::eq:
        return a == b;
      case Op::ne:
        return a != b;
      case Op::lt:
        return a < b;
      case Op::le:
        return a <= b;
      case Op::gt:
        return a > b;
      case Op::ge:
        return a >= b;
      case Op::min:
        return std::min(a, b);
      default:
        return std::max(a, b);
    }
  }

  std::int64_t pop() {
    const std::int64_t value = stack_.back();
    stack_.pop_back();
    return value;
  }

  const Program& program_;
  const Bindings& bindings_;
  std::vector<std::int64_t> stack_;
  std::size_t at_ = 0;
};

Result<std::int64_t, ExprError> Expr::evaluate(const Bindings& bindings) const {
  return Machine(*node_, bindings).run();
}

}  // namespace hone::base
