#include <hone/reference.h>

namespace {

// Sum of f(0) … f(n - 1), in blocks: images are large.
template <typename F>
real sum_over(int64_t n, F f) {
  constexpr int64_t block = 512;
  real sum = 0;
  for (int64_t i0 = 0; i0 < n; i0 += block) {
    real part = 0;
#pragma omp simd reduction(+ : part)
    for (int64_t i = i0; i < std::min(i0 + block, n); ++i) part += f(i);
    sum += part;
  }
  return sum;
}

}  // namespace

HONE_REFERENCE(call) {
  const int64_t rows = call.size("batch"), cols = call.size("features") * call.size("height") * call.size("width");
  const auto& x = call.input("x");
  const auto& weight = call.input("weight");
  const auto& bias = call.input("bias");
  const real eps = call.scalar("eps");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t r = 0; r < rows; ++r) {
    const real* in = &x[r * cols];
    real* out = &y[r * cols];
    const real mean = sum_over(cols, [&](int64_t c) { return in[c]; }) / cols;
    const real var = sum_over(cols, [&](int64_t c) { return (in[c] - mean) * (in[c] - mean); }) / cols;
    const real scale = 1 / std::sqrt(var + eps);
    for (int64_t c = 0; c < cols; ++c) out[c] = (in[c] - mean) * scale * weight[c] + bias[c];
  }
}
