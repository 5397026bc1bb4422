/* hone 1
[[scratch]]
name  = "partial"
dtype = "f32"
shape = ["2 * sm_count"]

[[launch]]
kernel = "sum_parts"
grid   = ["2 * sm_count"]
block  = [256]
args   = ["x", "partial", "n"]

[[launch]]
kernel = "sum_rest"
grid   = [1]
block  = [256]
args   = ["partial", "y", "2 * sm_count"]
*/
// Every thread strides over the vector, a block adds up its threads, and a last block adds up the blocks. How many
// loads a thread has on their way at a time is the matter.

#define BATCH 1

// The sum over the block, in thread 0.
__device__ float block_sum(float s) {
  __shared__ float warp[8];
  for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(0xffffffffu, s, o);
  if (threadIdx.x % 32 == 0) warp[threadIdx.x / 32] = s;
  __syncthreads();
  s = 0.0f;
  for (int w = 0; w < 8; ++w) s += warp[w];
  return s;
}

extern "C" __global__ void __launch_bounds__(256)
    sum_parts(const float* __restrict__ x, float* __restrict__ partial, long long n) {
  const long long stride = gridDim.x * 256LL;
  long long i = blockIdx.x * 256LL + threadIdx.x;
  float s[BATCH] = {};
#pragma unroll 1
  for (; i + (BATCH - 1) * stride < n; i += BATCH * stride)
#pragma unroll
    for (int b = 0; b < BATCH; ++b) s[b] += x[i + b * stride];
#pragma unroll 1
  for (; i < n; i += stride) s[0] += x[i];
#pragma unroll
  for (int b = 1; b < BATCH; ++b) s[0] += s[b];
  const float all = block_sum(s[0]);
  if (threadIdx.x == 0) partial[blockIdx.x] = all;
}

extern "C" __global__ void __launch_bounds__(256)
    sum_rest(const float* __restrict__ partial, float* __restrict__ y, int parts) {
  float s = 0.0f;
  for (int i = threadIdx.x; i < parts; i += 256) s += partial[i];
  s = block_sum(s);
  if (threadIdx.x == 0) y[0] = s;
}
