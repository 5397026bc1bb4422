#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto rows = call.size("rows"), cols = call.size("cols");
  const auto& x = call.input("x");
  auto& y = call.output("y");
  std::fill(y.begin(), y.end(), real(0));
  std::vector<real> part(cols);
  for (int64_t first = 0; first < rows; first += 64) {
    std::fill(part.begin(), part.end(), real(0));
    for (int64_t r = first; r < std::min(rows, first + 64); ++r)
      for (int64_t c = 0; c < cols; ++c) part[c] += x[r * cols + c];
    for (int64_t c = 0; c < cols; ++c) y[c] += part[c];
  }
}
