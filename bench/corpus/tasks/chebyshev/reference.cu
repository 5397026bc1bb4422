/* hone 1
[[launch]]
kernel = "chebyshev"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "terms", "a", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void chebyshev(const float* x, const int* terms, const float* a, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const HONE_REAL c = x[i], s = sqrt((1 - c) * (1 + c));
  HONE_REAL re = 1, im = 0, sum = 0;
  for (int k = 0; k < terms[i]; ++k) {
    sum += a[k] * re;
    const HONE_REAL turned = re * c - im * s;
    im = re * s + im * c;
    re = turned;
  }
  y[i] = sum;
}
