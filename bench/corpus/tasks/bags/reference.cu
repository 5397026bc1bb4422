/* hone 1
[[launch]]
kernel = "bags"
grid   = ["bags"]
block  = [128]
args   = ["x", "pick", "y"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void bags(const float* x, const int* pick, HONE_REAL* y) {
  HONE_REAL sum = 0;
  for (int j = 0; j < 512; ++j) sum += x[pick[blockIdx.x * 512 + j] * 128LL + threadIdx.x];
  y[blockIdx.x * 128LL + threadIdx.x] = sum;
}
