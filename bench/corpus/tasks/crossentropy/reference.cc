#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto rows = call.size("rows"), classes = call.size("classes");
  const auto& x = call.input("x");
  const auto& right = call.integers("right");
  auto& y = call.output("y");
  for (int64_t r = 0; r < rows; ++r) {
    const real* row = x.data() + r * classes;
    const real top = *std::max_element(row, row + classes);
    real sum = 0;
    for (int64_t first = 0; first < classes; first += 64) {
      real part = 0;
      for (int64_t c = first; c < std::min(classes, first + 64); ++c) part += std::exp(row[c] - top);
      sum += part;
    }
    y[r] = top + std::log(sum) - row[right[r]];
  }
}
