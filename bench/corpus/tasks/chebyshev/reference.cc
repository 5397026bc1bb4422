#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto& x = call.input("x");
  const auto& terms = call.integers("terms");
  const auto& a = call.input("a");
  auto& y = call.output("y");
  for (size_t i = 0; i < x.size(); ++i) {
    const real c = x[i], s = std::sqrt((1 - c) * (1 + c));
    real re = 1, im = 0, sum = 0;
    for (int64_t k = 0; k < terms[i]; ++k) {
      sum += a[k] * re;
      const real turned = re * c - im * s;
      im = re * s + im * c;
      re = turned;
    }
    y[i] = sum;
  }
}
