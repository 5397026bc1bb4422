/* hone 1
[[launch]]
kernel = "rank"
grid   = ["ceil_div(n, 6 * 8192)"]
block  = [1024]
args   = ["x", "t", "y", "n", "m"]
*/
// A block takes its elements 8192 at a time, TURNS times; one block fills an SM. The thresholds lie in shared memory,
// and the sign of a difference is the count.

#define TURNS 6

__device__ int counted(int count, float x, float t) { return count + (int)(__float_as_uint(x - t) >> 31); }

extern "C" __global__ void __launch_bounds__(1024, 1)
    rank(const float* __restrict__ x, const float* __restrict__ t, int* __restrict__ y, long long n, int m) {
  __shared__ __align__(16) float s[256];
  if (threadIdx.x < 256)  // at most 256 thresholds, and none is above minus infinity
    s[threadIdx.x] = threadIdx.x < m ? t[threadIdx.x] : -__int_as_float(0x7f800000);
  __syncthreads();
#pragma unroll 1
  for (int turn = 0; turn < TURNS; ++turn) {
    const long long first = (blockIdx.x * (long long)TURNS + turn) * 8192 + threadIdx.x;
    float mine[8];
    int count[8];
#pragma unroll
    for (int e = 0; e < 8; ++e) {
      mine[e] = first + e * 1024 < n ? x[first + e * 1024] : 0.0f;
      count[e] = 0;
    }
#pragma unroll 2
    for (int j = 0; j < 256; j += 4) {
      const float4 four = *(const float4*)(s + j);
#pragma unroll
      for (int e = 0; e < 8; ++e) {
        count[e] = counted(count[e], mine[e], four.x);
        count[e] = counted(count[e], mine[e], four.y);
        count[e] = counted(count[e], mine[e], four.z);
        count[e] = counted(count[e], mine[e], four.w);
      }
    }
#pragma unroll
    for (int e = 0; e < 8; ++e)
      if (first + e * 1024 < n) y[first + e * 1024] = count[e];
  }
}
