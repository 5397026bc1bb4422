/* hone 1
[[launch]]
kernel = "transpose"
grid   = ["ceil_div(cols, 128)", "ceil_div(rows, 128)"]
block  = [128, 8]
shared = "4 * 128 * 129"
args   = ["x", "y", "rows", "cols"]
*/
// Shows `shared`: 66,048 bytes of dynamic shared memory, more than a block may declare by itself.

extern "C" __global__ void transpose(const float* __restrict__ x, float* __restrict__ y, long long rows,
                                     long long cols) {
  extern __shared__ float tile[];
  const long long c0 = (long long)blockIdx.x * 128, r0 = (long long)blockIdx.y * 128;
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int i = ty; i < 128; i += 8)
    if (r0 + i < rows && c0 + tx < cols) tile[i * 129 + tx] = x[(r0 + i) * cols + c0 + tx];
  __syncthreads();
  for (int i = ty; i < 128; i += 8)
    if (c0 + i < cols && r0 + tx < rows) y[(c0 + i) * rows + r0 + tx] = tile[tx * 129 + i];
}
