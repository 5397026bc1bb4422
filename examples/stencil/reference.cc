#include <hone/reference.h>

HONE_REFERENCE(call) {
  const int64_t height = call.size("height"), width = call.size("width");
  const auto& x = call.input("x");
  const auto& w = call.input("w");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t i = 0; i < height; ++i) {
    real* out = &y[i * width];
    std::fill(out, out + width, real(0));
    for (int64_t u = 0; u < 5; ++u) {
      const int64_t row = i + u - 2;
      if (row < 0 || row >= height) continue;
      const real* in = &x[row * width];
      for (int64_t v = 0; v < 5; ++v) {
        const int64_t shift = v - 2, from = std::max<int64_t>(0, -shift), to = std::min(width, width - shift);
        for (int64_t j = from; j < to; ++j) out[j] += w[u * 5 + v] * in[j + shift];
      }
    }
  }
}
