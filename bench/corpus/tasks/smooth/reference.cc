#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto& x = call.input("x");
  auto& y = call.output("y");
  for (size_t i = 0; i < x.size(); ++i) {
    real v = x[i];
    for (int step = 0; step < 128; ++step) v = real(0.9921875) * v + real(0.015625);
    y[i] = v;
  }
}
