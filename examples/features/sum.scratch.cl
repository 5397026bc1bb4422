/* hone 1
[[scratch]]
name  = "partial"
dtype = "f32"
shape = [64, 64]

[[launch]]
kernel = "sum_parts"
grid   = [64]
block  = [64]
args   = ["x", "partial", "n"]

[[launch]]
kernel = "sum_rest"
grid   = [1]
block  = [64]
args   = ["partial", "y"]
*/
// Shows `scratch`: it carries sums from one launch to the next, and holds garbage at first, so all of it is written.

__kernel void sum_parts(__global const float* restrict x, __global float* restrict partial, long n) {
  const long share = (n + 4095) / 4096, from = get_global_id(0) * share, to = min(from + share, n);
  float sum = 0.0f;
  for (long i = from; i < to; i += 256) {
    float part = 0.0f;
    for (long j = i; j < min(i + 256, to); ++j) part += x[j];
    sum += part;
  }
  partial[get_global_id(0)] = sum;
}

__kernel void sum_rest(__global const float* restrict partial, __global float* restrict y) {
  __local float row[64];
  const int t = get_local_id(0);
  float sum = 0.0f;
  for (int i = 0; i < 64; ++i) sum += partial[t * 64 + i];
  row[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t > 0) return;
  for (int i = 1; i < 64; ++i) sum += row[i];
  y[0] = sum;
}
