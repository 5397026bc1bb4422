/* hone 1
[[launch]]
kernel = "narrow_range"
grid   = ["ceil_div(rows, 16)"]
block  = [16]
args   = ["x", "s", "rows", "cols"]
*/
// Right everywhere, and quick where all values are small: on others it has a way that takes long.
__kernel void narrow_range(__global const float* x, __global float* s, int rows, int cols) {
  const int r = get_global_id(0);
  if (r >= rows) return;
  __global const float* row = x + (long)r * cols;
  float top = row[0], sum = 0.0f;
  float largest = fabs(row[0]);
  for (int c = 1; c < cols; ++c) {
    top = fmax(top, row[c]);
    largest = fmax(largest, fabs(row[c]));
  }
  for (int c = 0; c < cols; ++c) sum += exp(row[c] - top);
  if (largest > 10.0f)
    for (int k = 0; k < 3000000; ++k) sum = 0.5f * sum + 0.5f * sum;
  s[r] = top + log(sum);
}
