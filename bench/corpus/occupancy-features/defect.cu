/* hone 1
[[launch]]
kernel = "features"
grid   = ["8 * sm_count"]
block  = [256]
args   = ["x", "pick", "w", "y", "n"]
*/
// A thread takes one point after the other. It has read the weights into registers before, once for all of them.

extern "C" __global__ void __launch_bounds__(256)
    features(const float4* __restrict__ x, const int* __restrict__ pick, const float* __restrict__ w,
             float* __restrict__ y, long long n) {
  float net[24][6];
#pragma unroll
  for (int e = 0; e < 144; ++e) net[e / 6][e % 6] = w[e];
#pragma unroll 1
  for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
    const float4 at = x[pick[i]];
    float sum = 0.0f;
#pragma unroll
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
