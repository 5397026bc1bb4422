/* hone 1
[[launch]]
kernel = "before"
grid   = ["sm_count"]
block  = [256]
args   = ["x", "y", "n"]
*/
// Every block has as many groups of 256 elements as any other. Which groups is the matter: the later ones have more
// elements before them.

extern "C" __global__ void __launch_bounds__(256) before(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ __align__(16) float tile[256];
  const int t = threadIdx.x, groups = (n + 255) / 256, share = (groups + gridDim.x - 1) / gridDim.x;
  for (int k = 0; k < share; ++k) {
    const int group = k * gridDim.x + (k % 2 == 0 ? blockIdx.x : gridDim.x - 1 - blockIdx.x);
    if (group >= groups) continue;
    const int i = group * 256 + t;
    const float mine = i < n ? x[i] : 0.0f;
    float sum = 0.0f;
    for (int g = 0; g < group; ++g) {
      __syncthreads();
      tile[t] = x[g * 256 + t];
      __syncthreads();
      float part[8] = {};
#pragma unroll 8
      for (int j = 0; j < 256; j += 8)
#pragma unroll
        for (int e = 0; e < 8; ++e) part[e] += fmaxf(mine, tile[j + e]);
      sum += ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
    }
    __syncthreads();
    tile[t] = mine;
    __syncthreads();
    float part = 0.0f;
    for (int j = 0; j <= t; ++j) part += fmaxf(mine, tile[j]);
    if (i < n) y[i] = sum + part;
  }
}
