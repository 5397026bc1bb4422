/* hone 1
[[launch]]
kernel = "transpose"
grid   = ["ceil_div(rows * cols, 256)"]
block  = [256]
args   = ["x", "y", "rows", "cols"]
*/
// One thread per element of the output.
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void transpose(const float* x, HONE_REAL* y, long long rows, long long cols) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * cols) y[i] = x[i % rows * cols + i / rows];
}
