#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto rows = call.size("rows"), cols = call.size("cols");
  const auto& x = call.input("x");
  auto& y = call.output("y");
  for (int64_t r = 0; r < rows; ++r) {
    real sum = 0;
    for (int64_t first = 0; first < cols; first += 64) {
      real part = 0;
      for (int64_t c = first; c < std::min(cols, first + 64); ++c) part += x[r * cols + c] * x[r * cols + c];
      sum += part;
    }
    y[r] = std::sqrt(sum);
  }
}
