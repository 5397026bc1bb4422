#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto steps = call.size("steps"), width = call.size("width");
  const auto& x = call.input("x");
  const auto& a = call.input("a");
  auto& y = call.output("y");
  for (int64_t c = 0; c < width; ++c) {
    real mean = 0;
    for (int64_t t = 0; t < steps; ++t) y[t * width + c] = mean = a[c] * mean + (1 - a[c]) * x[t * width + c];
  }
}
