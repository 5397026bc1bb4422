/* hone 1
where = ["BLOCK_X * BLOCK_Y >= 64", "BLOCK_X * BLOCK_Y <= 1024"]

[tune]
BLOCK_X = { values = [16, 32, 64, 128], default = 16 }
BLOCK_Y = { values = [2, 4, 8, 16], default = 16 }
ROWS    = { values = [1, 2, 4, 8], default = 1 }        # rows that a thread computes, one below the other

[[launch]]
kernel = "stencil"
grid   = ["ceil_div(width, BLOCK_X)", "ceil_div(height, BLOCK_Y * ROWS)"]
block  = ["BLOCK_X", "BLOCK_Y"]
args   = ["x", "w", "y", "height", "width"]
*/
// A block brings its part of the grid, with two cells around it, into shared memory; what lies outside reads as 0.

#define TILE_X BLOCK_X
#define TILE_Y (BLOCK_Y * ROWS)

extern "C" __global__ void __launch_bounds__(BLOCK_X* BLOCK_Y)
    stencil(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, long long height,
            long long width) {
  __shared__ float tile[TILE_Y + 4][TILE_X + 4];
  __shared__ float coefficient[25];
  const int t = threadIdx.y * BLOCK_X + threadIdx.x;
  const long long i0 = (long long)blockIdx.y * TILE_Y, j0 = (long long)blockIdx.x * TILE_X;
  if (t < 25) coefficient[t] = w[t];
  for (int r = threadIdx.y; r < TILE_Y + 4; r += BLOCK_Y)
    for (int c = threadIdx.x; c < TILE_X + 4; c += BLOCK_X) {
      const long long i = i0 + r - 2, j = j0 + c - 2;
      tile[r][c] = i >= 0 && i < height && j >= 0 && j < width ? x[i * width + j] : 0.0f;
    }
  __syncthreads();

  float sum[ROWS] = {};
#pragma unroll
  for (int r = 0; r < ROWS + 4; ++r)
#pragma unroll
    for (int v = 0; v < 5; ++v) {
      const float in = tile[threadIdx.y * ROWS + r][threadIdx.x + v];
#pragma unroll
      for (int i = 0; i < ROWS; ++i)
        if (r - i >= 0 && r - i < 5) sum[i] += coefficient[(r - i) * 5 + v] * in;
    }
  const long long j = j0 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < ROWS; ++k) {
    const long long i = i0 + threadIdx.y * ROWS + k;
    if (i < height && j < width) y[i * width + j] = sum[k];
  }
}
