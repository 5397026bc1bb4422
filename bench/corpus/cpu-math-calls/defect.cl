/* hone 1
[[launch]]
kernel = "gelu"
grid   = ["ceil_div(n, 1024)"]
block  = [64]
args   = ["x", "y", "n"]
*/
// Sixteen elements for each work-item, one after the other.

float gelu_of(float v) { return 0.5f * v * (1.0f + erf(0.70710678f * v)); }

__kernel void gelu(__global const float* restrict x, __global float* restrict y, int n) {
  const int first = get_global_id(0) * 16;
  for (int i = first; i < min(first + 16, n); ++i) y[i] = gelu_of(x[i]);
}
