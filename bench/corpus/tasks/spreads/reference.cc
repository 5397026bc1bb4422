#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto pool = call.size("pool"), windows = call.size("windows");
  const auto& x = call.input("x");
  const auto& start = call.integers("start");
  const auto& length = call.integers("length");
  auto& y = call.output("y");
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t w = 0; w < windows; ++w) {
    real sum = 0;
    for (int64_t i = 0; i < length[w]; ++i) {
      real part = 0;
      for (int64_t j = 0; j < i; ++j) part += std::abs(x[(start[w] + i) % pool] - x[(start[w] + j) % pool]);
      sum += part;
    }
    y[w] = sum;
  }
}
