/* hone 1
[[launch]]
kernel = "rowscan"
grid   = ["8 * sm_count"]
block  = [256]
args   = ["x", "y", "rows", "cols"]
*/
// A block takes row after row, four elements for each thread. Warps tell each other their sums through shared memory.

extern "C" __global__ void __launch_bounds__(256, 8)
    rowscan(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
  __shared__ float sums[2][8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, c = threadIdx.x * 4;
  const bool whole = cols == 1024;
  int turn = 0;
  for (int r = blockIdx.x; r < rows; r += gridDim.x, turn ^= 1) {
    const long long row = (long long)r * cols;
    float v[4];
    if (whole)
      *(float4*)v = *(const float4*)(x + row + c);
    else
#pragma unroll
      for (int k = 0; k < 4; ++k) v[k] = c + k < cols ? x[row + c + k] : 0.0f;
#pragma unroll
    for (int k = 1; k < 4; ++k) v[k] += v[k - 1];
    float upto = v[3];
#pragma unroll
    for (int reach = 1; reach < 32; reach *= 2) {
      const float before = __shfl_up_sync(0xffffffffu, upto, reach);
      if (lane >= reach) upto += before;
    }
    if (lane == 31) sums[turn][warp] = upto;
    __syncthreads();  // two rows of sums: nobody writes what is still being read
    float before = upto - v[3];
#pragma unroll
    for (int w = 0; w < 7; ++w)
      if (w < warp) before += sums[turn][w];
    if (whole)
      *(float4*)(y + row + c) = make_float4(before + v[0], before + v[1], before + v[2], before + v[3]);
    else
#pragma unroll
      for (int k = 0; k < 4; ++k)
        if (c + k < cols) y[row + c + k] = before + v[k];
  }
}
