/* hone 1
[[launch]]
kernel = "stencil"
grid   = ["ceil_div(width, 64)", "ceil_div(height, 8)"]
block  = [64]
args   = ["x", "w", "y", "height", "width", "local:4 * 12 * 68"]
*/
// A group has 8 rows of 64 elements, a work-item a column of 8. The group first brings what it needs into local memory,
// with a margin of two on every side.

__kernel void stencil(__global const float* x, __global const float* w, __global float* y, int height, int width,
                      __local float* tile) {
  const int i0 = get_group_id(1) * 8, j0 = get_group_id(0) * 64, t = get_local_id(0), j = j0 + t;
  for (int k = 0; k < 12; ++k)
    for (int e = t; e < 68; e += 64) {
      const int r = i0 + k - 2, c = j0 + e - 2;
      tile[k * 68 + e] = r >= 0 && r < height && c >= 0 && c < width ? x[(long)r * width + c] : 0.0f;
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 8; ++k) {
    const int i = i0 + k;
    float sum = 0.0f;
    for (int u = 0; u < 5; ++u)
      for (int v = 0; v < 5; ++v) sum += w[u * 5 + v] * tile[(k + u) * 68 + t + v];
    if (i < height && j < width) y[(long)i * width + j] = sum;
  }
}
