#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& table = call.integers("table");
  const auto& text = call.integers("text");
  auto& y = call.output_integers("y");
  for (int64_t i = 0; i < n; ++i) {
    int64_t state = 0;
    for (int64_t w = 0; w < 4; ++w)
      for (int64_t s = 0; s < 15; ++s) state = table[state * 4 + (text[w * n + i] >> (2 * s)) % 4];
    y[i] = state;
  }
}
