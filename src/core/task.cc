#include "core/task.h"

#include <fmt/format.h>

namespace hone::core {

base::Result<TensorShape> shape_of(const std::vector<base::Expr>& shape,
                                   const base::Bindings& bindings) {
  TensorShape result;
  result.elements = 1;
  for (const auto& expr : shape) {
    const auto dim = expr.evaluate(bindings);
    if (!dim) return base::Failure{fmt::format("'{}': {}", expr.text(), dim.error().message)};
    if (*dim <= 0)
      return base::Failure{fmt::format("'{}' is {}; a dimension is at least 1", expr.text(), *dim)};
    if (__builtin_mul_overflow(result.elements, *dim, &result.elements))
      return base::Failure{std::string("the tensor has more than 2^63 elements")};
    result.dims.push_back(*dim);
  }
  return result;
}

}  // namespace hone::core
