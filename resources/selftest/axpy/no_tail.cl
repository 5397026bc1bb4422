/* hone 1
[[launch]]
kernel = "no_tail"
grid   = ["n / 64"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Launches whole groups only: the elements after the last whole group are never written.
__kernel void no_tail(__global const float* x, __global const float* y, __global float* z, int n) {
  const int i = get_global_id(0);
  z[i] = 2.0f * x[i] + y[i];
}
