#include <hone/reference.h>

HONE_REFERENCE(call) {
  const int64_t rows = call.size("rows"), cols = call.size("cols");
  const auto& x = call.input("x");
  auto& y = call.output("y");
  constexpr int64_t block = 128;  // summed by itself: long chains of additions lose digits
#pragma omp parallel for
  for (int64_t r = 0; r < rows; ++r) {
    real before = 0;
    for (int64_t c0 = 0; c0 < cols; c0 += block) {
      real sum = 0;
      for (int64_t c = c0; c < std::min(c0 + block, cols); ++c) y[r * cols + c] = before + (sum += x[r * cols + c]);
      before += sum;
    }
  }
}
