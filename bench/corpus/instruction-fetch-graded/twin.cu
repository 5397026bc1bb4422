/* hone 1
[[launch]]
kernel = "graded"
grid   = ["ceil_div(n, 2048)"]
block  = [256]
args   = ["x", "degree", "c", "y", "n"]
*/
// A warp has 256 elements of one degree, eight for each lane. One loop serves every degree, four steps at a time.

__device__ void evaluate(float (&sum)[8], const float (&own)[8], const float* c, int last) {
#pragma unroll
  for (int e = 0; e < 8; ++e) sum[e] = c[last];
#pragma unroll 4
  for (int k = last - 1; k >= 0; --k) {
    const float factor = c[k];
#pragma unroll
    for (int e = 0; e < 8; ++e) sum[e] = sum[e] * own[e] + factor;
  }
}

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
  evaluate(sum, own, here, last);
#pragma unroll
  for (int e = 0; e < 8; ++e)
    if (first + e * 32 < n) y[first + e * 32] = sum[e];
}
