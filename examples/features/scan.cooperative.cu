/* hone 1
[[scratch]]
name  = "sums"
dtype = "f32"
shape = ["2 * sm_count"]

[[scratch]]
name  = "arrived"
dtype = "i32"
shape = [1]

[[launch]]
kernel = "reset"
grid   = [1]
block  = [1]
args   = ["arrived"]

[[launch]]
kernel      = "scan"
grid        = ["2 * sm_count"]
block       = [512]
cooperative = true
args        = ["x", "sums", "y", "n", "arrived"]
*/
// Shows `cooperative`: all blocks run at once, so they may wait for each other, by a counter that lies in scratch.

#define BLOCK 512
#define ALL 0xffffffffu

// Once a call: everything written before it by any block is seen by all after it.
__device__ void grid_barrier(int* arrived) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (*(volatile int*)arrived < (int)gridDim.x) __nanosleep(50);
    __threadfence();
  }
  __syncthreads();
}

// Inclusive over the block; *all is the sum over it.
__device__ float block_scan(float v, float* all) {
  __shared__ float warp[BLOCK / 32];
  const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
  for (int o = 1; o < 32; o *= 2) {
    const float left = __shfl_up_sync(ALL, v, o);
    if (lane >= o) v += left;
  }
  __syncthreads();  // the previous sums have been read
  if (lane == 31) warp[w] = v;
  __syncthreads();
  float before = 0.0f, total = 0.0f;
  for (int i = 0; i < BLOCK / 32; ++i) {
    if (i == w) before = total;
    total += warp[i];
  }
  *all = total;
  return before + v;
}

extern "C" __global__ void reset(int* arrived) { *arrived = 0; }

extern "C" __global__ void __launch_bounds__(BLOCK, 2)
    scan(const float* __restrict__ x, float* sums, float* __restrict__ y, long long n, int* arrived) {
  const int t = threadIdx.x;
  const long long share = (n + gridDim.x - 1) / gridDim.x, from = min(n, blockIdx.x * share), to = min(n, from + share);
  float sum = 0.0f, all;
  for (long long i = from + t; i < to; i += BLOCK) sum += x[i];
  block_scan(sum, &all);
  if (t == 0) sums[blockIdx.x] = all;
  grid_barrier(arrived);

  sum = 0.0f;
  for (int b = t; b < blockIdx.x; b += BLOCK) sum += *(volatile float*)&sums[b];
  float before;
  block_scan(sum, &before);
  for (long long i = from; i < to; i += BLOCK) {
    const float scanned = block_scan(i + t < to ? x[i + t] : 0.0f, &all);
    if (i + t < to) y[i + t] = before + scanned;
    before += all;
  }
}
