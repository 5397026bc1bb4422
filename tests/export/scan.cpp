#include "scan.h"

#include "device.h"

static bool check(int64_t n) {
  Tensor x(n), y(n);
  std::vector<double> expected;
  double sum = 0;
  for (const float value : x.host) expected.push_back(sum += value);
  must(scan(BEFORE x.on_device(), y.on_device(), n,
            workspace(scan_workspace_bytes(BEFORE n)) AFTER));
  return close("scan", y.back(), expected, 1, 1e-2);
}

int main() { return check(1) && check(4099) && check(1 << 18) ? 0 : 1; }
