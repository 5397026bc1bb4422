#include "sum.h"

#include "device.h"

static bool check(int64_t n) {
  Tensor x(n), y(1);
  double expected = 0;
  for (const float value : x.host) expected += value;
  must(sum(BEFORE x.on_device(), y.on_device(), n, workspace(sum_workspace_bytes(BEFORE n)) AFTER));
  return close("sum", y.back(), {expected}, 1, 1e-2);
}

int main() { return check(1) && check(4099) && check(1 << 20) ? 0 : 1; }
