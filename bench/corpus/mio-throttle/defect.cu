/* hone 1
[[launch]]
kernel = "filter"
grid   = ["ceil_div(n, 1024)"]
block  = [128]
args   = ["x", "w", "y", "n"]
*/
// A block has 1024 elements, 8 for each thread, and what they need in shared memory. A thread takes one element after
// the other and reads all that it needs from there, one word at a time.

extern "C" __global__ void __launch_bounds__(128)
    filter(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, long long n) {
  __shared__ __align__(16) float in[1024 + 128], taps[128];
  const long long first = blockIdx.x * 1024LL;
  for (int e = threadIdx.x; e < 1024 + 127; e += 128) in[e] = first + e < n + 127 ? x[first + e] : 0.0f;
  taps[threadIdx.x] = w[threadIdx.x];
  if (threadIdx.x == 0) in[1024 + 127] = 0.0f;
  __syncthreads();
#pragma unroll 1
  for (int o = 0; o < 8; ++o) {
    const int at = o * 128 + threadIdx.x;
    float sum = 0.0f;
#pragma unroll 16
    for (int k = 0; k < 128; ++k) sum += *(volatile float*)(taps + k) * in[at + k];
    if (first + at < n) y[first + at] = sum;
  }
}
