/* hone 1
[[launch]]
kernel = "causal"
grid   = ["n"]
block  = [32]
args   = ["x", "h", "y"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void causal(const float* x, const float* h, HONE_REAL* y) {
  const int i = blockIdx.x;
  HONE_REAL sum = 0;
  for (int first = 0; first <= i; first += 2048) {
    HONE_REAL part = 0;
    for (int j = first + threadIdx.x; j <= i && j < first + 2048; j += 32) part += (HONE_REAL)h[j] * x[i - j];
    sum += part;
  }
  for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffffu, sum, o);
  if (threadIdx.x == 0) y[i] = sum;
}
