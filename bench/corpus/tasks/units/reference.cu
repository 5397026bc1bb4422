/* hone 1
[[launch]]
kernel = "units"
grid   = ["n"]
block  = [32]
args   = ["x", "w", "y", "m", "dims"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void units(const float* x, const float* w, HONE_REAL* y, int m, int dims) {
  HONE_REAL sum = 0;
  for (int j = threadIdx.x; j < m; j += 32) {
    HONE_REAL dot = 0;
    for (int d = 0; d < dims; ++d) dot += (HONE_REAL)x[(long long)blockIdx.x * dims + d] * w[(long long)j * dims + d];
    sum += dot > 0 ? dot : 0;
  }
  for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffffu, sum, o);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
