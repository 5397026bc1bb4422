/* hone 1
[[launch]]
kernel = "smooth"
grid   = ["8 * sm_count"]
block  = [256]
args   = ["x", "y", "n"]
*/
// The blocks there are share the vector, four elements of a thread at a time.

__device__ float smoothed(float v) {
#pragma unroll
  for (int step = 0; step < 128; ++step) v = 0.9921875f * v + 0.015625f;
  return v;
}

extern "C" __global__ void __launch_bounds__(256)
    smooth(const float* __restrict__ x, float* __restrict__ y, long long n) {
  for (long long i = (blockIdx.x * 256LL + threadIdx.x) * 4; i < n; i += gridDim.x * 256LL * 4) {
    if (i + 4 <= n) {
      const float4 v = *(const float4*)(x + i);
      *(float4*)(y + i) = make_float4(smoothed(v.x), smoothed(v.y), smoothed(v.z), smoothed(v.w));
    } else {
      for (long long j = i; j < n; ++j) y[j] = smoothed(x[j]);
    }
  }
}
