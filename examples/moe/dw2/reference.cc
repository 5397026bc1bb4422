#include <hone/reference.h>

// Sums of blocks of 64 rows, so that long sums are as exact as those of a good kernel.
HONE_REFERENCE(call) {
  const int64_t experts = call.size("experts"), m = call.size("m"), n = call.size("n");
  const auto& dy = call.input("dy");
  const auto& x = call.input("x");
  const auto& ends = call.integers("ends");
  auto& y = call.output("y");
  constexpr int64_t depth = 64;
#pragma omp parallel for
  for (int64_t e = 0; e < experts; ++e) {
    std::vector<real> part(n);
    for (int64_t i = 0; i < m; ++i) {
      real* to = &y[(e * m + i) * n];
      std::fill(to, to + n, real(0));
      for (int64_t r0 = e == 0 ? 0 : ends[e - 1]; r0 < ends[e]; r0 += depth) {
        std::fill(part.begin(), part.end(), real(0));
        for (int64_t r = r0; r < std::min(r0 + depth, ends[e]); ++r)
          for (int64_t j = 0; j < n; ++j) part[j] += dy[r * m + i] * x[r * n + j];
        for (int64_t j = 0; j < n; ++j) to[j] += part[j];
      }
    }
  }
}
