/* hone 1
[[launch]]
kernel = "automaton"
grid   = ["8 * sm_count"]
block  = [256]
args   = ["table", "text", "y", "n"]
*/
// A thread follows one text after the other. It has the table to itself, in an array whose places are not known in
// advance.

#define AT(entry) (entry)

extern "C" __global__ void __launch_bounds__(256)
    automaton(const int* __restrict__ table, const int* __restrict__ text, int* __restrict__ y, long long n) {
  int next[64];
  for (int e = 0; e < 64; ++e) next[AT(e)] = table[e];
  for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
    int state = 0;
#pragma unroll 1
    for (int w = 0; w < 4; ++w) {
      int word = text[w * n + i];
#pragma unroll
      for (int s = 0; s < 15; ++s) {
        state = next[AT(state * 4 + (word & 3))];
        word >>= 2;
      }
    }
    y[i] = state;
  }
}
