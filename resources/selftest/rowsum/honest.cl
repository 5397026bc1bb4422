/* hone 1
[[launch]]
kernel = "rowsum"
grid   = ["rows"]
block  = [1]
args   = ["x", "s", "rows", "cols"]
*/
ushort to_bf16(float v) {
  return (ushort)((as_uint(v) + 0x7fffu + ((as_uint(v) >> 16) & 1u)) >> 16);
}

__kernel void rowsum(__global const int* x, __global ushort* s, int rows, int cols) {
  const int r = get_global_id(0);
  if (r >= rows) return;
  __global const int* row = x + (long)r * cols;
  long sum = 0;
  for (int c = 0; c < cols; ++c) sum += row[c];
  s[r] = to_bf16((float)sum);
}
