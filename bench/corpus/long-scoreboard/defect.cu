/* hone 1
[[launch]]
kernel = "bags"
grid   = ["ceil_div(bags, 2)"]
block  = [64]
args   = ["x", "pick", "y", "bags"]
*/
// A warp for each bag, four floats of a row for each lane. How many rows it asks for before it adds up the first is the
// matter.

#define BATCH 1

extern "C" __global__ void __launch_bounds__(64, 8)
    bags(const float4* __restrict__ x, const int* __restrict__ pick, float4* __restrict__ y, int bags) {
  const int lane = threadIdx.x % 32, bag = blockIdx.x * 2 + threadIdx.x / 32;
  if (bag >= bags) return;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 1
  for (int j = 0; j < 512; j += BATCH) {
    float4 v[BATCH];
#pragma unroll
    for (int b = 0; b < BATCH; ++b) v[b] = x[pick[bag * 512 + j + b] * 32LL + lane];
#pragma unroll
    for (int b = 0; b < BATCH; ++b) {
      sum.x += v[b].x;
      sum.y += v[b].y;
      sum.z += v[b].z;
      sum.w += v[b].w;
    }
  }
  y[bag * 32LL + lane] = sum;
}
