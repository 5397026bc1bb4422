#include "softmax.h"

#include <algorithm>
#include <cmath>

#include "device.h"

static bool check(int64_t rows, int64_t cols) {
  Tensor x(rows * cols), y(rows * cols);
  std::vector<double> expected(x.host.size());
  for (int64_t r = 0; r < rows; ++r) {
    const float* row = &x.host[static_cast<size_t>(r * cols)];
    double top = row[0], sum = 0;
    for (int64_t c = 0; c < cols; ++c) top = std::max(top, static_cast<double>(row[c]));
    for (int64_t c = 0; c < cols; ++c) sum += std::exp(row[c] - top);
    for (int64_t c = 0; c < cols; ++c)
      expected[static_cast<size_t>(r * cols + c)] = std::exp(row[c] - top) / sum;
  }
  must(softmax(BEFORE x.on_device(), y.on_device(), rows, cols,
               workspace(softmax_workspace_bytes(BEFORE rows, cols)) AFTER));
  return close("softmax", y.back(), expected, 1.0 / static_cast<double>(cols), 1e-4);
}

int main() {
  Tensor x(1), y(1);
  const bool refused =
      refuses_bad_sizes(softmax(BEFORE x.on_device(), y.on_device(), 0, 1, nullptr AFTER));
  // Both sides of the `when` of examples/features, odd sizes among them.
  return refused && check(33, 255) && check(3, 1025) && check(16, 1024) && check(1, 1) ? 0 : 1;
}
