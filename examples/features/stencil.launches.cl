/* hone 1
[[launch]]
kernel = "inside"
when   = "height > 4 and width > 4"
grid   = ["ceil_div(width - 4, 64)", "height - 4"]
block  = [64, 1]
args   = ["x", "w", "y", "width"]

[[launch]]
kernel = "edge"
grid   = ["ceil_div(min(4, height) * width + (height - min(4, height)) * min(4, width), 64)"]
block  = [64]
args   = ["x", "w", "y", "height", "width"]
*/
// Shows two launches that share the work: cells two away from the edge need no care, the rest is done one by one.

__kernel void inside(__global const float* restrict x, __global const float* restrict w, __global float* restrict y,
                     long width) {
  const long i = get_global_id(1) + 2, j = get_global_id(0) + 2;
  if (j >= width - 2) return;
  float sum = 0.0f;
  for (int u = 0; u < 5; ++u)
    for (int v = 0; v < 5; ++v) sum = fma(w[u * 5 + v], x[(i + u - 2) * width + j + v - 2], sum);
  y[i * width + j] = sum;
}

// Cell e of the edge: first the two rows at the top and the two at the bottom, then two cells at both ends of the
// others.
__kernel void edge(__global const float* restrict x, __global const float* restrict w, __global float* restrict y,
                   long height, long width) {
  const long e = get_global_id(0), rows = min(4L, height), cols = min(4L, width), first = rows * width;
  const long r = e < first ? e / width : 2 + (e - first) / cols, c = e < first ? e % width : (e - first) % cols;
  const long i = e >= first || r < 2 ? r : height - rows + r, j = e < first || c < 2 ? c : width - cols + c;
  if (i >= height) return;
  float sum = 0.0f;
  for (long u = max(0L, 2 - i); u < min(5L, height + 2 - i); ++u)
    for (long v = max(0L, 2 - j); v < min(5L, width + 2 - j); ++v)
      sum = fma(w[u * 5 + v], x[(i + u - 2) * width + j + v - 2], sum);
  y[i * width + j] = sum;
}
