/* hone 1
[[scratch]]
name  = "thousands"
dtype = "f32"
shape = ["ceil_div(n, 1024)"]

[[scratch]]
name  = "millions"
dtype = "f32"
shape = ["ceil_div(n, 1024 * 1024)"]

[[launch]]
kernel = "sum_1024"
repeat = 3
grid   = ["ceil_div(n, 1024 * (iteration == 0) + 1024 * 1024 * (iteration == 1) + 1024 * 1024 * 1024 * (iteration == 2))"]
block  = [1]
args   = ["x", "thousands", "millions", "y", "n", "iteration"]
*/
// Shows `iteration` in a grid: each of three passes makes one number of 1024 and needs fewer work-items for it.
// Enough for 2^30 elements.

__kernel void sum_1024(__global const float* x, __global float* thousands, __global float* millions, __global float* y,
                       long n, int pass) {
  __global const float* from = pass == 0 ? x : pass == 1 ? thousands : millions;
  __global float* to = pass == 0 ? thousands : pass == 1 ? millions : y;
  for (int p = 0; p < pass; ++p) n = (n + 1023) / 1024;
  const long first = (long)get_global_id(0) * 1024, count = min(1024L, n - first);
  float lane[16] = {0.0f};
  for (long i = 0; i < count; ++i) lane[i % 16] += from[first + i];
  float sum = 0.0f;
  for (int i = 0; i < 16; ++i) sum += lane[i];
  to[get_global_id(0)] = sum;
}
