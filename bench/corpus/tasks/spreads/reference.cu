/* hone 1
[[launch]]
kernel = "spreads"
grid   = ["windows"]
block  = [32]
args   = ["x", "start", "length", "y", "pool"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void spreads(const float* x, const int* start, const int* length, HONE_REAL* y, int pool) {
  const int from = start[blockIdx.x], many = length[blockIdx.x];
  HONE_REAL sum = 0;
  for (int i = threadIdx.x; i < many; i += 32) {
    HONE_REAL part = 0;
    for (int j = 0; j < i; ++j) part += fabs((HONE_REAL)x[(from + i) % pool] - x[(from + j) % pool]);
    sum += part;
  }
  for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffffu, sum, o);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
