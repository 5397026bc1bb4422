#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto rows = call.size("rows"), entries = call.size("entries");
  const auto& value = call.input("value");
  const auto& column = call.integers("column");
  const auto& x = call.input("x");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t r = 0; r < rows; ++r) {
    real sum = 0;
    for (int64_t e = 0; e < entries; ++e) sum += value[e * rows + r] * x[column[e * rows + r]];
    y[r] = sum;
  }
}
