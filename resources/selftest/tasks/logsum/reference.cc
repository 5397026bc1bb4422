#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto rows = call.size("rows"), cols = call.size("cols");
  const auto x = call.input("x");
  auto& s = call.output("s");
  for (int64_t r = 0; r < rows; ++r) {
    const real* row = x.data() + r * cols;
    const real top = *std::max_element(row, row + cols);
    real sum = 0;
    for (int64_t c = 0; c < cols; ++c) sum += std::exp(row[c] - top);
    s[r] = top + std::log(sum);
  }
}
