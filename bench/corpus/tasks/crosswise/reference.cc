#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto m = call.size("m"), n = call.size("n"), k = call.size("k");
  const auto& a = call.input("a");
  const auto& b = call.input("b");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      real sum = 0;
      for (int64_t l = 0; l < k; ++l) sum += std::abs(a[i * k + l] - b[l * n + j]);
      y[i * n + j] = sum;
    }
}
