/* hone 1
[[launch]]
kernel = "potential"
grid   = ["ceil_div(n, 512)"]
block  = [256]
args   = ["x", "z", "q", "y", "n", "m"]
*/
// Two points for each thread, and charges in shared memory, 256 at a time. How the softening is written is the matter.

extern "C" __global__ void __launch_bounds__(256)
    potential(const float* __restrict__ x, const float* __restrict__ z, const float* __restrict__ q,
              float* __restrict__ y, int n, int m) {
  __shared__ float4 charge[256];
  const int t = threadIdx.x, first = blockIdx.x * 512 + t;
  float a[2], b[2], c[2], sum[2];
#pragma unroll
  for (int e = 0; e < 2; ++e) {
    const int i = min(first + e * 256, n - 1);
    a[e] = x[i];
    b[e] = x[n + i];
    c[e] = x[2 * n + i];
    sum[e] = 0.0f;
  }
  for (int j0 = 0; j0 < m; j0 += 256) {
    __syncthreads();
    const int j = j0 + t;
    charge[t] = j < m ? make_float4(z[j], z[m + j], z[2 * m + j], q[j]) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();
    float part[2] = {};
#pragma unroll 8
    for (int l = 0; l < 256; ++l) {
      const float4 there = charge[l];
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const float u = a[e] - there.x, v = b[e] - there.y, w = c[e] - there.z;
        part[e] += there.w * rsqrtf(u * u + v * v + w * w + 0.001);
      }
    }
#pragma unroll
    for (int e = 0; e < 2; ++e) sum[e] += part[e];
  }
#pragma unroll
  for (int e = 0; e < 2; ++e)
    if (first + e * 256 < n) y[first + e * 256] = sum[e];
}
