#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& x = call.input("x");
  auto& y = call.output("y");
  for (int64_t i = 0; i < n; ++i) {
    real sum = 0;
    for (int64_t j0 = 0; j0 <= i; j0 += 256) {  // in blocks, as a good kernel would
      real part = 0;
      for (int64_t j = j0; j <= i && j < j0 + 256; ++j) part += std::max(x[i], x[j]);
      sum += part;
    }
    y[i] = sum;
  }
}
