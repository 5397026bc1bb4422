#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto heads = call.size("heads"), seq = call.size("seq");
  const auto& q = call.input("q");
  const auto& k = call.input("k");
  auto& y = call.output("y");
#pragma omp parallel for
  for (int64_t h = 0; h < heads; ++h)
    for (int64_t i = 0; i < seq; ++i)
      for (int64_t j = 0; j < seq; ++j) {
        real dot = 0;
        for (int64_t d = 0; d < 64; ++d) dot += q[(h * seq + i) * 64 + d] * k[(h * seq + j) * 64 + d];
        y[(h * seq + i) * seq + j] = dot / 8;
      }
}
