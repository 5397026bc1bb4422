#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto x = call.input("x"), y = call.input("y");
  auto& z = call.output("z");
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = 2 * x[i] + y[i];
}
