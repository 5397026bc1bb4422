#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& g = call.input("g");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    const real u = g[i], v = g[n + i], w = g[2 * n + i], s = 2 / (1 + u * u + v * v + w * w);
    const real of[9] = {1 - s * (v * v + w * w), s * (u * v - w),         s * (u * w + v),
                        s * (u * v + w),         1 - s * (u * u + w * w), s * (v * w - u),
                        s * (u * w - v),         s * (v * w + u),         1 - s * (u * u + v * v)};
    for (int e = 0; e < 9; ++e) y[i * 9 + e] = of[e];
  }
}
