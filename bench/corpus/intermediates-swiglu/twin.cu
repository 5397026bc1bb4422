/* hone 1
[[launch]]
kernel = "swiglu"
grid   = ["ceil_div(n, 4 * 256)"]
block  = [256]
args   = ["gate", "value", "y", "n"]
*/
// Activation and product in one launch.

__device__ float silu_of(float g) { return g / (1.0f + expf(-g)); }

extern "C" __global__ void __launch_bounds__(256)
    swiglu(const float* __restrict__ gate, const float* __restrict__ value, float* __restrict__ y, long long n) {
  const long long i = (blockIdx.x * 256LL + threadIdx.x) * 4;
  if (i + 4 <= n) {
    const float4 g = *(const float4*)(gate + i), v = *(const float4*)(value + i);
    *(float4*)(y + i) = make_float4(silu_of(g.x) * v.x, silu_of(g.y) * v.y, silu_of(g.z) * v.z, silu_of(g.w) * v.w);
  } else {
    for (long long j = i; j < n; ++j) y[j] = silu_of(gate[j]) * value[j];
  }
}
