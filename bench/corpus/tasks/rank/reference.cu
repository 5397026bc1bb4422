/* hone 1
[[launch]]
kernel = "rank"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "t", "y", "n", "m"]
*/
extern "C" __global__ void rank(const float* x, const float* t, long long* y, long long n, long long m) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  long long count = 0;
  for (long long j = 0; j < m; ++j) count += t[j] > x[i] ? 1 : 0;
  y[i] = count;
}
