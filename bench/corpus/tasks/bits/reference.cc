#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto& x = call.integers("x");
  auto& y = call.output_integers("y");
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t ones = 0;
    for (int bit = 0; bit < 32; ++bit) ones += x[i] >> bit & 1;
    y[i] = ones;
  }
}
