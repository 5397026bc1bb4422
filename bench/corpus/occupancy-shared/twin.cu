/* hone 1
[[launch]]
kernel = "softmax"
when   = "cols <= 24576"
grid   = ["rows"]
block  = [256]
shared = "4 * cols"
args   = ["x", "y", "cols"]

[[launch]]
kernel = "softmax_any"
when   = "cols > 24576"
grid   = ["rows"]
block  = [256]
args   = ["x", "y", "cols"]
*/
// A block for each row, which lies in shared memory between the passes. How much of that is asked for is the matter.

template <bool maximum>
__device__ float over_block(float v) {
  __shared__ float warp[8];
  for (int o = 16; o > 0; o /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, v, o);
    v = maximum ? fmaxf(v, other) : v + other;
  }
  __syncthreads();  // the previous result has been read
  if (threadIdx.x % 32 == 0) warp[threadIdx.x / 32] = v;
  __syncthreads();
  v = warp[0];
  for (int w = 1; w < 8; ++w) v = maximum ? fmaxf(v, warp[w]) : v + warp[w];
  return v;
}

extern "C" __global__ void __launch_bounds__(256, 8)
    softmax(const float* __restrict__ x, float* __restrict__ y, int cols) {
  extern __shared__ float row[];
  x += (long long)blockIdx.x * cols;
  y += (long long)blockIdx.x * cols;
  float top = __int_as_float(0xff800000), sum = 0.0f;
#pragma unroll 2
  for (int c = threadIdx.x; c < cols; c += 256) top = fmaxf(top, row[c] = x[c]);
  top = over_block<true>(top);
#pragma unroll 2
  for (int c = threadIdx.x; c < cols; c += 256) sum += row[c] = expf(row[c] - top);
  const float scale = 1.0f / over_block<false>(sum);
#pragma unroll 2
  for (int c = threadIdx.x; c < cols; c += 256) y[c] = row[c] * scale;
}

// For rows that no shared memory holds.
extern "C" __global__ void __launch_bounds__(256)
    softmax_any(const float* __restrict__ x, float* __restrict__ y, int cols) {
  x += (long long)blockIdx.x * cols;
  y += (long long)blockIdx.x * cols;
  float top = __int_as_float(0xff800000), sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += 256) top = fmaxf(top, x[c]);
  top = over_block<true>(top);
  for (int c = threadIdx.x; c < cols; c += 256) sum += expf(x[c] - top);
  const float scale = 1.0f / over_block<false>(sum);
  for (int c = threadIdx.x; c < cols; c += 256) y[c] = expf(x[c] - top) * scale;
}
