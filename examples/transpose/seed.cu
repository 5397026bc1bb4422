/* hone 1
where = ["TILE % LINES == 0"]

[tune]
TILE  = { values = [16, 32, 64], default = 16 }    # edge of the square that a block moves
LINES = { values = [2, 4, 8, 16], default = 16 }   # lines of it that are moved at once
PAD   = { values = [0, 1], default = 0 }           # spare words per line of the tile, against bank conflicts

[[launch]]
kernel = "transpose"
grid   = ["ceil_div(rows, TILE) * ceil_div(cols, TILE)"]
block  = ["TILE", "LINES"]
args   = ["x", "y", "rows", "cols"]
*/
// A block brings a tile into shared memory row by row and writes it out column by column, so that both sides
// touch consecutive addresses.

extern "C" __global__ void transpose(const float* __restrict__ x, float* __restrict__ y, long long rows,
                                     long long cols) {
  __shared__ float tile[TILE][TILE + PAD];
  const int tiles_across = (int)((cols + TILE - 1) / TILE);
  const long long c0 = (long long)(blockIdx.x % tiles_across) * TILE,
                  r0 = (long long)(blockIdx.x / tiles_across) * TILE;
  const int tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll
  for (int i = 0; i < TILE; i += LINES)
    if (r0 + i + ty < rows && c0 + tx < cols) tile[i + ty][tx] = x[(r0 + i + ty) * cols + c0 + tx];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < TILE; i += LINES)
    if (c0 + i + ty < cols && r0 + tx < rows) y[(c0 + i + ty) * rows + r0 + tx] = tile[tx][i + ty];
}
