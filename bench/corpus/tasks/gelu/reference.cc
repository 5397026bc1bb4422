#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& x = call.input("x");
  auto& y = call.output("y");
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] / 2 * (1 + std::erf(x[i] / std::sqrt(real(2))));
}
