#include <hone/reference.h>

HONE_REFERENCE(call) {
  const auto n = call.size("n");
  const auto& p = call.input("p");
  const auto& v = call.input("v");
  const auto dt = static_cast<real>(call.scalar("dt"));
  auto& q = call.output("q");
  auto& u = call.output("u");
  for (int64_t i = 0; i < n; ++i) {
    real at = p[i], speed = v[i];
    for (int step = 0; step < 16; ++step) {
      speed -= dt * (at / (1 + at * at));
      at += dt * speed;
    }
    q[i] = at;
    u[i] = speed;
  }
}
