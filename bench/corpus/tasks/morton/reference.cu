/* hone 1
[[launch]]
kernel = "morton"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "y", "z", "code", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void morton(const int* x, const int* y, const int* z, long long* code, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  long long woven = 0;
  for (int bit = 20; bit >= 0; --bit)
    woven = woven * 8 + (x[i] >> bit & 1) * 4 + (y[i] >> bit & 1) * 2 + (z[i] >> bit & 1);
  code[i] = woven;
}
