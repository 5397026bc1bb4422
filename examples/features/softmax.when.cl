/* hone 1
[[launch]]
kernel = "short_rows"
when   = "cols < 1024"
grid   = ["ceil_div(rows, 16)"]
block  = [16]
args   = ["x", "y", "rows", "cols"]

[[launch]]
kernel = "long_rows"
when   = "cols >= 1024"
grid   = ["rows"]
block  = [64]
args   = ["x", "y", "cols"]
*/
// Shows `when`: one source for all shapes. Short rows have a work-item each, long ones a whole work-group.

__kernel void short_rows(__global const float* restrict x, __global float* restrict y, long rows, long cols) {
  const long row = get_global_id(0);
  if (row >= rows) return;
  x += row * cols;
  y += row * cols;
  float top = x[0], sum = 0.0f;
  for (long c = 1; c < cols; ++c) top = fmax(top, x[c]);
  for (long c0 = 0; c0 < cols; c0 += 64) {
    float part = 0.0f;
    for (long c = c0; c < min(c0 + 64, cols); ++c) part += y[c] = exp(x[c] - top);
    sum += part;
  }
  for (long c = 0; c < cols; ++c) y[c] /= sum;
}

__kernel void long_rows(__global const float* restrict x, __global float* restrict y, long cols) {
  __local float s[64];
  const int t = get_local_id(0);
  x += get_group_id(0) * cols;
  y += get_group_id(0) * cols;
  float top = x[0], sum = 0.0f;
  for (long c = t; c < cols; c += 64) top = fmax(top, x[c]);
  s[t] = top;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 64; ++i) top = fmax(top, s[i]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (long c = t; c < cols; c += 64) sum += y[c] = exp(x[c] - top);
  s[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0.0f;
  for (int i = 0; i < 64; ++i) sum += s[i];
  for (long c = t; c < cols; c += 64) y[c] /= sum;
}
