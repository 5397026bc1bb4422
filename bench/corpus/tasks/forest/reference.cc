#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& x = call.input("x");
  const auto& split = call.input("split");
  const auto& leaf = call.input("leaf");
  auto& y = call.output("y");
  for (int64_t i = 0; i < n; ++i) {
    real sum = 0;
    for (int64_t tree = 0; tree < 8; ++tree) {
      int64_t node = 1;
      for (int level = 0; level < 12; ++level)
        node = 2 * node + (x[i * 4 + level % 4] > split[tree * 4096 + node] ? 1 : 0);
      sum += leaf[tree * 4096 + node - 4096];
    }
    y[i] = sum;
  }
}
