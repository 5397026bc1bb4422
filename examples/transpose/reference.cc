#include <hone/reference.h>

HONE_REFERENCE(call) {
  const int64_t rows = call.size("rows"), cols = call.size("cols");
  const auto& x = call.input("x");
  auto& y = call.output("y");
  constexpr int64_t tile = 32;  // both tiles of a pair stay in the first-level cache
#pragma omp parallel for
  for (int64_t c0 = 0; c0 < cols; c0 += tile) {
    const int64_t c1 = std::min(c0 + tile, cols);
    for (int64_t r0 = 0; r0 < rows; r0 += tile) {
      const int64_t r1 = std::min(r0 + tile, rows);
      for (int64_t c = c0; c < c1; ++c)
        for (int64_t r = r0; r < r1; ++r) y[c * rows + r] = x[r * cols + c];
    }
  }
}
