/* hone 1
[[launch]]
kernel = "hash"
grid   = ["ceil_div(n, 4 * 256)"]
block  = [256]
args   = ["x", "y", "n"]

[[launch]]
kernel = "hash"
repeat = 7
grid   = ["ceil_div(n, 4 * 256)"]
block  = [256]
args   = ["y", "y", "n"]
*/
// Four rounds at a time: every element goes eight times through memory.

#define ROUNDS 4

__device__ int mixed(unsigned v) {
#pragma unroll
  for (int round = 0; round < ROUNDS; ++round) {
    v = v * 1664525u + 1013904223u;
    v ^= v >> 15;
  }
  return v;
}

extern "C" __global__ void __launch_bounds__(256) hash(const int* x, int* y, long long n) {
  const long long i = (blockIdx.x * 256LL + threadIdx.x) * 4;
  if (i + 4 <= n) {
    int4 v = *(const int4*)(x + i);
    v.x = mixed(v.x);
    v.y = mixed(v.y);
    v.z = mixed(v.z);
    v.w = mixed(v.w);
    *(int4*)(y + i) = v;
  } else {
    for (long long j = i; j < n; ++j) y[j] = mixed(x[j]);
  }
}
