/* hone 1
[[launch]]
kernel = "gelu"
grid   = ["ceil_div(n, 1024)"]
block  = [64]
args   = ["x", "y", "n"]
*/
// Sixteen elements for each work-item, all at once.

float gelu_of(float v) { return 0.5f * v * (1.0f + erf(0.70710678f * v)); }
float16 gelu_of_all(float16 v) { return 0.5f * v * (1.0f + erf(0.70710678f * v)); }

__kernel void gelu(__global const float* restrict x, __global float* restrict y, int n) {
  const int first = get_global_id(0) * 16;
  if (first + 16 <= n)
    vstore16(gelu_of_all(vload16(0, x + first)), 0, y + first);
  else
    for (int i = first; i < min(first + 16, n); ++i) y[i] = gelu_of(x[i]);
}
