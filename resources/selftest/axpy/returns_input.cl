/* hone 1
[[launch]]
kernel = "returns_input"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Hands an input back as its answer.
__kernel void returns_input(__global const float* x, __global const float* y, __global float* z,
                            int n) {
  const int i = get_global_id(0);
  if (i < n) z[i] = y[i];
}
