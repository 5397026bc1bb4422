#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n"), m = call.size("m");
  const auto& x = call.input("x");
  const auto& z = call.input("z");
  const auto& q = call.input("q");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    real sum = 0;
    for (int64_t first = 0; first < m; first += 64) {
      real part = 0;
      for (int64_t j = first; j < std::min(m, first + 64); ++j) {
        const real a = x[i] - z[j], b = x[n + i] - z[m + j], c = x[2 * n + i] - z[2 * m + j];
        part += q[j] / std::sqrt(a * a + b * b + c * c + real(0.001));
      }
      sum += part;
    }
    y[i] = sum;
  }
}
