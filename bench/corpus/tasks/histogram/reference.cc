#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto& x = call.integers("x");
  auto& y = call.output_integers("y");
  std::fill(y.begin(), y.end(), 0);
  for (const int64_t v : x) ++y[v];
}
