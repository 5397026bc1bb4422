/* hone 1
[[launch]]
kernel = "rowscan"
grid   = ["rows"]
block  = [1024]
args   = ["x", "y", "cols"]
*/
// One block for each row, one thread for each element. The sums double in reach at every step, through shared memory.

// The sum of v over this thread and all before it.
__device__ float scanned(float v) {
  __shared__ float s[1024];
  const int t = threadIdx.x;
  s[t] = v;
  __syncthreads();
#pragma unroll
  for (int reach = 1; reach < 1024; reach *= 2) {
    const float before = t >= reach ? s[t - reach] : 0.0f;
    __syncthreads();
    s[t] = v += before;
    __syncthreads();
  }
  return v;
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    rowscan(const float* __restrict__ x, float* __restrict__ y, int cols) {
  const long long row = (long long)blockIdx.x * cols;
  const int c = threadIdx.x;
  const float sum = scanned(c < cols ? x[row + c] : 0.0f);
  if (c < cols) y[row + c] = sum;
}
