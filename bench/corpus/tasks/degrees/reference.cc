#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto& to = call.integers("to");
  auto& y = call.output_integers("y");
  std::fill(y.begin(), y.end(), 0);
  for (const int64_t node : to) ++y[node];
}
