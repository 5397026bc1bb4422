/* hone 1
[[launch]]
kernel = "oscillators"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["p", "v", "q", "u", "n", "dt"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void oscillators(const float* p, const float* v, HONE_REAL* q, HONE_REAL* u, long long n,
                                       float dt) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  HONE_REAL at = p[i], speed = v[i];
  for (int step = 0; step < 16; ++step) {
    speed -= (HONE_REAL)dt * (at / (1 + at * at));
    at += (HONE_REAL)dt * speed;
  }
  q[i] = at;
  u[i] = speed;
}
