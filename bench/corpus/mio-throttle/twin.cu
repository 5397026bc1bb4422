/* hone 1
[[launch]]
kernel = "filter"
grid   = ["ceil_div(n, 1024)"]
block  = [128]
args   = ["x", "w", "y", "n"]
*/
// A block has 1024 elements, 8 for each thread, and what they need in shared memory. A thread keeps a window of it in
// registers and moves it on by four elements at a time.

extern "C" __global__ void __launch_bounds__(128)
    filter(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, long long n) {
  __shared__ __align__(16) float in[1024 + 128], taps[128];
  const long long first = blockIdx.x * 1024LL;
  for (int e = threadIdx.x; e < 1024 + 127; e += 128) in[e] = first + e < n + 127 ? x[first + e] : 0.0f;
  taps[threadIdx.x] = w[threadIdx.x];
  if (threadIdx.x == 0) in[1024 + 127] = 0.0f;
  __syncthreads();
  const int at = threadIdx.x * 8;
  float sum[8] = {}, window[12];
  *(float4*)(window + 0) = *(const float4*)(in + at);
  *(float4*)(window + 4) = *(const float4*)(in + at + 4);
#pragma unroll 4
  for (int k = 0; k < 128; k += 4) {
    *(float4*)(window + 8) = *(const float4*)(in + at + k + 8);
    const float4 four = *(const float4*)(taps + k);
    const float tap[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int q = 0; q < 4; ++q)
#pragma unroll
      for (int o = 0; o < 8; ++o) sum[o] += tap[q] * window[o + q];
#pragma unroll
    for (int o = 0; o < 8; ++o) window[o] = window[o + 4];
  }
#pragma unroll
  for (int o = 0; o < 8; ++o)
    if (first + at + o < n) y[first + at + o] = sum[o];
}
