#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto& x = call.input("x");
  const auto& w = call.input("w");
  auto& y = call.output("y");
  for (size_t i = 0; i < y.size(); ++i) {
    real sum = 0;
    for (size_t k = 0; k < 128; ++k) sum += w[k] * x[i + k];
    y[i] = sum;
  }
}
