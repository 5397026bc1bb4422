#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto& x = call.integers("x");
  auto& y = call.output_integers("y");
  for (size_t i = 0; i < x.size(); ++i) {
    auto v = static_cast<uint32_t>(x[i]);
    for (int round = 0; round < 32; ++round) {
      v = v * 1664525u + 1013904223u;
      v ^= v >> 15;
    }
    y[i] = static_cast<int32_t>(v);
  }
}
