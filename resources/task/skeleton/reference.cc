// The truth. Compiled twice: `real` is double for the expected values, and float for the error that an honest kernel makes.
#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto a = call.scalar("a"), b = call.scalar("b");
  const auto x = call.input("x");
  auto& y = call.output("y");
#pragma omp parallel for
  for (std::int64_t i = 0; i < n; ++i) y[i] = a * x[i] + b;
}
