#include <hone/reference.h>

HONE_REFERENCE(call) {
  const int64_t batch = call.size("batch"), rows = call.size("rows"), cols = call.size("cols");
  const auto& x = call.input("x");
  auto& y = call.output("y");
  constexpr int64_t block = 64;  // rows that are summed by themselves: long chains of additions lose digits
#pragma omp parallel for
  for (int64_t b = 0; b < batch; ++b) {
    real* out = &y[b * cols];
    std::fill(out, out + cols, real(0));
    std::vector<real> part(cols);
    for (int64_t r0 = 0; r0 < rows; r0 += block) {
      std::fill(part.begin(), part.end(), real(0));
      for (int64_t r = r0; r < std::min(r0 + block, rows); ++r)
        for (int64_t c = 0; c < cols; ++c) part[c] += x[(b * rows + r) * cols + c];
      for (int64_t c = 0; c < cols; ++c) out[c] += part[c];
    }
  }
}
