#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto x = call.input("x");
  auto& y = call.output("y");
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = 2 * x[i];
}
