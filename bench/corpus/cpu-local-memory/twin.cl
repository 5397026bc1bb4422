/* hone 1
[[launch]]
kernel = "stencil"
grid   = ["ceil_div(width, 64)", "ceil_div(height, 8)"]
block  = [64]
args   = ["x", "w", "y", "height", "width"]
*/
// A group has 8 rows of 64 elements, a work-item a column of 8. It reads what it needs where it lies.

__kernel void stencil(__global const float* x, __global const float* w, __global float* y, int height, int width) {
  const int i0 = get_group_id(1) * 8, j0 = get_group_id(0) * 64, t = get_local_id(0), j = j0 + t;
  const bool inside = i0 >= 2 && i0 + 10 <= height && j0 >= 2 && j0 + 66 <= width;
  for (int k = 0; k < 8; ++k) {
    const int i = i0 + k;
    float sum = 0.0f;
    for (int u = 0; u < 5; ++u)
      for (int v = 0; v < 5; ++v) {
        const int r = i + u - 2, c = j + v - 2;
        if (inside)
          sum += w[u * 5 + v] * x[(long)r * width + c];
        else if (r >= 0 && r < height && c >= 0 && c < width)
          sum += w[u * 5 + v] * x[(long)r * width + c];
      }
    if (i < height && j < width) y[(long)i * width + j] = sum;
  }
}
