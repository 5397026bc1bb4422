/* hone 1
[[launch]]
kernel = "causal"
grid   = ["sm_count"]
block  = [1024]
args   = ["x", "h", "y", "n"]
*/
// A block computes tiles of 512 elements: 128 threads with four elements each have an eighth of the filter, 1024 taps
// at a time. Later tiles have more taps; which tiles a block gets is the matter.

extern "C" __global__ void __launch_bounds__(1024)
    causal(const float* __restrict__ x, const float* __restrict__ h, float* __restrict__ y, int n) {
  __shared__ __align__(16) float signal[1536], taps[1024], parts[8][512];
  const int t = threadIdx.x, part = t / 128, own = t % 128 * 4, tiles = (n + 511) / 512, blocks = gridDim.x;
  for (int round = 0; round * blocks < tiles; ++round) {
    const int tile = round * blocks + (round % 2 == 0 ? (int)blockIdx.x : blocks - 1 - (int)blockIdx.x);
    if (tile >= tiles) continue;
    const int i0 = tile * 512;
    float sum[4] = {};
    for (int j0 = 0; j0 < i0 + 512; j0 += 1024) {
      __syncthreads();
      taps[t] = j0 + t < n ? h[j0 + t] : 0.0f;
      const int i = i0 - j0 - 1024 + t;
      signal[t] = i >= 0 && i < n ? x[i] : 0.0f;
      if (t < 512) signal[t + 1024] = i + 1024 >= 0 && i + 1024 < n ? x[i + 1024] : 0.0f;
      __syncthreads();
      float some[4] = {};
      int at = 1024 + own - part * 128;
      float4 high = *(const float4*)(signal + at);
#pragma unroll 4
      for (int j = part * 128; j < part * 128 + 128; j += 4) {
        const float4 tap = *(const float4*)(taps + j);
        at -= 4;
        const float4 low = *(const float4*)(signal + at);
        some[0] += tap.x * high.x + tap.y * low.w + tap.z * low.z + tap.w * low.y;
        some[1] += tap.x * high.y + tap.y * high.x + tap.z * low.w + tap.w * low.z;
        some[2] += tap.x * high.z + tap.y * high.y + tap.z * high.x + tap.w * low.w;
        some[3] += tap.x * high.w + tap.y * high.z + tap.z * high.y + tap.w * high.x;
        high = low;
      }
#pragma unroll
      for (int e = 0; e < 4; ++e) sum[e] += some[e];
    }
#pragma unroll
    for (int e = 0; e < 4; ++e) parts[part][own + e] = sum[e];
    __syncthreads();
    if (t < 512 && i0 + t < n) {
      float all = 0.0f;
#pragma unroll
      for (int p = 0; p < 8; ++p) all += parts[p][t];
      y[i0 + t] = all;
    }
  }
}
