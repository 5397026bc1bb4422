/* hone 1
[[launch]]
kernel = "both"
grid   = ["ceil_div(n, 4 * 256)"]
block  = [256]
args   = ["x", "y", "z", "n"]
*/
// One pass over x for both outputs.

__device__ float line(float v) { return 3.0f * v + 1.0f; }
__device__ float square(float v) { return v * v - v; }

__device__ void put_line(const float4 v, float* y) {
  *(float4*)y = make_float4(line(v.x), line(v.y), line(v.z), line(v.w));
}
__device__ void put_square(const float4 v, float* z) {
  *(float4*)z = make_float4(square(v.x), square(v.y), square(v.z), square(v.w));
}

extern "C" __global__ void __launch_bounds__(256)
    both(const float* __restrict__ x, float* __restrict__ y, float* __restrict__ z, long long n) {
  const long long i = (blockIdx.x * 256LL + threadIdx.x) * 4;
  if (i + 4 <= n) {
    const float4 v = *(const float4*)(x + i);
    put_line(v, y + i);
    put_square(v, z + i);
  } else {
    for (long long j = i; j < n; ++j) {
      y[j] = line(x[j]);
      z[j] = square(x[j]);
    }
  }
}
