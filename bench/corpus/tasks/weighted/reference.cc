#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto& x = call.input("x");
  const auto& w = call.input("w");
  auto& y = call.output("y");
  real scale = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j) {
      real sum = 0;
      for (int k = 0; k < 16; ++k) sum += w[k * 9 + i] * w[k * 9 + 4 + j];
      scale += sum * sum;
    }
  for (size_t i = 0; i < x.size(); ++i) y[i] = scale * x[i];
}
