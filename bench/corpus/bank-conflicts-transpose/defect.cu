/* hone 1
[[launch]]
kernel = "transpose"
grid   = ["ceil_div(rows, 32) * ceil_div(cols, 32)"]
block  = [32, 8]
args   = ["x", "y", "rows", "cols"]
*/
// A block brings a tile into shared memory row by row and writes it out column by column, so that both sides touch
// consecutive addresses.

#define PITCH 32  // words from one row of the tile to the next

extern "C" __global__ void __launch_bounds__(256)
    transpose(const float* __restrict__ x, float* __restrict__ y, long long rows, long long cols) {
  __shared__ float tile[32][PITCH];
  const int across = (int)((cols + 31) / 32), tx = threadIdx.x, ty = threadIdx.y;
  const long long c0 = blockIdx.x % across * 32LL, r0 = blockIdx.x / across * 32LL;
#pragma unroll
  for (int i = 0; i < 32; i += 8)
    if (r0 + i + ty < rows && c0 + tx < cols) tile[i + ty][tx] = x[(r0 + i + ty) * cols + c0 + tx];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 32; i += 8)
    if (c0 + i + ty < cols && r0 + tx < rows) y[(c0 + i + ty) * rows + r0 + tx] = tile[tx][i + ty];
}
