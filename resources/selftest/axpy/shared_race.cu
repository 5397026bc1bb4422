/* hone 1
[[launch]]
kernel = "shared_race"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Two warps pass their results to one another without a barrier. Some arithmetic in between lets
// the other one come first, nearly always.
extern "C" __global__ void shared_race(const float* x, const float* y, float* z, int n) {
  __shared__ volatile float passed[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ 32;
  passed[threadIdx.x] = i < n ? 2.0f * x[i] + y[i] : 0.0f;
  float v = (float)i;
#pragma unroll 1
  for (int k = 0; k < 2000; ++k) v = fmaf(v, 0.5f, 1.0f);
  if (other < n) z[other] = passed[threadIdx.x ^ 32] + (v == 12345.0f ? 1.0f : 0.0f);
}
