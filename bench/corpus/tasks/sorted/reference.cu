/* hone 1
[[launch]]
kernel = "sorted"
grid   = ["ceil_div(cols, 128)", "rows"]
block  = [128]
args   = ["x", "y", "cols"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void sorted(const float* x, HONE_REAL* y, int cols) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= cols) return;
  x += (long long)blockIdx.y * cols;
  int before = 0;
  for (int j = 0; j < cols; ++j) before += x[j] < x[i] || (x[j] == x[i] && j < i);
  y[(long long)blockIdx.y * cols + before] = x[i];
}
