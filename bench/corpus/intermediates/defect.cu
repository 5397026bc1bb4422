/* hone 1
[[scratch]]
name  = "products"
dtype = "f32"
shape = ["n"]

[[launch]]
kernel = "times"
grid   = ["ceil_div(n, 4 * 256)"]
block  = [256]
args   = ["x", "products", "n", "a"]

[[launch]]
kernel = "plus"
grid   = ["ceil_div(n, 4 * 256)"]
block  = [256]
args   = ["products", "y", "n", "b"]
*/
// The products go through memory to be added to.

extern "C" __global__ void __launch_bounds__(256)
    times(const float* __restrict__ x, float* __restrict__ y, long long n, float a) {
  const long long i = (blockIdx.x * 256LL + threadIdx.x) * 4;
  if (i + 4 <= n) {
    const float4 v = *(const float4*)(x + i);
    *(float4*)(y + i) = make_float4(a * v.x, a * v.y, a * v.z, a * v.w);
  } else {
    for (long long j = i; j < n; ++j) y[j] = a * x[j];
  }
}

extern "C" __global__ void __launch_bounds__(256)
    plus(const float* __restrict__ x, float* __restrict__ y, long long n, float b) {
  const long long i = (blockIdx.x * 256LL + threadIdx.x) * 4;
  if (i + 4 <= n) {
    const float4 v = *(const float4*)(x + i);
    *(float4*)(y + i) = make_float4(v.x + b, v.y + b, v.z + b, v.w + b);
  } else {
    for (long long j = i; j < n; ++j) y[j] = x[j] + b;
  }
}
