#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto& x = call.input("x");
  const auto& w = call.input("w");
  auto& y = call.output("y");
  for (size_t i = 0; i < x.size(); ++i) {
    real sum = 0;
    for (int k = 0; k < 64; ++k) sum += w[k] * std::exp(-real(k + 1) * (x[i] * x[i]));
    y[i] = sum;
  }
}
