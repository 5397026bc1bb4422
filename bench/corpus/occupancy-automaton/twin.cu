/* hone 1
[[launch]]
kernel = "automaton"
grid   = ["4 * sm_count"]
block  = [512]
shared = "4 * 64 * 32"
args   = ["table", "text", "y", "n"]
*/
// So that look-ups never meet in a bank, the table lies in shared memory once for each lane. How many copies there are
// is the matter.

#define COPIES 32  // a power of two

extern "C" __global__ void __launch_bounds__(512)
    automaton(const int* __restrict__ table, const int* __restrict__ text, int* __restrict__ y, long long n) {
  // States are offsets in bytes, of their first symbol in a copy: copy, symbol and state have bits of their own.
  extern __shared__ int next[];
  for (int e = threadIdx.x; e < 64 * COPIES; e += 512) next[e] = table[e / COPIES] * (16 * COPIES) + e % COPIES * 4;
  __syncthreads();
#pragma unroll 1
  for (long long i = blockIdx.x * 512LL + threadIdx.x; i < n; i += gridDim.x * 512LL) {
    unsigned word[4], state = threadIdx.x % COPIES * 4;
#pragma unroll
    for (int w = 0; w < 4; ++w) word[w] = text[w * n + i];
#pragma unroll
    for (int w = 0; w < 4; ++w)
#pragma unroll
      for (int s = 0; s < 15; ++s) {
        const unsigned symbol = (word[w] >> 2 * s & 3) * (4 * COPIES);
        state = *(const unsigned*)((const char*)next + (state | symbol));
      }
    y[i] = state / (16 * COPIES);
  }
}
