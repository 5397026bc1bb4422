/* hone 1
where = ["TILE % LINES == 0", "TILE * LINES <= max_threads", "4 * TILE * (TILE + PAD) <= 49152"]

[tune]
TILE  = { values = [16, 32, 64, 128], default = 32 }
LINES = { values = [4, 8, 16, 32], default = 8 }
PAD   = { values = [0, 1], default = 1 }

[[launch]]
kernel = "transpose"
grid   = ["ceil_div(cols, TILE)", "ceil_div(rows, TILE)"]
block  = ["TILE", "LINES"]
args   = ["x", "y", "rows", "cols"]
*/
// Shows `tune` and `where`: tunables are macros here and symbols in the plan; impossible points are left out.

extern "C" __global__ void transpose(const float* __restrict__ x, float* __restrict__ y, long long rows,
                                     long long cols) {
  __shared__ float tile[TILE][TILE + PAD];
  const long long c0 = (long long)blockIdx.x * TILE, r0 = (long long)blockIdx.y * TILE;
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int i = ty; i < TILE; i += LINES)
    if (r0 + i < rows && c0 + tx < cols) tile[i][tx] = x[(r0 + i) * cols + c0 + tx];
  __syncthreads();
  for (int i = ty; i < TILE; i += LINES)
    if (c0 + i < cols && r0 + tx < rows) y[(c0 + i) * rows + r0 + tx] = tile[tx][i];
}
