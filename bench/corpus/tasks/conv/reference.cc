#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto batch = call.size("batch"), height = call.size("height"), width = call.size("width");
  const auto& x = call.input("x");
  const auto& w = call.input("w");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t pixel = 0; pixel < batch * height * width; ++pixel) {
    const int64_t c = pixel % width, r = pixel / width % height, b = pixel / width / height;
    std::vector<real> sums(128, 0);
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 3; ++j) {
        const int64_t from = r + i - 1, at = c + j - 1;
        if (from < 0 || from >= height || at < 0 || at >= width) continue;
        const real* in = x.data() + ((b * height + from) * width + at) * 128;
        for (int64_t k = 0; k < 128; ++k)
          for (int64_t o = 0; o < 128; ++o) sums[o] += in[k] * w[((i * 3 + j) * 128 + k) * 128 + o];
      }
    std::copy(sums.begin(), sums.end(), y.begin() + pixel * 128);
  }
}
