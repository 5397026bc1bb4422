#include <hone/reference.h>

HONE_REFERENCE(call) {
  const int64_t m = call.size("m"), n = call.size("n"), k = call.size("k");
  const auto& a = call.input("a");
  const auto& b = call.input("b");
  auto& y = call.output("y");
  // A tile of y is summed over one block of k after the other; the block of b that it needs stays in the cache.
  constexpr int64_t rows = 4, cols = 128, depth = 256;
#pragma omp parallel for collapse(2)
  for (int64_t j0 = 0; j0 < n; j0 += cols) {
    for (int64_t i0 = 0; i0 < m; i0 += rows) {
      const int64_t width = std::min(cols, n - j0), height = std::min(rows, m - i0);
      real sum[rows][cols] = {};
      for (int64_t l0 = 0; l0 < k; l0 += depth) {
        real part[rows][cols] = {};
        for (int64_t l = l0; l < std::min(l0 + depth, k); ++l)
          for (int64_t i = 0; i < height; ++i)
            for (int64_t j = 0; j < width; ++j) part[i][j] += a[(i0 + i) * k + l] * b[l * n + j0 + j];
        for (int64_t i = 0; i < height; ++i)
          for (int64_t j = 0; j < width; ++j) sum[i][j] += part[i][j];
      }
      for (int64_t i = 0; i < height; ++i)
        for (int64_t j = 0; j < width; ++j) y[(i0 + i) * n + j0 + j] = sum[i][j];
    }
  }
}
