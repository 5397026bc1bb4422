#include <hone/reference.h>

HONE_REFERENCE(call) {
  const int64_t rows = call.size("rows"), cols = call.size("cols");
  const auto& x = call.input("x");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t r = 0; r < rows; ++r) {
    const real* in = &x[r * cols];
    real* out = &y[r * cols];
    const real top = *std::max_element(in, in + cols);
    real sum = 0;
    constexpr int64_t block = 256;  // rows may be long: sum in blocks
    for (int64_t c0 = 0; c0 < cols; c0 += block) {
      real part = 0;
      for (int64_t c = c0; c < std::min(c0 + block, cols); ++c) part += out[c] = std::exp(in[c] - top);
      sum += part;
    }
    for (int64_t c = 0; c < cols; ++c) out[c] /= sum;
  }
}
