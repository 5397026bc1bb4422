/* hone 1
[[launch]]
kernel = "honest"
grid   = ["ceil_div(rows, 16)"]
block  = [16]
args   = ["x", "s", "rows", "cols"]
*/
__kernel void honest(__global const float* x, __global float* s, int rows, int cols) {
  const int r = get_global_id(0);
  if (r >= rows) return;
  __global const float* row = x + (long)r * cols;
  float top = row[0], sum = 0.0f;
  for (int c = 1; c < cols; ++c) top = fmax(top, row[c]);
  for (int c = 0; c < cols; ++c) sum += exp(row[c] - top);
  s[r] = top + log(sum);
}
