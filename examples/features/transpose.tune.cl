/* hone 1
where = ["TILE % LINES == 0", "TILE * LINES <= max_threads", "4 * TILE * (TILE + PAD) <= shared_per_block"]

[tune]
TILE  = { values = [8, 16, 32, 64], default = 16 }
LINES = { values = [1, 4, 16, 32], default = 4 }
PAD   = { values = [0, 1], default = 1 }

[[launch]]
kernel = "transpose"
grid   = ["ceil_div(cols, TILE)", "ceil_div(rows, TILE)"]
block  = ["TILE", "LINES"]
args   = ["x", "y", "rows", "cols"]
*/
// Shows `tune` and `where`: tunables are macros here and symbols in the plan; impossible points are left out.

__kernel void transpose(__global const float* restrict x, __global float* restrict y, long rows, long cols) {
  __local float tile[TILE][TILE + PAD];
  const long c0 = (long)get_group_id(0) * TILE, r0 = (long)get_group_id(1) * TILE;
  const int tx = get_local_id(0), ty = get_local_id(1);
  for (int i = ty; i < TILE; i += LINES)
    if (r0 + i < rows && c0 + tx < cols) tile[i][tx] = x[(r0 + i) * cols + c0 + tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = ty; i < TILE; i += LINES)
    if (c0 + i < cols && r0 + tx < rows) y[(c0 + i) * rows + r0 + tx] = tile[tx][i];
}
