#include <hone/reference.h>

HONE_REFERENCE(call) {
  const int64_t rows = call.size("rows"), cols = call.size("cols");
  const auto& x = call.input("x");
  auto& s = call.output("s");
  for (int64_t r = 0; r < rows; ++r) {
    real sum = 0;
    for (int64_t c = 0; c < cols; ++c) sum += std::abs(x[r * cols + c]);
    s[r] = sum;
  }
}
