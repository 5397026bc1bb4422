/* hone 1
[[launch]]
kernel = "honest"
grid   = ["ceil_div(rows, 16)"]
block  = [16]
args   = ["x", "v", "rows", "cols"]
*/
ushort to_bf16(float v) {
  return (ushort)((as_uint(v) + 0x7fffu + ((as_uint(v) >> 16) & 1u)) >> 16);
}

__kernel void honest(__global const float* x, __global ushort* v, int rows, int cols) {
  const int r = get_global_id(0);
  if (r >= rows) return;
  __global const float* row = x + (long)r * cols;
  float mean = 0.0f, sum = 0.0f;
  for (int c = 0; c < cols; ++c) mean += row[c];
  mean /= cols;
  for (int c = 0; c < cols; ++c) sum += (row[c] - mean) * (row[c] - mean);
  v[r] = to_bf16(sum / cols);
}
