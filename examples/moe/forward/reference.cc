#include <hone/reference.h>

// Sums of blocks of 64 products, so that long sums are as exact as those of a good kernel.
HONE_REFERENCE(call) {
  const int64_t experts = call.size("experts"), n = call.size("n"), k = call.size("k");
  const auto& x = call.input("x");
  const auto& w = call.input("w");
  const auto& ends = call.integers("ends");
  auto& y = call.output("y");
  constexpr int64_t depth = 64;
  for (int64_t e = 0; e < experts; ++e) {
#pragma omp parallel for
    for (int64_t r = e == 0 ? 0 : ends[e - 1]; r < ends[e]; ++r)
      for (int64_t j = 0; j < n; ++j) {
        real sum = 0;
        for (int64_t l0 = 0; l0 < k; l0 += depth) {
          real part = 0;
          for (int64_t l = l0; l < std::min(l0 + depth, k); ++l) part += x[r * k + l] * w[(e * n + j) * k + l];
          sum += part;
        }
        y[r * n + j] = sum;
      }
  }
}
