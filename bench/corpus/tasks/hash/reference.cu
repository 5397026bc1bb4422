/* hone 1
[[launch]]
kernel = "hash"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "y", "n"]
*/
extern "C" __global__ void hash(const int* x, long long* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i];
  for (int round = 0; round < 32; ++round) {
    v = v * 1664525u + 1013904223u;
    v ^= v >> 15;
  }
  y[i] = (int)v;
}
