/* hone 1
[[launch]]
kernel = "crossentropy"
grid   = ["rows"]
block  = [256]
args   = ["x", "right", "y", "classes"]
*/
// A block for each row. Every thread keeps the largest score so far and a sum of exponentials relative to it. How many
// scores it asks for at a time is the matter.

#define BATCH 8

struct Sum {
  float top, sum;
};

__device__ void add(Sum& all, float score) {
  if (score > all.top) {
    all.sum = all.sum * expf(all.top - score) + 1.0f;
    all.top = score;
  } else {
    all.sum += expf(score - all.top);
  }
}

__device__ void merge(Sum& all, Sum other) {
  const float top = fmaxf(all.top, other.top);
  all.sum = all.sum * expf(all.top - top) + other.sum * expf(other.top - top);
  all.top = top;
}

extern "C" __global__ void __launch_bounds__(256, 8)
    crossentropy(const float* __restrict__ x, const int* __restrict__ right, float* __restrict__ y, int classes) {
  __shared__ Sum warps[8];
  const float* row = x + (long long)blockIdx.x * classes;
  Sum all = {-1e38f, 0.0f};
  int c = threadIdx.x;
#pragma unroll 1
  for (; c + (BATCH - 1) * 256 < classes; c += BATCH * 256) {
    float score[BATCH];
#pragma unroll
    for (int b = 0; b < BATCH; ++b) score[b] = row[c + b * 256];
#pragma unroll
    for (int b = 0; b < BATCH; ++b) add(all, score[b]);
  }
#pragma unroll 1
  for (; c < classes; c += 256) add(all, row[c]);
  for (int half = 16; half > 0; half /= 2) {
    Sum other;
    other.top = __shfl_xor_sync(0xffffffffu, all.top, half);
    other.sum = __shfl_xor_sync(0xffffffffu, all.sum, half);
    merge(all, other);
  }
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = all;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w) merge(all, warps[w]);
    y[blockIdx.x] = all.top + logf(all.sum) - row[right[blockIdx.x]];
  }
}
