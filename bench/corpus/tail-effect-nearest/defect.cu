/* hone 1
[[launch]]
kernel = "nearest"
grid   = ["ceil_div(n, 8 * 1024)"]
block  = [1024]
args   = ["x", "z", "y", "n", "m"]
*/
// POINTS points for each thread, in registers; one block fills an SM. Landmarks lie in shared memory, 1024 at a time.

#define POINTS 8
#define FAR 1e18f  // no landmark: farther than any, and its square is still a number

extern "C" __global__ void __launch_bounds__(1024, 1)
    nearest(const float* __restrict__ x, const float* __restrict__ z, float* __restrict__ y, int n, int m) {
  __shared__ float4 landmark[1024];
  const int t = threadIdx.x, first = blockIdx.x * (POINTS * 1024) + t;
  float a[POINTS], b[POINTS], c[POINTS], least[POINTS];
#pragma unroll
  for (int e = 0; e < POINTS; ++e) {
    const int i = min(first + e * 1024, n - 1);
    a[e] = x[i];
    b[e] = x[n + i];
    c[e] = x[2 * n + i];
    least[e] = 3e38f;
  }
  for (int j0 = 0; j0 < m; j0 += 1024) {
    __syncthreads();
    const int j = j0 + t;
    landmark[t] = j < m ? make_float4(z[j], z[m + j], z[2 * m + j], 0.0f) : make_float4(FAR, FAR, FAR, 0.0f);
    __syncthreads();
#pragma unroll 4
    for (int l = 0; l < 1024; ++l) {
      const float4 there = landmark[l];
#pragma unroll
      for (int e = 0; e < POINTS; ++e) {
        const float u = a[e] - there.x, v = b[e] - there.y, w = c[e] - there.z;
        least[e] = fminf(least[e], u * u + v * v + w * w);
      }
    }
  }
#pragma unroll
  for (int e = 0; e < POINTS; ++e)
    if (first + e * 1024 < n) y[first + e * 1024] = sqrtf(least[e]);
}
