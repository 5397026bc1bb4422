#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto batch = call.size("batch"), pixels = call.size("pixels");
  const auto& a = call.integers("a");
  const auto& b = call.integers("b");
  auto& y = call.output_integers("y");
  for (int64_t p = 0; p < batch; ++p) {
    y[p] = 0;
    for (int64_t i = p * pixels; i < (p + 1) * pixels; ++i) y[p] += (a[i] - b[i]) * (a[i] - b[i]);
  }
}
