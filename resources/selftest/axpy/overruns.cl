/* hone 1
[[launch]]
kernel = "overruns"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Writes one element past the end of its output.
__kernel void overruns(__global const float* x, __global const float* y, __global float* z, int n) {
  const int i = get_global_id(0);
  if (i < n) z[i] = 2.0f * x[i] + y[i];
  if (i == n - 1) z[n] = 0.0f;
}
