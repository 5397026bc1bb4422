#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto bags = call.size("bags");
  const auto& x = call.input("x");
  const auto& pick = call.integers("pick");
  auto& y = call.output("y");
  for (int64_t b = 0; b < bags; ++b)
    for (int64_t c = 0; c < 128; ++c) {
      real sum = 0;
      for (int64_t j = 0; j < 512; ++j) sum += x[pick[b * 512 + j] * 128 + c];
      y[b * 128 + c] = sum;
    }
}
