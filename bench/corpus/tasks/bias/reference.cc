#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto channels = call.size("channels"), plane = call.size("height") * call.size("width");
  const auto& x = call.input("x");
  const auto& b = call.input("b");
  auto& y = call.output("y");
  for (size_t i = 0; i < x.size(); ++i) y[i] = x[i] + b[i / plane % channels];
}
