/* hone 1
[[launch]]
kernel = "rotations"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["g", "y", "n"]
*/
// A rotation for each thread, which stores the nine numbers of its matrix one after the other.

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
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  float of[9];
  rotation(of, g[i], g[n + i], g[2 * n + i]);
#pragma unroll
  for (int e = 0; e < 9; ++e) y[i * 9 + e] = of[e];
}
