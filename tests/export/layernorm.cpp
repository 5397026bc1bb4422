#include "layernorm.h"

#include <cmath>

#include "device.h"

static bool check(int64_t rows, int64_t cols) {
  Tensor x(rows * cols), gamma(cols), beta(cols), y(rows * cols);
  std::vector<double> expected(x.host.size());
  for (int64_t r = 0; r < rows; ++r) {
    const float* row = &x.host[static_cast<size_t>(r * cols)];
    double mean = 0, variance = 0;
    for (int64_t c = 0; c < cols; ++c) mean += row[c] / static_cast<double>(cols);
    for (int64_t c = 0; c < cols; ++c)
      variance += (row[c] - mean) * (row[c] - mean) / static_cast<double>(cols);
    for (int64_t c = 0; c < cols; ++c) {
      const size_t column = static_cast<size_t>(c);
      expected[static_cast<size_t>(r * cols + c)] =
          (row[c] - mean) / std::sqrt(variance + 1e-5) * gamma.host[column] + beta.host[column];
    }
  }
  must(layernorm(BEFORE x.on_device(), gamma.on_device(), beta.on_device(), y.on_device(), rows,
                 cols, workspace(layernorm_workspace_bytes(BEFORE rows, cols)) AFTER));
  return close("layernorm", y.back(), expected, 1, 1e-3);
}

int main() { return check(33, 255) && check(7, 1024) ? 0 : 1; }
