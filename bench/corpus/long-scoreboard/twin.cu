/* hone 1
[[launch]]
kernel = "bags"
grid   = ["ceil_div(bags, 2)"]
block  = [64]
args   = ["x", "pick", "y", "bags"]
*/
// A warp for each bag, four floats of a row for each lane. How many rows it asks for before it adds up the first is the
// matter.

extern "C" __global__ void __launch_bounds__(64)
    bags(const float4* __restrict__ x, const int* __restrict__ pick, float4* __restrict__ y, int bags) {
  const int lane = threadIdx.x % 32, bag = blockIdx.x * 2 + threadIdx.x / 32;
  if (bag >= bags) return;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 32
  for (int j = 0; j < 512; ++j) {
    const float4 v = x[pick[bag * 512 + j] * 32LL + lane];
    sum.x += v.x;
    sum.y += v.y;
    sum.z += v.z;
    sum.w += v.w;
  }
  y[bag * 32LL + lane] = sum;
}
