#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto rows = call.size("rows"), cols = call.size("cols");
  const auto x = call.input("x");
  auto& v = call.output("v");
  for (int64_t r = 0; r < rows; ++r) {
    const real* row = x.data() + r * cols;
    real mean = 0, sum = 0;
    for (int64_t c = 0; c < cols; ++c) mean += row[c];
    mean /= static_cast<real>(cols);
    for (int64_t c = 0; c < cols; ++c) sum += (row[c] - mean) * (row[c] - mean);
    v[r] = sum / static_cast<real>(cols);
  }
}
