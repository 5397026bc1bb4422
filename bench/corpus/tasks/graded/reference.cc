#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& x = call.input("x");
  const auto& degree = call.integers("degree");
  const auto& c = call.input("c");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    real sum = 0;
    for (int64_t k = degree[i / 256]; k >= 0; --k) sum = sum * x[i] + c[k];
    y[i] = sum;
  }
}
