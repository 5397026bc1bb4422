#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& x = call.input("x");
  auto& y = call.output("y");
  double cosine[8][8];
  for (int k = 0; k < 8; ++k)
    for (int j = 0; j < 8; ++j)
      cosine[k][j] = (k == 0 ? std::sqrt(0.125) : 0.5) * std::cos(std::acos(-1.0) * k * (2 * j + 1) / 16);
  for (int64_t i = 0; i < n; ++i) {
    real half[8][8];
    for (int r = 0; r < 8; ++r)
      for (int k = 0; k < 8; ++k) {
        half[r][k] = 0;
        for (int c = 0; c < 8; ++c) half[r][k] += static_cast<real>(cosine[k][c]) * x[(r * 8 + c) * n + i];
      }
    for (int k = 0; k < 8; ++k)
      for (int c = 0; c < 8; ++c) {
        real sum = 0;
        for (int r = 0; r < 8; ++r) sum += static_cast<real>(cosine[k][r]) * half[r][c];
        y[(k * 8 + c) * n + i] = sum;
      }
  }
}
