#include <hone/reference.h>

HONE_REFERENCE(call) {
  const int64_t heads = call.size("heads"), seq = call.size("seq"), dim = call.size("dim");
  const auto& q = call.input("q");
  const auto& k = call.input("k");
  const auto& v = call.input("v");
  auto& y = call.output("y");
  const real scale = 1 / std::sqrt(real(dim));
#pragma omp parallel for collapse(2) schedule(dynamic, 64)
  for (int64_t h = 0; h < heads; ++h) {
    for (int64_t i = 0; i < seq; ++i) {
      const real* query = &q[(h * seq + i) * dim];
      std::vector<real> weight(i + 1);
      for (int64_t j = 0; j <= i; ++j) {
        const real* key = &k[(h * seq + j) * dim];
        real dot = 0;
#pragma omp simd reduction(+ : dot)
        for (int64_t d = 0; d < dim; ++d) dot += query[d] * key[d];
        weight[j] = dot * scale;
      }
      const real top = *std::max_element(weight.begin(), weight.end());
      real sum = 0;
      for (real& w : weight) sum += w = std::exp(w - top);
      real* out = &y[(h * seq + i) * dim];
      std::fill(out, out + dim, real(0));
      for (int64_t j = 0; j <= i; ++j)
        for (int64_t d = 0; d < dim; ++d) out[d] += weight[j] * v[(h * seq + j) * dim + d];
      for (int64_t d = 0; d < dim; ++d) out[d] /= sum;
    }
  }
}
