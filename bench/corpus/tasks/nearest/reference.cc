#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n"), m = call.size("m");
  const auto& x = call.input("x");
  const auto& z = call.input("z");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    real least = INFINITY;
    for (int64_t j = 0; j < m; ++j) {
      const real a = x[i] - z[j], b = x[n + i] - z[m + j], c = x[2 * n + i] - z[2 * m + j];
      least = std::min(least, a * a + b * b + c * c);
    }
    y[i] = std::sqrt(least);
  }
}
