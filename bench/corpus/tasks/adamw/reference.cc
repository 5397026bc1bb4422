#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& p = call.input("p");
  const auto& g = call.input("g");
  const auto& m = call.input("m");
  const auto& v = call.input("v");
  const auto rate = static_cast<real>(call.scalar("rate")), decay = static_cast<real>(call.scalar("decay"));
  auto& p2 = call.output("p2");
  auto& m2 = call.output("m2");
  auto& v2 = call.output("v2");
  for (int64_t i = 0; i < n; ++i) {
    m2[i] = real(0.875) * m[i] + real(0.125) * g[i];
    v2[i] = real(0.96875) * v[i] + real(0.03125) * g[i] * g[i];
    p2[i] = p[i] - rate * (m2[i] / (std::sqrt(v2[i]) + real(0.0009765625)) + decay * p[i]);
  }
}
