/* hone 1
[[launch]]
kernel = "kinds"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "y", "n"]
*/
extern "C" __global__ void kinds(const int* x, long long* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i];
  for (int round = 0; round < 64; ++round) {
    if (i % 4 == 0) {
      v = v * 1664525u + 1013904223u;
      v ^= v >> 15;
    } else if (i % 4 == 1) {
      v ^= v << 13;
      v ^= v >> 17;
    } else if (i % 4 == 2) {
      v = (v ^ (v >> 16)) * 0x45d9f3bu;
    } else {
      v = ((v << 7) | (v >> 25)) + 0x9e3779b9u;
      v ^= v >> 11;
    }
  }
  y[i] = (int)v;
}
