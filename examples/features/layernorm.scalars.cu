/* hone 1
[[launch]]
kernel = "layernorm"
grid   = ["rows"]
block  = [256]
args   = ["x", "gamma", "beta", "y", "eps", "i64:cols", "u32:256", "u16:128", "u8:2", "i8:-1", "f64:1.0", "f16:1.5", "bf16:0.5"]
*/
// Shows scalars: `eps` as the task types it, and constants of the plan's own from 8 to 64 bits.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ float block_sum(float v, unsigned half) {
  __shared__ float s[256];
  const unsigned t = threadIdx.x;
  __syncthreads();
  s[t] = v;
  for (unsigned step = half; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) s[t] += s[t + step];
  }
  __syncthreads();
  return s[0];
}

// A block of `threads`, twice `half`, has a row. It refines 1 / sqrt(var) by so many Newton steps,
// r -> r (3/2 - var r r / 2).
extern "C" __global__ void layernorm(const float* __restrict__ x, const float* __restrict__ gamma,
                                     const float* __restrict__ beta, float* __restrict__ y, float eps, long long cols,
                                     unsigned threads, unsigned short half, unsigned char newton, signed char sign,
                                     double one, __half three_halves, __nv_bfloat16 a_half) {
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;
  const float share = (float)(one / cols);
  float sum = 0.0f, squares = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += threads) sum += x[c];
  const float mean = block_sum(sum, half) * share;
  for (long long c = threadIdx.x; c < cols; c += threads) squares += (x[c] - mean) * (x[c] - mean);
  const float var = block_sum(squares, half) * share + eps;
  float scale = rsqrtf(var);
  for (unsigned char i = 0; i < newton; ++i)
    scale *= __half2float(three_halves) + sign * __bfloat162float(a_half) * var * scale * scale;
  for (long long c = threadIdx.x; c < cols; c += threads) y[c] = (x[c] - mean) * scale * gamma[c] + beta[c];
}
