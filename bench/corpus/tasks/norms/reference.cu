/* hone 1
[[launch]]
kernel = "norms"
grid   = ["rows"]
block  = [32]
args   = ["x", "y", "cols"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void norms(const float* x, HONE_REAL* y, int cols) {
  HONE_REAL sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) {
    const HONE_REAL v = x[(long long)blockIdx.x * cols + c];
    sum += v * v;
  }
  for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffffu, sum, o);
  if (threadIdx.x == 0) y[blockIdx.x] = sqrt(sum);
}
