// Expressions: parsing and evaluating never crash, never overflow unnoticed, and every complaint
// points into the text.
#include <cstdlib>
#include <string>

#include "base/expr.h"

using hone::base::Expr;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto expr = Expr::parse(text);
  if (!expr) {
    if (expr.error().message.empty() || expr.error().offset > text.size()) std::abort();
    return 0;
  }
  for (const auto& use : expr->symbols())
    if (text.compare(use.offset, use.name.size(), use.name) != 0) std::abort();
  hone::base::Bindings bindings;
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{7}, INT64_MAX, INT64_MIN}) {
    for (const auto& use : expr->symbols()) bindings[use.name] = value;
    const auto first = expr->evaluate(bindings),
               again = Expr::parse(expr->text())->evaluate(bindings);
    if (first.ok() != again.ok() || (first && *first != *again)) std::abort();
    if (!first && first.error().offset > text.size()) std::abort();
  }
  return 0;
}
