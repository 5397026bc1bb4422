/* hone 1
[[launch]]
kernel = "nearest"
grid   = ["ceil_div(n, 512)"]
block  = [256]
args   = ["x", "z", "y", "n", "m"]
*/
// Two points for each thread, and landmarks in shared memory, 256 at a time. Their squares are compared.

#define FAR 1e18f  // no landmark: farther than any, and its square is still a number

extern "C" __global__ void __launch_bounds__(256)
    nearest(const float* __restrict__ x, const float* __restrict__ z, float* __restrict__ y, int n, int m) {
  __shared__ float4 landmark[256];
  const int t = threadIdx.x, first = blockIdx.x * 512 + t;
  float a[2], b[2], c[2], least[2];
#pragma unroll
  for (int e = 0; e < 2; ++e) {
    const int i = min(first + e * 256, n - 1);
    a[e] = x[i];
    b[e] = x[n + i];
    c[e] = x[2 * n + i];
    least[e] = 3e38f;
  }
  for (int j0 = 0; j0 < m; j0 += 256) {
    __syncthreads();
    const int j = j0 + t;
    landmark[t] = j < m ? make_float4(z[j], z[m + j], z[2 * m + j], 0.0f) : make_float4(FAR, FAR, FAR, 0.0f);
    __syncthreads();
#pragma unroll 8
    for (int l = 0; l < 256; ++l) {
      const float4 there = landmark[l];
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const float u = a[e] - there.x, v = b[e] - there.y, w = c[e] - there.z;
        least[e] = fminf(least[e], u * u + v * v + w * w);
      }
    }
  }
#pragma unroll
  for (int e = 0; e < 2; ++e)
    if (first + e * 256 < n) y[first + e * 256] = sqrtf(least[e]);
}
