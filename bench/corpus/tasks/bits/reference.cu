/* hone 1
[[launch]]
kernel = "bits"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "y", "n"]
*/
extern "C" __global__ void bits(const int* x, long long* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i < n) y[i] = __popc(x[i]);
}
