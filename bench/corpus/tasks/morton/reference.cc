#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& x = call.integers("x");
  const auto& y = call.integers("y");
  const auto& z = call.integers("z");
  auto& code = call.output_integers("code");
  for (int64_t i = 0; i < n; ++i) {
    int64_t woven = 0;
    for (int bit = 20; bit >= 0; --bit)
      woven = woven * 8 + (x[i] >> bit & 1) * 4 + (y[i] >> bit & 1) * 2 + (z[i] >> bit & 1);
    code[i] = woven;
  }
}
