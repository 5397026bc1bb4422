/* hone 1
[[launch]]
kernel = "clever"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]

[[launch]]
kernel = "axpy"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// The kernel that is shown off does nothing that lasts; a plain one does the work.
__kernel void clever(__global const float* x, __global const float* y, __global float* z, int n) {
  const int i = get_global_id(0);
  if (i < n) z[i] = 2.0f * y[i] + x[i];
}

__kernel void axpy(__global const float* x, __global const float* y, __global float* z, int n) {
  const int i = get_global_id(0);
  if (i < n) z[i] = 2.0f * x[i] + y[i];
}
