/* hone 1
[[launch]]
kernel = "codebook"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["code", "book", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void codebook(const int* code, const float* book, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i < n) y[i] = book[code[i]];
}
