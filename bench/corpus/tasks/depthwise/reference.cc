#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto planes = call.size("planes"), height = call.size("height"), width = call.size("width");
  const auto& x = call.input("x");
  const auto& w = call.input("w");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t p = 0; p < planes; ++p)
    for (int64_t r = 0; r < height; ++r)
      for (int64_t c = 0; c < width; ++c) {
        real sum = 0;
        for (int64_t i = 0; i < 13; ++i)
          for (int64_t j = 0; j < 13; ++j) {
            const int64_t from = r + i - 6, at = c + j - 6;
            if (from >= 0 && from < height && at >= 0 && at < width)
              sum += w[p * 169 + i * 13 + j] * x[(p * height + from) * width + at];
          }
        y[(p * height + r) * width + c] = sum;
      }
}
