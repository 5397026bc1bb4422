/* hone 1
[[launch]]
kernel = "kinds"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "y", "n"]
*/
// One element for each thread. Which element is the matter: every warp has all four kinds.

extern "C" __global__ void __launch_bounds__(256) kinds(const int* __restrict__ x, int* __restrict__ y, long long n) {
  const int mine = threadIdx.x;
  const long long i = blockIdx.x * 256LL + mine;
  if (i >= n) return;
  unsigned v = x[i];
  switch (mine % 4) {
    case 0:
#pragma unroll 8
      for (int round = 0; round < 64; ++round) {
        v = v * 1664525u + 1013904223u;
        v ^= v >> 15;
      }
      break;
    case 1:
#pragma unroll 8
      for (int round = 0; round < 64; ++round) {
        v ^= v << 13;
        v ^= v >> 17;
      }
      break;
    case 2:
#pragma unroll 8
      for (int round = 0; round < 64; ++round) v = (v ^ (v >> 16)) * 0x45d9f3bu;
      break;
    default:
#pragma unroll 8
      for (int round = 0; round < 64; ++round) {
        v = ((v << 7) | (v >> 25)) + 0x9e3779b9u;
        v ^= v >> 11;
      }
  }
  y[i] = v;
}
