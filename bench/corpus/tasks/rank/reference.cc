#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto& x = call.input("x");
  const auto& t = call.input("t");
  auto& y = call.output_integers("y");
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t count = 0;
    for (const real one : t) count += one > x[i] ? 1 : 0;
    y[i] = count;
  }
}
