#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto& x = call.input("x");
  auto& y = call.output("y");
  auto& z = call.output("z");
  for (size_t i = 0; i < x.size(); ++i) {
    y[i] = 3 * x[i] + 1;
    z[i] = x[i] * x[i] - x[i];
  }
}
