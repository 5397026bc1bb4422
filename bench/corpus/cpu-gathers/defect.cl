/* hone 1
[[launch]]
kernel = "curve"
grid   = ["ceil_div(height, 64)", "width"]
block  = [64, 1]
args   = ["x", "y", "height", "width"]
*/
// A pixel for each work-item. Neighbouring work-items have pixels of a column.

float curve_of(float v) {
  return 0.015625f + v * (1.25f + v * (-0.5f + v * (0.375f + v * (-0.3125f + v * (0.25f - 0.125f * v)))));
}

__kernel void curve(__global const float* restrict x, __global float* restrict y, int height, int width) {
  const int r = get_global_id(0), c = get_global_id(1);
  if (r < height && c < width) y[r * width + c] = curve_of(x[r * width + c]);
}
