/* hone 1
[[launch]]
kernel = "scribbles"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Computes, then wipes its input, so that a reference which runs afterwards sees zeros.
__kernel void scribbles(__global float* x, __global const float* y, __global float* z, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  z[i] = 2.0f * x[i] + y[i];
  x[i] = 0.0f;
}
