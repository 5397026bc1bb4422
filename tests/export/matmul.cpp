#include "matmul.h"

#include "device.h"

static bool check(int64_t m, int64_t n, int64_t k) {
  Tensor a(m * k), b(k * n), y(m * n);
  std::vector<double> expected(y.host.size(), 0.0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t l = 0; l < k; ++l)
      for (int64_t j = 0; j < n; ++j)
        expected[static_cast<size_t>(i * n + j)] +=
            static_cast<double>(a.host[static_cast<size_t>(i * k + l)]) *
            b.host[static_cast<size_t>(l * n + j)];
  must(matmul(BEFORE a.on_device(), b.on_device(), y.on_device(), m, k, n,
              workspace(matmul_workspace_bytes(BEFORE m, k, n)) AFTER));
  return close("matmul", y.back(), expected, 1, 1e-4);
}

int main() { return check(65, 33, 77) && check(128, 64, 300) && check(1, 31, 3) ? 0 : 1; }
