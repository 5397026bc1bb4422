/* hone 1
[[launch]]
kernel = "automaton"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["table", "text", "y", "n"]
*/
extern "C" __global__ void automaton(const int* table, const int* text, long long* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  int state = 0;
  for (int w = 0; w < 4; ++w)
    for (int s = 0; s < 15; ++s) state = table[state * 4 + (text[w * n + i] >> (2 * s)) % 4];
  y[i] = state;
}
