#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n"), m = call.size("m");
  const auto& x = call.input("x");
  const auto& t = call.input("t");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    real sum = 0, lost = 0;
    for (int64_t j = 0; j < m; ++j) {
      const real added = std::abs(x[i] - t[j]) - lost, next = sum + added;
      lost = (next - sum) - added;
      sum = next;
    }
    y[i] = sum;
  }
}
