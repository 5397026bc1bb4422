/* hone 1
[[launch]]
kernel = "rowscan"
grid   = ["rows"]
block  = [1024]
args   = ["x", "y", "cols"]
*/
// One block for each row, one thread for each element. The sums double in reach at every step, within warps; the warps
// meet once.

// The sum of v over this thread and all before it.
__device__ float scanned(float v) {
  __shared__ float s[32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
#pragma unroll
  for (int reach = 1; reach < 32; reach *= 2) {
    const float before = __shfl_up_sync(0xffffffffu, v, reach);
    if (lane >= reach) v += before;
  }
  if (lane == 31) s[warp] = v;
  __syncthreads();
  float total = s[lane];  // of warp number `lane`
#pragma unroll
  for (int reach = 1; reach < 32; reach *= 2) {
    const float before = __shfl_up_sync(0xffffffffu, total, reach);
    if (lane >= reach) total += before;
  }
  const float before = __shfl_sync(0xffffffffu, total, warp > 0 ? warp - 1 : 0);
  return warp > 0 ? v + before : v;
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    rowscan(const float* __restrict__ x, float* __restrict__ y, int cols) {
  const long long row = (long long)blockIdx.x * cols;
  const int c = threadIdx.x;
  const float sum = scanned(c < cols ? x[row + c] : 0.0f);
  if (c < cols) y[row + c] = sum;
}
