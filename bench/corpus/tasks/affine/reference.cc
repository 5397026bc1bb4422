#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto& x = call.input("x");
  const real a = call.scalar("a"), b = call.scalar("b");
  auto& y = call.output("y");
  for (size_t i = 0; i < x.size(); ++i) y[i] = a * x[i] + b;
}
