/* hone 1
[[launch]]
kernel = "axpy"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
__kernel void axpy(__global const float* x, __global const float* y, __global float* z, int n) {
  const int i = get_global_id(0);
  if (i < n) z[i] = 2.0f * x[i] + y[i];
}
