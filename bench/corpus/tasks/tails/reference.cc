#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& x = call.input("x");
  auto& y = call.output("y");
  for (int64_t i = 0; i < n; ++i) {
    const real a = std::abs(x[i]);
    real f = a;
    for (int level = 32; level > 0; --level) f = a + level / f;
    y[i] = a > 2 ? f : x[i];
  }
}
