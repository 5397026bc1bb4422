/* hone 1
[[launch]]
kernel = "series"
grid   = ["ceil_div(n, 1024)"]
block  = [256]
args   = ["x", "a", "y", "n"]
*/
// Four elements for each thread, asked for together. The series is summed from its end (Clenshaw); whether the compiler
// unrolls the loop over its terms is the matter.

#define TERMS 12

__device__ float sum_up(float x, const float* a) {
  float now = 0.0f, before = 0.0f;
#pragma unroll
  for (int k = TERMS - 1; k > 0; --k) {
    const float next = 2.0f * x * now + (a[k] - before);
    before = now;
    now = next;
  }
  return x * now + (a[0] - before);
}

extern "C" __global__ void __launch_bounds__(256)
    series(const float* __restrict__ x, const float* __restrict__ a, float* __restrict__ y, long long n) {
  __shared__ __align__(16) float here[TERMS];
  if (threadIdx.x < TERMS) here[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  const long long first = blockIdx.x * 1024LL + threadIdx.x;
  float own[4];
#pragma unroll
  for (int e = 0; e < 4; ++e) own[e] = first + e * 256 < n ? x[first + e * 256] : 0.0f;
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    const float sum = sum_up(own[e], here);
    if (first + e * 256 < n) y[first + e * 256] = sum;
  }
}
