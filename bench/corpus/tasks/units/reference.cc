#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n"), m = call.size("m"), dims = call.size("dims");
  const auto& x = call.input("x");
  const auto& w = call.input("w");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    real sum = 0;
    for (int64_t first = 0; first < m; first += 64) {
      real part = 0;
      for (int64_t j = first; j < std::min(m, first + 64); ++j) {
        real dot = 0;
        for (int64_t d = 0; d < dims; ++d) dot += x[i * dims + d] * w[j * dims + d];
        part += std::max(dot, real(0));
      }
      sum += part;
    }
    y[i] = sum;
  }
}
