#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& direction = call.integers("direction");
  const auto& strength = call.input("strength");
  auto& y = call.output("y");
  std::fill(y.begin(), y.end(), real(0));
  for (int64_t p = 0; p < 64; ++p)
    for (int64_t i = 0; i < n; ++i) y[direction[p * n + i] * n + i] += strength[p * n + i];
}
