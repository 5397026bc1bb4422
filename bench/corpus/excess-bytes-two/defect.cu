/* hone 1
[[launch]]
kernel = "lines"
grid   = ["ceil_div(n, 4 * 256)"]
block  = [256]
args   = ["x", "y", "n"]

[[launch]]
kernel = "squares"
grid   = ["ceil_div(n, 4 * 256)"]
block  = [256]
args   = ["x", "z", "n"]
*/
// A pass over x for each output.

__device__ float line(float v) { return 3.0f * v + 1.0f; }
__device__ float square(float v) { return v * v - v; }

__device__ void put_line(const float4 v, float* y) {
  *(float4*)y = make_float4(line(v.x), line(v.y), line(v.z), line(v.w));
}
__device__ void put_square(const float4 v, float* z) {
  *(float4*)z = make_float4(square(v.x), square(v.y), square(v.z), square(v.w));
}

extern "C" __global__ void __launch_bounds__(256)
    lines(const float* __restrict__ x, float* __restrict__ y, long long n) {
  const long long i = (blockIdx.x * 256LL + threadIdx.x) * 4;
  if (i + 4 <= n) {
    put_line(*(const float4*)(x + i), y + i);
  } else {
    for (long long j = i; j < n; ++j) y[j] = line(x[j]);
  }
}

extern "C" __global__ void __launch_bounds__(256)
    squares(const float* __restrict__ x, float* __restrict__ z, long long n) {
  const long long i = (blockIdx.x * 256LL + threadIdx.x) * 4;
  if (i + 4 <= n) {
    put_square(*(const float4*)(x + i), z + i);
  } else {
    for (long long j = i; j < n; ++j) z[j] = square(x[j]);
  }
}
