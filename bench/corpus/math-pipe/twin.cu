/* hone 1
[[launch]]
kernel = "bits"
grid   = ["ceil_div(n, 4 * 256)"]
block  = [256]
args   = ["x", "y", "n"]
*/
// Four elements for each thread. How their ones are counted is the matter.

__device__ int ones(unsigned v) { return __popc(v); }

extern "C" __global__ void __launch_bounds__(256) bits(const int* __restrict__ x, int* __restrict__ y, long long n) {
  const long long i = (blockIdx.x * 256LL + threadIdx.x) * 4;
  if (i + 4 <= n) {
    const int4 v = *(const int4*)(x + i);
    *(int4*)(y + i) = make_int4(ones(v.x), ones(v.y), ones(v.z), ones(v.w));
  } else {
    for (long long j = i; j < n; ++j) y[j] = ones(x[j]);
  }
}
