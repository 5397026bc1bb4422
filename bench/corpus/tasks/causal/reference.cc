#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& x = call.input("x");
  const auto& h = call.input("h");
  auto& y = call.output("y");
#pragma omp parallel for schedule(dynamic, 64)
  for (int64_t i = 0; i < n; ++i) {
    real sum = 0;
    for (int64_t first = 0; first <= i; first += 256) {
      real part = 0;
      for (int64_t j = first; j <= std::min(i, first + 255); ++j) part += h[j] * x[i - j];
      sum += part;
    }
    y[i] = sum;
  }
}
