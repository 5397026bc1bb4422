#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto& x = call.integers("x");
  auto& y = call.output_integers("y");
  for (size_t i = 0; i < x.size(); ++i) {
    auto v = static_cast<uint32_t>(x[i]);
    for (int round = 0; round < 64; ++round) {
      switch (i % 4) {
        case 0:
          v = v * 1664525u + 1013904223u;
          v ^= v >> 15;
          break;
        case 1:
          v ^= v << 13;
          v ^= v >> 17;
          break;
        case 2:
          v = (v ^ (v >> 16)) * 0x45d9f3bu;
          break;
        default:
          v = ((v << 7) | (v >> 25)) + 0x9e3779b9u;
          v ^= v >> 11;
      }
    }
    y[i] = static_cast<int32_t>(v);
  }
}
