#include "transpose.h"

#include "device.h"

static bool check(int64_t rows, int64_t cols) {
  Tensor x(rows * cols), y(rows * cols);
  std::vector<double> expected(x.host.size());
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c)
      expected[static_cast<size_t>(c * rows + r)] = x.host[static_cast<size_t>(r * cols + c)];
  must(transpose(BEFORE x.on_device(), y.on_device(), rows, cols,
                 workspace(transpose_workspace_bytes(BEFORE rows, cols)) AFTER));
  return close("transpose", y.back(), expected, 1, 0);
}

int main() { return check(33, 47) && check(128, 256) && check(1, 5) ? 0 : 1; }
