/* hone 1
[tune]
BLOCK = { values = [64, 128, 256, 512, 1024], default = 256 }
VEC   = { values = [1, 2, 4], default = 1 }         # elements of one load, where the row length allows
KEEP  = { values = [0, 1, 2, 4, 8], default = 0 }   # loads of a row that a thread keeps in registers between the passes

[[launch]]
kernel = "layernorm"
when   = "cols % VEC == 0"
grid   = ["rows"]
block  = ["BLOCK"]
args   = ["x", "gamma", "beta", "y", "cols", "eps"]

[[launch]]
kernel = "layernorm_any"
when   = "cols % VEC != 0"
grid   = ["rows"]
block  = ["BLOCK"]
args   = ["x", "gamma", "beta", "y", "cols", "eps"]
*/
// One block per row in three passes: its mean, its variance, the result. What does not fit into KEEP registers is
// read again in each pass.

template <int N>
struct alignas(4 * N) Vec {
  float e[N];
};

template <int N>
__device__ float sum_of(Vec<N> v) {
  float s = v.e[0];
#pragma unroll
  for (int i = 1; i < N; ++i) s += v.e[i];
  return s;
}
template <int N>
__device__ float squares(Vec<N> v, float mean) {
  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < N; ++i) s += (v.e[i] - mean) * (v.e[i] - mean);
  return s;
}
template <int N>
__device__ Vec<N> normalised(Vec<N> v, float mean, float scale, Vec<N> gamma, Vec<N> beta) {
#pragma unroll
  for (int i = 0; i < N; ++i) v.e[i] = (v.e[i] - mean) * scale * gamma.e[i] + beta.e[i];
  return v;
}

__device__ float block_sum(float v) {
  __shared__ float warp[32];
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
  __syncthreads();  // the previous sum has been read
  if (threadIdx.x % 32 == 0) warp[threadIdx.x / 32] = v;
  __syncthreads();
  v = warp[0];
  for (int w = 1; w < BLOCK / 32; ++w) v += warp[w];
  return v;
}

// A row of n vectors.
template <int N>
__device__ void normalise_row(const Vec<N>* __restrict__ x, const Vec<N>* __restrict__ gamma,
                              const Vec<N>* __restrict__ beta, Vec<N>* __restrict__ y, long long n, float eps) {
  const int t = threadIdx.x;
  const float count = (float)(n * N);
  Vec<N> kept[KEEP + 1];
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < KEEP; ++k)
    if (k * BLOCK + t < n) sum += sum_of(kept[k] = x[k * BLOCK + t]);
  for (long long i = KEEP * BLOCK + t; i < n; i += BLOCK) sum += sum_of(x[i]);
  const float mean = block_sum(sum) / count;

  sum = 0.0f;
#pragma unroll
  for (int k = 0; k < KEEP; ++k)
    if (k * BLOCK + t < n) sum += squares(kept[k], mean);
  for (long long i = KEEP * BLOCK + t; i < n; i += BLOCK) sum += squares(x[i], mean);
  const float scale = 1.0f / sqrtf(block_sum(sum) / count + eps);

#pragma unroll
  for (int k = 0; k < KEEP; ++k) {
    const int i = k * BLOCK + t;
    if (i < n) y[i] = normalised(kept[k], mean, scale, gamma[i], beta[i]);
  }
  for (long long i = KEEP * BLOCK + t; i < n; i += BLOCK) y[i] = normalised(x[i], mean, scale, gamma[i], beta[i]);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    layernorm(const float* x, const float* gamma, const float* beta, float* y, long long cols, float eps) {
  const long long at = blockIdx.x * cols;
  normalise_row((const Vec<VEC>*)(x + at), (const Vec<VEC>*)gamma, (const Vec<VEC>*)beta, (Vec<VEC>*)(y + at),
                cols / VEC, eps);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    layernorm_any(const float* x, const float* gamma, const float* beta, float* y, long long cols, float eps) {
  const long long at = blockIdx.x * cols;
  normalise_row((const Vec<1>*)(x + at), (const Vec<1>*)gamma, (const Vec<1>*)beta, (Vec<1>*)(y + at), cols, eps);
}
