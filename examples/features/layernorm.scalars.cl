/* hone 1
[[launch]]
kernel = "layernorm"
grid   = ["ceil_div(rows, 8)"]
block  = [8]
args   = ["x", "gamma", "beta", "y", "eps", "i64:rows", "u32:cols", "u16:128", "u8:2", "f32:1.5", "i8:-1"]
*/
// Shows scalars: `eps` as the task types it, and constants of the plan's own from 8 to 64 bits.

// Sums step elements at a time; refines 1 / sqrt(var) by so many Newton steps, r -> r (3/2 - var r r / 2).
__kernel void layernorm(__global const float* restrict x, __global const float* restrict gamma,
                        __global const float* restrict beta, __global float* restrict y, float eps, long rows,
                        uint cols, ushort step, uchar newton, float three_halves, char sign) {
  const long row = get_global_id(0);
  if (row >= rows) return;
  x += row * cols;
  y += row * cols;
  float mean = 0.0f, var = 0.0f;
  for (uint c0 = 0; c0 < cols; c0 += step) {
    float part = 0.0f;
    for (uint c = c0; c < min(c0 + step, cols); ++c) part += x[c];
    mean += part;
  }
  mean /= cols;
  for (uint c0 = 0; c0 < cols; c0 += step) {
    float part = 0.0f;
    for (uint c = c0; c < min(c0 + step, cols); ++c) part += (x[c] - mean) * (x[c] - mean);
    var += part;
  }
  var = var / cols + eps;
  float scale = rsqrt(var);
  for (uchar i = 0; i < newton; ++i) scale *= three_halves + sign * 0.5f * var * scale * scale;
  for (uint c = 0; c < cols; ++c) y[c] = (x[c] - mean) * scale * gamma[c] + beta[c];
}
