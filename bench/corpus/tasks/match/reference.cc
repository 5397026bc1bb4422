#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto rows = call.size("rows"), cols = call.size("cols");
  const auto& x = call.input("x");
  const auto& t = call.input("t");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) {
      real sum = 0;
      for (int64_t i = 0; i < 11; ++i)
        for (int64_t j = 0; j < 13; ++j) sum += std::abs(x[(r + i) * (cols + 12) + c + j] - t[i * 13 + j]);
      y[r * cols + c] = sum;
    }
}
