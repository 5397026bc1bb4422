/* hone 1
[[launch]]
kernel = "forest"
grid   = ["sm_count"]
block  = [256]
shared = 131072
args   = ["x", "split", "leaf", "y", "n"]
*/
// All splits lie in shared memory, 128 KiB: one block for each SM. A thread takes one point after the other, and goes
// down one tree at a time.

#define TOGETHER 1

extern "C" __global__ void __launch_bounds__(256)
    forest(const float4* __restrict__ x, const float* __restrict__ split, const float* __restrict__ leaf,
           float* __restrict__ y, long long n) {
  extern __shared__ float splits[];
  for (int e = threadIdx.x; e < 8 * 4096; e += 256) splits[e] = split[e];
  __syncthreads();
#pragma unroll 1
  for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
    const float4 point = x[i];
    const float at[4] = {point.x, point.y, point.z, point.w};
    float sum = 0.0f;
#pragma unroll 1
    for (int tree = 0; tree < 8; tree += TOGETHER) {
      int node[TOGETHER];
#pragma unroll
      for (int k = 0; k < TOGETHER; ++k) node[k] = 1;
#pragma unroll
      for (int level = 0; level < 12; ++level)
#pragma unroll
        for (int k = 0; k < TOGETHER; ++k)
          node[k] = 2 * node[k] + (at[level % 4] > splits[(tree + k) * 4096 + node[k]] ? 1 : 0);
#pragma unroll
      for (int k = 0; k < TOGETHER; ++k) sum += leaf[(tree + k) * 4096 + node[k] - 4096];
    }
    y[i] = sum;
  }
}
