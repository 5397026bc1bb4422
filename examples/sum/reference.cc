#include <hone/reference.h>

namespace {

// Sums in blocks, then the blocks' sums: a chain of a hundred million additions would lose digits in `real`.
real sum_of(const real* x, int64_t n) {
  constexpr int64_t block = 4096;
  if (n <= block) {
    real s = 0;
#pragma omp simd reduction(+ : s)
    for (int64_t i = 0; i < n; ++i) s += x[i];
    return s;
  }
  const int64_t blocks = (n + block - 1) / block;
  std::vector<real> partial(blocks);
#pragma omp parallel for
  for (int64_t b = 0; b < blocks; ++b) partial[b] = sum_of(x + b * block, std::min(block, n - b * block));
  return sum_of(partial.data(), blocks);
}

}  // namespace

HONE_REFERENCE(call) {
  const auto& x = call.input("x");
  call.output("y")[0] = sum_of(x.data(), call.size("n"));
}
