#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto rows = call.size("rows"), cols = call.size("cols");
  const auto x = call.integers("x");
  auto& s = call.output("s");
  for (int64_t r = 0; r < rows; ++r) {
    int64_t sum = 0;
    for (int64_t c = 0; c < cols; ++c) sum += x[r * cols + c];
    s[r] = static_cast<real>(sum);
  }
}
