/* hone 1
[[launch]]
kernel = "adamw"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["p", "g", "m", "v", "p2", "m2", "v2", "n", "rate", "decay"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void adamw(const float* p, const float* g, const float* m, const float* v, HONE_REAL* p2,
                                 HONE_REAL* m2, HONE_REAL* v2, long long n, float rate, float decay) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const HONE_REAL grad = g[i], first = (HONE_REAL)0.875 * m[i] + (HONE_REAL)0.125 * grad;
  const HONE_REAL second = (HONE_REAL)0.96875 * v[i] + (HONE_REAL)0.03125 * grad * grad;
  m2[i] = first;
  v2[i] = second;
  p2[i] = p[i] - rate * (first / (sqrt(second) + (HONE_REAL)0.0009765625) + decay * (HONE_REAL)p[i]);
}
