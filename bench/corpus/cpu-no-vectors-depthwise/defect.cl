/* hone 1
[[launch]]
kernel = "depthwise"
grid   = ["height", "planes"]
block  = [1, 1]
args   = ["x", "w", "y", "height", "width"]
*/
// A line of a plane for each work-item, one pixel after the other.

// The sum for one pixel, of what lies inside.
float one(__global const float* x, __global const float* w, int r, int c, int height, int width) {
  float sum = 0.0f;
  for (int i = max(0, 6 - r); i < min(13, height + 6 - r); ++i)
    for (int j = max(0, 6 - c); j < min(13, width + 6 - c); ++j)
      sum += w[i * 13 + j] * x[(r + i - 6) * width + c + j - 6];
  return sum;
}

__kernel void depthwise(__global const float* x, __global const float* w, __global float* y, int height, int width) {
  const int r = get_global_id(0);
  const long plane = get_global_id(1);
  x += plane * height * width;
  w += plane * 169;
  y += (plane * height + r) * width;
  for (int c = 0; c < width; ++c) y[c] = one(x, w, r, c, height, width);
}
