/* hone 1
[[launch]]
kernel = "affine"
grid   = ["ceil_div(n, 4 * 256)"]
block  = [256]
args   = ["x", "y", "n", "a", "b"]
*/
// Product and sum in one launch.

extern "C" __global__ void __launch_bounds__(256)
    affine(const float* __restrict__ x, float* __restrict__ y, long long n, float a, float b) {
  const long long i = (blockIdx.x * 256LL + threadIdx.x) * 4;
  if (i + 4 <= n) {
    const float4 v = *(const float4*)(x + i);
    *(float4*)(y + i) = make_float4(a * v.x + b, a * v.y + b, a * v.z + b, a * v.w + b);
  } else {
    for (long long j = i; j < n; ++j) y[j] = a * x[j] + b;
  }
}
