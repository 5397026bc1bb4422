#include <hone/reference.h>

namespace {

// Scans blocks on their own and adds to each what came before it, which is a scan of the blocks' sums. A single
// running sum would lose digits in `real`.
void scan(const real* x, real* y, int64_t n) {
  constexpr int64_t block = 512;
  const int64_t blocks = (n + block - 1) / block;
  std::vector<real> before(blocks + 1);
#pragma omp parallel for
  for (int64_t b = 0; b < blocks; ++b) {
    real sum = 0;
    for (int64_t i = b * block; i < std::min(n, (b + 1) * block); ++i) y[i] = sum += x[i];
    before[b + 1] = sum;
  }
  if (blocks == 1) return;
  const std::vector<real> sums(before.begin() + 1, before.end());
  scan(sums.data(), &before[1], blocks);
#pragma omp parallel for
  for (int64_t b = 1; b < blocks; ++b)
    for (int64_t i = b * block; i < std::min(n, (b + 1) * block); ++i) y[i] += before[b];
}

}  // namespace

HONE_REFERENCE(call) {
  const auto& x = call.input("x");
  scan(x.data(), call.output("y").data(), call.size("n"));
}
