/* hone 1
[[launch]]
kernel = "colsum"
grid   = ["cols"]
block  = [256]
args   = ["x", "y", "rows", "cols"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void colsum(const float* x, HONE_REAL* y, int rows, int cols) {
  __shared__ HONE_REAL sums[256];
  HONE_REAL sum = 0;
  for (long long first = threadIdx.x; first < rows; first += 256 * 64) {
    HONE_REAL part = 0;
    for (long long r = first; r < rows && r < first + 256 * 64; r += 256) part += x[r * cols + blockIdx.x];
    sum += part;
  }
  sums[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sums[0];
}
