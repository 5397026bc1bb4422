/* hone 1
[[launch]]
kernel = "short_rows"
when   = "cols <= 1024"
grid   = ["ceil_div(rows, 8)"]
block  = [32, 8]
args   = ["x", "y", "rows", "cols"]

[[launch]]
kernel = "long_rows"
when   = "cols > 1024"
grid   = ["rows"]
block  = [256]
args   = ["x", "y", "cols"]
*/
// Shows `when`: one source for all shapes. A short row stays in the registers of a warp, a long one has a block.

#define ALL 0xffffffffu
#define LOWEST __int_as_float(0xff800000)  // minus infinity

extern "C" __global__ void short_rows(const float* __restrict__ x, float* __restrict__ y, long long rows, int cols) {
  const long long row = blockIdx.x * 8LL + threadIdx.y;
  const int lane = threadIdx.x;
  if (row >= rows) return;
  float v[32], top = LOWEST, sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    v[i] = i * 32 + lane < cols ? x[row * cols + i * 32 + lane] : LOWEST;
    top = fmaxf(top, v[i]);
  }
  for (int o = 16; o > 0; o /= 2) top = fmaxf(top, __shfl_xor_sync(ALL, top, o));
#pragma unroll
  for (int i = 0; i < 32; ++i) sum += v[i] = expf(v[i] - top);
  for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(ALL, sum, o);
#pragma unroll
  for (int i = 0; i < 32; ++i)
    if (i * 32 + lane < cols) y[row * cols + i * 32 + lane] = v[i] / sum;
}

extern "C" __global__ void long_rows(const float* __restrict__ x, float* __restrict__ y, long long cols) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;
  float top = LOWEST, sum = 0.0f;
  for (long long c = t; c < cols; c += 256) top = fmaxf(top, x[c]);
  s[t] = top;
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) s[t] = fmaxf(s[t], s[t + step]);
  }
  __syncthreads();
  top = s[0];
  __syncthreads();
  for (long long c = t; c < cols; c += 256) sum += expf(x[c] - top);
  s[t] = sum;
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) s[t] += s[t + step];
  }
  __syncthreads();
  sum = s[0];
  for (long long c = t; c < cols; c += 256) y[c] = expf(x[c] - top) / sum;
}
