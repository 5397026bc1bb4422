/* hone 1
[[launch]]
kernel = "forest"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "split", "leaf", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void forest(const float* x, const float* split, const float* leaf, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  HONE_REAL sum = 0;
  for (int tree = 0; tree < 8; ++tree) {
    int node = 1;
    for (int level = 0; level < 12; ++level)
      node = 2 * node + (x[i * 4 + level % 4] > split[tree * 4096 + node] ? 1 : 0);
    sum += leaf[tree * 4096 + node - 4096];
  }
  y[i] = sum;
}
