#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& x = call.input("x");
  const auto& pick = call.integers("pick");
  const auto& w = call.input("w");
  auto& y = call.output("y");
  for (int64_t i = 0; i < n; ++i) {
    real sum = 0;
    for (int j = 0; j < 24; ++j) {
      real unit = w[j * 6 + 4];
      for (int f = 0; f < 4; ++f) unit += w[j * 6 + f] * x[pick[i] * 4 + f];
      if (unit > 0) sum += w[j * 6 + 5] * unit;
    }
    y[i] = sum;
  }
}
