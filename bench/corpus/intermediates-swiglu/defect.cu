/* hone 1
[[scratch]]
name  = "silu"
dtype = "f32"
shape = ["n"]

[[launch]]
kernel = "activate"
grid   = ["ceil_div(n, 4 * 256)"]
block  = [256]
args   = ["gate", "silu", "n"]

[[launch]]
kernel = "multiply"
grid   = ["ceil_div(n, 4 * 256)"]
block  = [256]
args   = ["silu", "value", "y", "n"]
*/
// The activated gates go through memory to be multiplied.

__device__ float silu_of(float g) { return g / (1.0f + expf(-g)); }

extern "C" __global__ void __launch_bounds__(256)
    activate(const float* __restrict__ gate, float* __restrict__ silu, long long n) {
  const long long i = (blockIdx.x * 256LL + threadIdx.x) * 4;
  if (i + 4 <= n) {
    const float4 g = *(const float4*)(gate + i);
    *(float4*)(silu + i) = make_float4(silu_of(g.x), silu_of(g.y), silu_of(g.z), silu_of(g.w));
  } else {
    for (long long j = i; j < n; ++j) silu[j] = silu_of(gate[j]);
  }
}

extern "C" __global__ void __launch_bounds__(256)
    multiply(const float* __restrict__ silu, const float* __restrict__ value, float* __restrict__ y, long long n) {
  const long long i = (blockIdx.x * 256LL + threadIdx.x) * 4;
  if (i + 4 <= n) {
    const float4 s = *(const float4*)(silu + i), v = *(const float4*)(value + i);
    *(float4*)(y + i) = make_float4(s.x * v.x, s.y * v.y, s.z * v.z, s.w * v.w);
  } else {
    for (long long j = i; j < n; ++j) y[j] = silu[j] * value[j];
  }
}
