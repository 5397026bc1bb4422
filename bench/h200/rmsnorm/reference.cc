#include <hone/reference.h>

HONE_REFERENCE(call) {
  const int64_t batch = call.size("batch"), features = call.size("features"),
                area = call.size("height") * call.size("width");
  const auto& x = call.input("x");
  const real eps = call.scalar("eps");
  auto& y = call.output("y");
  constexpr int64_t strip = 256;  // positions that are done together, feature by feature
#pragma omp parallel for collapse(2)
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t p0 = 0; p0 < area; p0 += strip) {
      const int64_t width = std::min(strip, area - p0), first = b * features * area + p0;
      real scale[strip] = {};
      for (int64_t f = 0; f < features; ++f)
        for (int64_t p = 0; p < width; ++p) scale[p] += x[first + f * area + p] * x[first + f * area + p];
      for (int64_t p = 0; p < width; ++p) scale[p] = 1 / std::sqrt(scale[p] / features + eps);
      for (int64_t f = 0; f < features; ++f)
        for (int64_t p = 0; p < width; ++p) y[first + f * area + p] = x[first + f * area + p] * scale[p];
    }
  }
}
