/* hone 1
[tune]
BLOCK = { values = [128, 256, 512, 1024], default = 256 }
WAVES = { values = [1, 2, 4, 8, 16], default = 1 }     # blocks for each multiprocessor
BATCH = { values = [1, 2, 4, 8], default = 1 }         # loads in flight in a thread
VEC   = { values = [1, 4], default = 1 }               # elements of one load

[[scratch]]
name  = "partial"
dtype = "f32"
shape = ["WAVES * sm_count"]

[[launch]]
kernel = "sum_parts"
grid   = ["WAVES * sm_count"]
block  = ["BLOCK"]
args   = ["x", "partial", "n"]

[[launch]]
kernel = "sum_rest"
grid   = [1]
block  = ["BLOCK"]
args   = ["partial", "y", "WAVES * sm_count"]
*/
// Every thread strides over the vector, a block adds up its threads, and a last block adds up the blocks.

__device__ float load(const float* x) {
#if VEC == 4
  const float4 v = *(const float4*)x;
  return (v.x + v.y) + (v.z + v.w);
#else
  return *x;
#endif
}

// The sum over the block, in thread 0.
__device__ float block_sum(float s) {
  __shared__ float warp[32];
  for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(0xffffffffu, s, o);
  if (threadIdx.x % 32 == 0) warp[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x >= 32) return 0.0f;
  s = threadIdx.x < BLOCK / 32 ? warp[threadIdx.x] : 0.0f;
  for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(0xffffffffu, s, o);
  return s;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    sum_parts(const float* __restrict__ x, float* __restrict__ partial, long long n) {
  const long long stride = (long long)gridDim.x * BLOCK * VEC;
  const long long first = ((long long)blockIdx.x * BLOCK + threadIdx.x) * VEC;
  float s[BATCH] = {};
  long long i = first;
  for (; i + (BATCH - 1) * stride + VEC <= n; i += BATCH * stride)
#pragma unroll
    for (int b = 0; b < BATCH; ++b) s[b] += load(x + i + b * stride);
  for (; i < n; i += stride)
    for (int v = 0; v < VEC && i + v < n; ++v) s[0] += x[i + v];
#pragma unroll
  for (int b = 1; b < BATCH; ++b) s[0] += s[b];
  const float t = block_sum(s[0]);
  if (threadIdx.x == 0) partial[blockIdx.x] = t;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    sum_rest(const float* __restrict__ partial, float* __restrict__ y, int parts) {
  float s = 0.0f;
  for (int i = threadIdx.x; i < parts; i += BLOCK) s += partial[i];
  s = block_sum(s);
  if (threadIdx.x == 0) y[0] = s;
}
