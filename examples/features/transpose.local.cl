/* hone 1
[[launch]]
kernel = "transpose"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 32)"]
block  = [32, 4]
args   = ["x", "y", "rows", "cols", "local:4 * 32 * 33"]
*/
// Shows `local:`, a local buffer whose size the plan gives.

__kernel void transpose(__global const float* restrict x, __global float* restrict y, long rows, long cols,
                        __local float* tile) {
  const long c0 = (long)get_group_id(0) * 32, r0 = (long)get_group_id(1) * 32;
  const int tx = get_local_id(0), ty = get_local_id(1);
  for (int i = ty; i < 32; i += 4)
    if (r0 + i < rows && c0 + tx < cols) tile[i * 33 + tx] = x[(r0 + i) * cols + c0 + tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = ty; i < 32; i += 4)
    if (c0 + i < cols && r0 + tx < rows) y[(c0 + i) * rows + r0 + tx] = tile[tx * 33 + i];
}
