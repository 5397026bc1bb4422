/* hone 1
[[launch]]
kernel = "blend"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["a", "b", "y", "n", "w"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void blend(const unsigned char* a, const unsigned char* b, long long* y, long long n, int w) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i < n) y[i] = (a[i] * w + b[i] * (256 - w) + 128) / 256;
}
