#pragma once
// Integer expressions over named symbols, as plans and tasks use them. Parsed once into a flat
// program for a stack, evaluated often: a search evaluates the same grid for every point of its
// tunables. Arithmetic is 64-bit and checked: overflow and division by zero are errors with the
// place in the text, never wrapped values. Immutable once parsed, and copies share the program, so
// any thread may evaluate it.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hone::base {

using Bindings = std::map<std::string, std::int64_t, std::less<>>;

struct ExprError {
  std::string message;
  std::size_t offset = 0;  // into the expression's text
};

struct SymbolUse {
  std::string name;
  std::size_t offset = 0;
};

class Expr {
 public:
  Expr() : Expr(0) {}
  Expr(std::int64_t constant);
  static Result<Expr, ExprError> parse(std::string_view text);

  Result<std::int64_t, ExprError> evaluate(const Bindings& bindings) const;
  // The same expression in C++ over int64_t, for exported launchers: unchecked, with functions
  // named hone_min, hone_max, hone_ceil_div and hone_next_pow2, and each symbol as `name` gives it.
  using Naming = std::function<std::string(const std::string&)>;
  std::string to_cpp(const Naming& name) const;
  // In Python likewise, where hone_div and hone_mod round to zero too.
  std::string to_python(const Naming& name) const;
  const std::vector<SymbolUse>& symbols() const { return node_->symbols; }
  const std::string& text() const { return node_->text; }

 private:
  enum class Op : std::uint8_t {
    push,
    load,
    add,
    sub,
    mul,
    div,
    mod,
    neg,
    eq,
    ne,
    lt,
    le,
    gt,
    ge,
    logical_not,
    jump_if_false,
    jump_if_true,
    truth,
    min,
    max,
    ceil_div,
    next_pow2
  };
  struct Step {
    Op op;
    std::int64_t value = 0;  // a constant, a symbol's index, or the step to jump to
    std::size_t offset = 0;  // where in the text, for errors
  };
  struct Program {
    std::string text;
    std::vector<Step> steps;
    std::vector<SymbolUse> symbols;
  };
  class Machine;  // evaluates a program: expr.cc
  class Writer;   // writes it in another language: expr_text.cc
  friend class ExprParser;
  std::shared_ptr<const Program> node_;
};

}  // namespace hone::base
