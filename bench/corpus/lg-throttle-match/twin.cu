/* hone 1
[[launch]]
kernel = "match_fours"
when   = "cols % 4 == 0"
grid   = ["ceil_div(cols, 128)", "ceil_div(rows, 16)"]
block  = [32, 8]
args   = ["x", "t", "y", "rows", "cols"]

[[launch]]
kernel = "match"
when   = "cols % 4 != 0"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
block  = [32, 8]
args   = ["x", "t", "y", "rows", "cols"]
*/
// Four places side by side for each thread, and the four below them. It reads pixels of the picture by fours and uses
// each for up to eight places; the caches have them. The small picture lies in shared memory.

__device__ void add(float (&sum)[4], const float (&line)[16], const float* small) {
#pragma unroll
  for (int j = 0; j < 13; ++j)
#pragma unroll
    for (int e = 0; e < 4; ++e) sum[e] += fabsf(line[j + e] - small[j]);
}

extern "C" __global__ void __launch_bounds__(256)
    match_fours(const float* __restrict__ x, const float* __restrict__ t, float* __restrict__ y, int rows, int cols) {
  __shared__ __align__(16) float small[11][16];
  for (int e = threadIdx.y * 32 + threadIdx.x; e < 143; e += 256) small[e / 13][e % 13] = t[e];
  __syncthreads();
  const int c = (blockIdx.x * 32 + threadIdx.x) * 4, r = (blockIdx.y * 8 + threadIdx.y) * 2;
  if (c >= cols || r >= rows) return;
  const float* at = x + (long long)r * (cols + 12) + c;
  const int lines = min(12, rows + 10 - r);
  float upper[4] = {}, lower[4] = {};
#pragma unroll 1
  for (int i = 0; i < lines; ++i, at += cols + 12) {
    float line[16];
#pragma unroll
    for (int e = 0; e < 4; ++e) *(float4*)(line + e * 4) = *(const float4*)(at + e * 4);
    if (i < 11) add(upper, line, small[i]);
    if (i > 0) add(lower, line, small[i - 1]);
  }
  float* to = y + (long long)r * cols + c;
  *(float4*)to = make_float4(upper[0], upper[1], upper[2], upper[3]);
  if (r + 1 < rows) *(float4*)(to + cols) = make_float4(lower[0], lower[1], lower[2], lower[3]);
}

// For any number of columns, a place for each thread.
extern "C" __global__ void __launch_bounds__(256)
    match(const float* __restrict__ x, const float* __restrict__ t, float* __restrict__ y, int rows, int cols) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  if (c >= cols || r >= rows) return;
  const float* at = x + (long long)r * (cols + 12) + c;
  float sum = 0.0f;
#pragma unroll 1
  for (int i = 0; i < 11; ++i, at += cols + 12)
#pragma unroll
    for (int j = 0; j < 13; ++j) sum += fabsf(at[j] - t[i * 13 + j]);
  y[(long long)r * cols + c] = sum;
}
