/* hone 1
[[launch]]
kernel = "axpy"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]

[[launch]]
kernel = "touch_up"
grid   = [1]
block  = [1048576]
args   = ["x", "y", "z", "n"]
*/
// The second launch asks for more than the device has and never runs; the first has done the work,
// or so it seems.
__kernel void axpy(__global const float* x, __global const float* y, __global float* z, int n) {
  const int i = get_global_id(0);
  if (i < n) z[i] = 2.0f * x[i] + y[i];
}

__kernel void touch_up(__global const float* x, __global const float* y, __global float* z, int n) {
  const int i = get_global_id(0);
  if (i < n) z[i] = 0.0f;
}
