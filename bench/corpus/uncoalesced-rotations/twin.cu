/* hone 1
[[launch]]
kernel = "rotations"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["g", "y", "n"]
*/
// A rotation for each thread. Matrices are put together in shared memory, so that neighbours store neighbouring
// numbers.

__device__ void rotation(float (&of)[9], float u, float v, float w) {
  const float s = 2.0f / (1.0f + u * u + v * v + w * w);
  of[0] = 1.0f - s * (v * v + w * w);
  of[1] = s * (u * v - w);
  of[2] = s * (u * w + v);
  of[3] = s * (u * v + w);
  of[4] = 1.0f - s * (u * u + w * w);
  of[5] = s * (v * w - u);
  of[6] = s * (u * w - v);
  of[7] = s * (v * w + u);
  of[8] = 1.0f - s * (u * u + v * v);
}

extern "C" __global__ void __launch_bounds__(256)
    rotations(const float* __restrict__ g, float* __restrict__ y, long long n) {
  __shared__ float all[256 * 9];
  const long long first = blockIdx.x * 256LL, i = first + threadIdx.x;
  if (i < n) {
    float of[9];
    rotation(of, g[i], g[n + i], g[2 * n + i]);
#pragma unroll
    for (int e = 0; e < 9; ++e) all[threadIdx.x * 9 + e] = of[e];
  }
  __syncthreads();
#pragma unroll
  for (int e = 0; e < 9; ++e) {
    const int at = e * 256 + threadIdx.x;
    if (first * 9 + at < n * 9) y[first * 9 + at] = all[at];
  }
}
