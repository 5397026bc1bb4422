#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& x = call.input("x");
  const auto& a = call.input("a");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    real before = 1, now = x[i], sum = a[0];
    for (int64_t k = 1; k < 12; ++k) {
      sum += a[k] * now;
      const real next = 2 * x[i] * now - before;
      before = now;
      now = next;
    }
    y[i] = sum;
  }
}
