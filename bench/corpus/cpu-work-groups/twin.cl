/* hone 1
[[launch]]
kernel = "affine"
grid   = ["ceil_div(n, 16 * 256)"]
block  = [256]
args   = ["x", "y", "n", "a", "b"]
*/
// Sixteen elements for each work-item. How many work-items make a group is the matter.

__kernel void affine(__global const float* x, __global float* y, long n, float a, float b) {
  const long i = (long)get_global_id(0) * 16;
  if (i + 16 <= n)
    vstore16(a * vload16(0, x + i) + b, 0, y + i);
  else
    for (long j = i; j < n; ++j) y[j] = a * x[j] + b;
}
