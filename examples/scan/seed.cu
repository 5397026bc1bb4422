/* hone 1
[tune]
BLOCK = { values = [128, 256, 512, 1024], default = 128 }
ITEMS = { values = [1, 2, 4, 8, 16, 32], default = 2 }     # elements of a thread

[[scratch]]
name  = "before"
dtype = "f32"
shape = ["ceil_div(n, BLOCK * ITEMS)"]

[[launch]]
kernel = "sum_tiles"
grid   = ["ceil_div(n, BLOCK * ITEMS)"]
block  = ["BLOCK"]
args   = ["x", "before", "n"]

[[launch]]
kernel = "scan_sums"
grid   = [1]
block  = ["BLOCK"]
args   = ["before", "ceil_div(n, BLOCK * ITEMS)"]

[[launch]]
kernel = "scan_tiles"
grid   = ["ceil_div(n, BLOCK * ITEMS)"]
block  = ["BLOCK"]
args   = ["x", "before", "y", "n"]
*/
// Blocks sum tiles; one block scans the sums; blocks scan their tiles, starting from what came before. A tile is cut
// into one run of 32 * ITEMS elements for each warp, which a warp takes 32 at a time.

#define ALL 0xffffffffu

// Inclusive over the warp.
__device__ float warp_scan(float v) {
#pragma unroll
  for (int o = 1; o < 32; o *= 2) {
    const float left = __shfl_up_sync(ALL, v, o);
    if (threadIdx.x % 32 >= o) v += left;
  }
  return v;
}

// Every thread of a warp brings the warp's sum. Returns the sum of the warps before it; *all is the sum of all.
__device__ float warps_before(float sum, float* all) {
  __shared__ float of_warp[32];
  __syncthreads();  // the previous sums have been read
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  float before = 0.0f, total = 0.0f;
  for (int w = 0; w < BLOCK / 32; ++w) {
    if (w == threadIdx.x / 32) before = total;
    total += of_warp[w];
  }
  *all = total;
  return before;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    sum_tiles(const float* __restrict__ x, float* __restrict__ before, long long n) {
  const long long first = (long long)blockIdx.x * (BLOCK * ITEMS) + threadIdx.x;
  float sum = 0.0f, all;
#pragma unroll
  for (int k = 0; k < ITEMS; ++k)
    if (first + k * BLOCK < n) sum += x[first + k * BLOCK];
  for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(ALL, sum, o);
  warps_before(sum, &all);
  if (threadIdx.x == 0) before[blockIdx.x] = all;
}

// One block goes through the sums BLOCK at a time: `lost` collects what the running sum rounds away.
extern "C" __global__ void __launch_bounds__(BLOCK) scan_sums(float* before, long long tiles) {
  float sum = 0.0f, lost = 0.0f;
  for (long long first = 0; first < tiles; first += BLOCK) {
    const long long t = first + threadIdx.x;
    const float own = t < tiles ? before[t] : 0.0f;
    const float scanned = warp_scan(own);
    float all;
    const float offset = warps_before(__shfl_sync(ALL, scanned, 31), &all);
    const float left = __shfl_up_sync(ALL, scanned, 1);
    if (t < tiles) before[t] = sum + (offset + (threadIdx.x % 32 ? left : 0.0f) - lost);
    const float term = all - lost, next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    scan_tiles(const float* __restrict__ x, const float* __restrict__ before, float* __restrict__ y, long long n) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const long long first = (long long)blockIdx.x * (BLOCK * ITEMS) + warp * (32 * ITEMS) + lane;
  float scanned[ITEMS], sum = 0.0f, all;
#pragma unroll
  for (int k = 0; k < ITEMS; ++k) {
    scanned[k] = sum + warp_scan(first + k * 32 < n ? x[first + k * 32] : 0.0f);
    sum = __shfl_sync(ALL, scanned[k], 31);
  }
  const float offset = before[blockIdx.x] + warps_before(sum, &all);
#pragma unroll
  for (int k = 0; k < ITEMS; ++k)
    if (first + k * 32 < n) y[first + k * 32] = offset + scanned[k];
}
