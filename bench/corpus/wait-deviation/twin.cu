/* hone 1
[[launch]]
kernel = "deviation"
grid   = ["ceil_div(n, 128)"]
block  = [128]
args   = ["x", "t", "y", "n", "m"]
*/
// An element for each thread, and the list in shared memory, 4096 numbers at a time. A sum carries along what it has
// lost by rounding. A thread has CHAINS such sums, which do not wait for one another.

#define CHAINS 8

__device__ void add(float& sum, float& lost, float value) {
  const float added = value - lost, next = sum + added;
  lost = (next - sum) - added;
  sum = next;
}

extern "C" __global__ void __launch_bounds__(128)
    deviation(const float* __restrict__ x, const float* __restrict__ t, float* __restrict__ y, int n, int m) {
  __shared__ __align__(16) float list[4096];
  const int i = blockIdx.x * 128 + threadIdx.x;
  const float own = i < n ? x[i] : 0.0f;
  float sum[CHAINS] = {}, lost[CHAINS] = {};
  for (int j0 = 0; j0 < m; j0 += 4096) {
    const int size = min(4096, m - j0);
    __syncthreads();
#pragma unroll 8
    for (int e = threadIdx.x; e < size; e += 128) list[e] = t[j0 + e];
    __syncthreads();
    int j = 0;
#pragma unroll 1
    for (; j + 16 <= size; j += 16)
#pragma unroll
      for (int e = 0; e < 16; ++e) add(sum[e % CHAINS], lost[e % CHAINS], fabsf(own - list[j + e]));
    for (; j < size; ++j) add(sum[0], lost[0], fabsf(own - list[j]));
  }
#pragma unroll
  for (int c = 1; c < CHAINS; ++c) {
    add(sum[0], lost[0], sum[c]);
    add(sum[0], lost[0], -lost[c]);
  }
  if (i < n) y[i] = sum[0];
}
