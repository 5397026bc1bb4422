/* hone 1
[[launch]]
kernel = "features"
grid   = ["8 * sm_count"]
block  = [256]
args   = ["x", "pick", "w", "y", "n"]
*/
// A thread takes one point after the other. The weights lie in shared memory for all of the block.

extern "C" __global__ void __launch_bounds__(256)
    features(const float4* __restrict__ x, const int* __restrict__ pick, const float* __restrict__ w,
             float* __restrict__ y, long long n) {
  __shared__ __align__(16) float net[24][8];
  for (int e = threadIdx.x; e < 144; e += 256) net[e / 6][e % 6] = w[e];
  __syncthreads();
#pragma unroll 1
  for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
    const float4 at = x[pick[i]];
    float sum = 0.0f;
#pragma unroll 4
    for (int j = 0; j < 24; ++j) {
      float unit = net[j][4] + net[j][0] * at.x;
      unit += net[j][1] * at.y;
      unit += net[j][2] * at.z;
      unit += net[j][3] * at.w;
      sum += net[j][5] * fmaxf(unit, 0.0f);
    }
    y[i] = sum;
  }
}
