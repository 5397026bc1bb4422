/* hone 1
[[scratch]]
name  = "order"
dtype = "i32"
shape = ["windows"]

[[launch]]
kernel = "rank"
grid   = ["ceil_div(windows, 8)"]
block  = [256]
args   = ["length", "order", "windows"]

[[launch]]
kernel = "spreads"
grid   = ["sm_count"]
block  = [512]
args   = ["x", "start", "length", "y", "order", "windows", "pool"]
*/
// A block takes window after window, and long ones take longer; which windows it gets is the matter. They are dealt
// out one to each block in turn, the longest first, and every other round backwards.

// A warp for each window, which finds out how many come before it.
extern "C" __global__ void __launch_bounds__(256)
    rank(const int* __restrict__ length, int* __restrict__ order, int windows) {
  const int window = blockIdx.x * 8 + threadIdx.x / 32;
  if (window >= windows) return;
  const int own = length[window];
  int before = 0;
  for (int other = threadIdx.x % 32; other < windows; other += 32)
    before += length[other] > own || (length[other] == own && other < window);
  for (int half = 16; half > 0; half /= 2) before += __shfl_xor_sync(0xffffffffu, before, half);
  if (threadIdx.x % 32 == 0) order[before] = window;
}

// The differences of one element to all of its window.
__device__ float differences(float own, const float* here, int many) {
  float sum[4] = {};
  int j = 0;
#pragma unroll 4
  for (; j + 4 <= many; j += 4) {
    const float4 other = *(const float4*)(here + j);
    sum[0] += fabsf(own - other.x);
    sum[1] += fabsf(own - other.y);
    sum[2] += fabsf(own - other.z);
    sum[3] += fabsf(own - other.w);
  }
#pragma unroll 1
  for (; j < many; ++j) sum[0] += fabsf(own - here[j]);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

extern "C" __global__ void __launch_bounds__(512)
    spreads(const float* __restrict__ x, const int* __restrict__ start, const int* __restrict__ length,
            float* __restrict__ y, const int* __restrict__ order, int windows, int pool) {
  __shared__ __align__(16) float here[2048], warps[16];
  const int blocks = gridDim.x;
  for (int round = 0; round * blocks < windows; ++round) {
    const int turn = round * blocks + (round % 2 == 0 ? (int)blockIdx.x : blocks - 1 - (int)blockIdx.x);
    if (turn >= windows) continue;
    const int window = order[turn];
    __syncthreads();
    const int many = length[window];
    for (int i = threadIdx.x; i < many; i += 512) here[i] = x[(start[window] + i) % pool];
    __syncthreads();
    float sum = 0.0f;
    for (int i = threadIdx.x; i < many; i += 512) sum += differences(here[i], here, many);
    for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int w = 1; w < 16; ++w) sum += warps[w];
      y[window] = 0.5f * sum;  // every pair was met twice
    }
  }
}
