/* hone 1
[[launch]]
kernel = "units"
grid   = ["ceil_div(n, 64)"]
block  = [256]
shared = "4 * (64 * (ceil_div(dims, 8) * 8 + 4) + 1 * 768)"
args   = ["x", "w", "y", "n", "m", "dims"]
*/
// A block keeps 64 inputs in shared memory. Weights come through it 64 units at a time, 8 deep; a thread multiplies 4
// inputs by 4 units. They are waited for, then used.

#define DEEP 8
#define LINE 12  // words from a unit to the next: 12 spread them over the banks
#define STAGE (64 * LINE)

// Dimensions l0 to l0 + 7 of units j0 to j0 + 63, and zeros beyond.
__device__ void load(float* stage, const float* w, int j0, int l0, int m, int dims) {
#pragma unroll
  for (int k = 0; k < 64 * DEEP / 256; ++k) {
    const int e = threadIdx.x + k * 256, j = e / DEEP, l = e % DEEP;
    const bool inside = j0 + j < m && l0 + l < dims;
    if (inside)
      stage[j * LINE + l] = w[(long long)(j0 + j) * dims + l0 + l];
    else
      stage[j * LINE + l] = 0.0f;
  }
}

extern "C" __global__ void __launch_bounds__(256)
    units(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, int n, int m, int dims) {
  extern __shared__ __align__(16) float shared[];
  const int t = threadIdx.x, tx = t % 16, ty = t / 16, i0 = blockIdx.x * 64;
  const int deep = (dims + DEEP - 1) / DEEP, line = deep * DEEP + 4, steps = (m + 63) / 64 * deep;
  float* stages = shared + 64 * line;
  for (int i = t / 32; i < 64; i += 8)
    for (int d = t % 32; d < deep * DEEP; d += 32)
      shared[i * line + d] = i0 + i < n && d < dims ? x[(long long)(i0 + i) * dims + d] : 0.0f;
  float sum[4] = {}, dot[4][4] = {};
  int j0 = 0;
  for (int s = 0, l = 0; s < steps; ++s) {
    float* stage = stages;
    load(stage, w, j0, l * DEEP, m, dims);
    if (l + 1 == deep) j0 += 64;
    __syncthreads();
#pragma unroll
    for (int d = 0; d < DEEP; d += 4) {
      float4 p[4], q[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) p[i] = *(const float4*)(shared + (ty + 16 * i) * line + l * DEEP + d);
#pragma unroll
      for (int j = 0; j < 4; ++j) q[j] = *(const float4*)(stage + (tx + 16 * j) * LINE + d);
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          dot[i][j] += p[i].x * q[j].x;
          dot[i][j] += p[i].y * q[j].y;
          dot[i][j] += p[i].z * q[j].z;
          dot[i][j] += p[i].w * q[j].w;
        }
    }
    if (++l == deep) {  // these 64 units are done
      l = 0;
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          sum[i] += fmaxf(dot[i][j], 0.0f);
          dot[i][j] = 0.0f;
        }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    for (int half = 8; half > 0; half /= 2) sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], half);
    if (tx == 0 && i0 + ty + 16 * i < n) y[i0 + ty + 16 * i] = sum[i];
  }
}
