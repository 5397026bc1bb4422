#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n"), m = call.size("m"), dims = call.size("dims");
  const auto& a = call.input("a");
  const auto& b = call.input("b");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j) {
      real sum = 0;
      for (int64_t d = 0; d < dims; ++d) sum += std::abs(a[i * dims + d] - b[j * dims + d]);
      y[i * m + j] = sum;
    }
}
