/* hone 1
[[launch]]
kernel = "narrow"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Computes in bfloat16: eight bits of precision where the task has twenty-four.
float rounded(float v) {
  return as_float((as_uint(v) + 0x7fffu + ((as_uint(v) >> 16) & 1u)) & 0xffff0000u);
}

__kernel void narrow(__global const float* x, __global const float* y, __global float* z, int n) {
  const int i = get_global_id(0);
  if (i < n) z[i] = rounded(rounded(2.0f * rounded(x[i])) + rounded(y[i]));
}
