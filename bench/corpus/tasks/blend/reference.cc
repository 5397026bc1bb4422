#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& a = call.integers("a");
  const auto& b = call.integers("b");
  const auto w = static_cast<int64_t>(call.scalar("w"));
  auto& y = call.output_integers("y");
  for (int64_t i = 0; i < n; ++i) y[i] = (a[i] * w + b[i] * (256 - w) + 128) / 256;
}
