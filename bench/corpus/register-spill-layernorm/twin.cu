/* hone 1
[[launch]]
kernel = "layernorm"
when   = "cols == 4096"
grid   = ["rows"]
block  = [128]
args   = ["x", "gamma", "beta", "y", "eps"]

[[launch]]
kernel = "layernorm_any"
when   = "cols != 4096"
grid   = ["rows"]
block  = [128]
args   = ["x", "gamma", "beta", "y", "cols", "eps"]
*/
// A block for each row of 4096; a thread keeps its 32 elements in registers. How many registers it may have is the
// matter.

#define THREADS 128
#define KEPT 8  // loads of a row that a thread keeps

__device__ float block_sum(float v) {
  __shared__ float warp[THREADS / 32];
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
  __syncthreads();  // the previous sum has been read
  if (threadIdx.x % 32 == 0) warp[threadIdx.x / 32] = v;
  __syncthreads();
  v = warp[0];
  for (int w = 1; w < THREADS / 32; ++w) v += warp[w];
  return v;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    layernorm(const float4* __restrict__ x, const float4* __restrict__ gamma, const float4* __restrict__ beta,
              float4* __restrict__ y, float eps) {
  x += blockIdx.x * 1024LL;
  y += blockIdx.x * 1024LL;
  float4 v[KEPT];
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < KEPT; ++k) v[k] = x[k * THREADS + threadIdx.x];
#pragma unroll
  for (int k = 0; k < KEPT; ++k) sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
  const float mean = block_sum(sum) / 4096.0f;
  sum = 0.0f;
#pragma unroll
  for (int k = 0; k < KEPT; ++k) {
    const float4 d = make_float4(v[k].x - mean, v[k].y - mean, v[k].z - mean, v[k].w - mean);
    sum += (d.x * d.x + d.y * d.y) + (d.z * d.z + d.w * d.w);
  }
  const float scale = 1.0f / sqrtf(block_sum(sum) / 4096.0f + eps);
#pragma unroll
  for (int k = 0; k < KEPT; ++k) {
    const float4 g = gamma[k * THREADS + threadIdx.x], b = beta[k * THREADS + threadIdx.x];
    y[k * THREADS + threadIdx.x] =
        make_float4((v[k].x - mean) * scale * g.x + b.x, (v[k].y - mean) * scale * g.y + b.y,
                    (v[k].z - mean) * scale * g.z + b.z, (v[k].w - mean) * scale * g.w + b.w);
  }
}

// For rows of any length.
extern "C" __global__ void __launch_bounds__(THREADS)
    layernorm_any(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
                  float* __restrict__ y, long long cols, float eps) {
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;
  float sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += THREADS) sum += x[c];
  const float mean = block_sum(sum) / cols;
  sum = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += THREADS) sum += (x[c] - mean) * (x[c] - mean);
  const float scale = 1.0f / sqrtf(block_sum(sum) / cols + eps);
  for (long long c = threadIdx.x; c < cols; c += THREADS) y[c] = (x[c] - mean) * scale * gamma[c] + beta[c];
}
