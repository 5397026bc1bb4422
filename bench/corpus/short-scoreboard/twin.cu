/* hone 1
[[launch]]
kernel = "automaton"
grid   = ["sm_count"]
block  = [256]
args   = ["table", "text", "y", "n"]
*/
// The table lies in shared memory once for each lane, in a bank of its own. A thread follows CHAINS texts at a time,
// each a chain of look-ups that wait for one another.

#define CHAINS 4

extern "C" __global__ void __launch_bounds__(256)
    automaton(const int* __restrict__ table, const int* __restrict__ text, int* __restrict__ y, long long n) {
  __shared__ int next[64 * 32];  // states as offsets: 128 words each
  const int lane = threadIdx.x % 32;
  for (int e = threadIdx.x; e < 64 * 32; e += 256) next[e] = table[e / 32] * 128;
  __syncthreads();
  const long long threads = gridDim.x * 256LL;
  for (long long i0 = blockIdx.x * 256LL + threadIdx.x; i0 < n; i0 += CHAINS * threads) {
    int state[CHAINS];
#pragma unroll
    for (int k = 0; k < CHAINS; ++k) state[k] = 0;
#pragma unroll 1
    for (int w = 0; w < 4; ++w) {
      int word[CHAINS];
#pragma unroll
      for (int k = 0; k < CHAINS; ++k) word[k] = i0 + k * threads < n ? text[w * n + i0 + k * threads] : 0;
#pragma unroll
      for (int s = 0; s < 15; ++s)
#pragma unroll
        for (int k = 0; k < CHAINS; ++k) {
          state[k] = next[state[k] + (word[k] & 3) * 32 + lane];
          word[k] >>= 2;
        }
    }
#pragma unroll
    for (int k = 0; k < CHAINS; ++k)
      if (i0 + k * threads < n) y[i0 + k * threads] = state[k] / 128;
  }
}
