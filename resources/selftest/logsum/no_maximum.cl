/* hone 1
[[launch]]
kernel = "no_maximum"
grid   = ["ceil_div(rows, 16)"]
block  = [16]
args   = ["x", "s", "rows", "cols"]
*/
// Does without the maximum: exp overflows as soon as the values are large.
__kernel void no_maximum(__global const float* x, __global float* s, int rows, int cols) {
  const int r = get_global_id(0);
  if (r >= rows) return;
  __global const float* row = x + (long)r * cols;
  float sum = 0.0f;
  for (int c = 0; c < cols; ++c) sum += exp(row[c]);
  s[r] = log(sum);
}
