/* hone 1
[[launch]]
kernel = "rowscan"
grid   = ["ceil_div(rows, 4)"]
block  = [128]
args   = ["x", "y", "rows", "cols"]
*/
// A warp for each row. The row comes into shared memory, and each lane adds up 32 neighbours there.

#define PITCH 32  // words from one lane's elements to the next lane's

extern "C" __global__ void __launch_bounds__(128)
    rowscan(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
  __shared__ float all[4][32 * PITCH];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, r = blockIdx.x * 4 + warp;
  if (r >= rows) return;
  float* s = all[warp];
  const long long row = (long long)r * cols;
#pragma unroll 8
  for (int k = 0; k < 32; ++k) {
    const int c = k * 32 + lane;
    s[k * PITCH + lane] = c < cols ? x[row + c] : 0.0f;
  }
  __syncwarp();
  float sum = 0.0f;
#pragma unroll 8
  for (int k = 0; k < 32; ++k) s[lane * PITCH + k] = sum += s[lane * PITCH + k];
  float upto = sum;
#pragma unroll
  for (int reach = 1; reach < 32; reach *= 2) {
    const float before = __shfl_up_sync(0xffffffffu, upto, reach);
    if (lane >= reach) upto += before;
  }
  const float before = upto - sum;
  __syncwarp();
#pragma unroll 8
  for (int k = 0; k < 32; ++k) {
    const int c = k * 32 + lane;
    const float mine = __shfl_sync(0xffffffffu, before, k);
    if (c < cols) y[row + c] = mine + s[k * PITCH + lane];
  }
}
