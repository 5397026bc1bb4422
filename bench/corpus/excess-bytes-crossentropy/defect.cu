/* hone 1
[[launch]]
kernel = "crossentropy"
grid   = ["rows"]
block  = [256]
args   = ["x", "right", "y", "classes"]
*/
// A block for each row, which is read once for its largest score and once more for the sum of exponentials relative to
// it.

#define BATCH 16

// BATCH scores of a row, 256 apart; beyond its end there are some that do not count.
__device__ void load(float (&score)[BATCH], const float* row, int c, int classes) {
#pragma unroll
  for (int b = 0; b < BATCH; ++b) score[b] = c + b * 256 < classes ? row[c + b * 256] : -1e38f;
}

__device__ float over_warps(float v, bool largest, float* warps) {
  for (int half = 16; half > 0; half /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, v, half);
    v = largest ? fmaxf(v, other) : v + other;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = v;
  __syncthreads();
  v = warps[0];
  for (int w = 1; w < 8; ++w) v = largest ? fmaxf(v, warps[w]) : v + warps[w];
  return v;
}

extern "C" __global__ void __launch_bounds__(256, 8)
    crossentropy(const float* __restrict__ x, const int* __restrict__ right, float* __restrict__ y, int classes) {
  __shared__ float warps[8];
  const float* row = x + (long long)blockIdx.x * classes;
  float score[BATCH], top = -1e38f, sum = 0.0f;
#pragma unroll 1
  for (int c = threadIdx.x; c < classes; c += BATCH * 256) {
    load(score, row, c, classes);
#pragma unroll
    for (int b = 0; b < BATCH; ++b) top = fmaxf(top, score[b]);
  }
  top = over_warps(top, true, warps);
#pragma unroll 1
  for (int c = threadIdx.x; c < classes; c += BATCH * 256) {
    load(score, row, c, classes);
#pragma unroll
    for (int b = 0; b < BATCH; ++b) sum += expf(score[b] - top);
  }
  sum = over_warps(sum, false, warps);
  if (threadIdx.x == 0) y[blockIdx.x] = top + logf(sum) - row[right[blockIdx.x]];
}
