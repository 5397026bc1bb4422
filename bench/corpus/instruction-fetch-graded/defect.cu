/* hone 1
[[launch]]
kernel = "graded"
grid   = ["ceil_div(n, 2048)"]
block  = [256]
args   = ["x", "degree", "c", "y", "n"]
*/
// A warp has 256 elements of one degree, eight for each lane. There is a body for every degree, so that all loops have
// a length that the compiler knows.

template <int LAST>
__device__ void evaluate(float (&sum)[8], const float (&own)[8], const float* c) {
#pragma unroll
  for (int e = 0; e < 8; ++e) sum[e] = c[LAST];
#pragma unroll
  for (int k = LAST - 1; k >= 0; --k) {
    const float factor = c[k];
#pragma unroll
    for (int e = 0; e < 8; ++e) sum[e] = sum[e] * own[e] + factor;
  }
}

#define ONE(last)                   \
  case last:                        \
    evaluate<last>(sum, own, here); \
    break;
#define FOUR(last) ONE(last) ONE(last + 1) ONE(last + 2) ONE(last + 3)
#define SIXTEEN(last) FOUR(last) FOUR(last + 4) FOUR(last + 8) FOUR(last + 12)

extern "C" __global__ void __launch_bounds__(256)
    graded(const float* __restrict__ x, const int* __restrict__ degree, const float* __restrict__ c,
           float* __restrict__ y, long long n) {
  __shared__ float here[97];
  if (threadIdx.x < 97) here[threadIdx.x] = c[threadIdx.x];
  __syncthreads();
  const long long group = blockIdx.x * 8LL + threadIdx.x / 32, first = group * 256 + threadIdx.x % 32;
  if (group * 256 >= n) return;
  float own[8], sum[8];
#pragma unroll
  for (int e = 0; e < 8; ++e) own[e] = first + e * 32 < n ? x[first + e * 32] : 0.0f;
  const int last = degree[group];
  switch (last) {
    SIXTEEN(1)
    SIXTEEN(17)
    SIXTEEN(33)
    SIXTEEN(49)
    SIXTEEN(65)
    SIXTEEN(81)
  }
#pragma unroll
  for (int e = 0; e < 8; ++e)
    if (first + e * 32 < n) y[first + e * 32] = sum[e];
}
