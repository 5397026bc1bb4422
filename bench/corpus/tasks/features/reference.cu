/* hone 1
[[launch]]
kernel = "features"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "pick", "w", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void features(const float* x, const int* pick, const float* w, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  HONE_REAL sum = 0;
  for (int j = 0; j < 24; ++j) {
    HONE_REAL unit = w[j * 6 + 4];
    for (int f = 0; f < 4; ++f) unit += (HONE_REAL)w[j * 6 + f] * (HONE_REAL)x[pick[i] * 4LL + f];
    if (unit > 0) sum += (HONE_REAL)w[j * 6 + 5] * unit;
  }
  y[i] = sum;
}
