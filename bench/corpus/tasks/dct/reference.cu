/* hone 1
[[launch]]
kernel = "dct"
grid   = ["ceil_div(n, 128)", "64"]
block  = [128]
args   = ["x", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

// One element of one block: all 64 products.
extern "C" __global__ void dct(const float* x, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 128LL + threadIdx.x;
  if (i >= n) return;
  const int k = blockIdx.y / 8, l = blockIdx.y % 8;
  HONE_REAL down[8], along[8], sum = 0;
  for (int j = 0; j < 8; ++j) {
    down[j] = (k == 0 ? sqrt(0.125) : 0.5) * cospi(k * (2 * j + 1) / 16.0);
    along[j] = (l == 0 ? sqrt(0.125) : 0.5) * cospi(l * (2 * j + 1) / 16.0);
  }
  for (int r = 0; r < 8; ++r) {
    HONE_REAL line = 0;
    for (int c = 0; c < 8; ++c) line += along[c] * (HONE_REAL)x[(r * 8 + c) * n + i];
    sum += down[r] * line;
  }
  y[(k * 8 + l) * n + i] = sum;
}
