/* hone 1
[tune]
BLOCK = { values = [64, 128, 256, 512, 1024], default = 256 }
VEC   = { values = [1, 2, 4], default = 1 }         # elements of one load, where the row length allows
KEEP  = { values = [0, 1, 2, 4, 8], default = 0 }   # loads of a row that a thread keeps in registers between the passes

[[launch]]
kernel = "softmax"
when   = "cols % VEC == 0"
grid   = ["rows"]
block  = ["BLOCK"]
args   = ["x", "y", "cols"]

[[launch]]
kernel = "softmax_any"
when   = "cols % VEC != 0"
grid   = ["rows"]
block  = ["BLOCK"]
args   = ["x", "y", "cols"]
*/
// One block per row in three passes: its maximum, the sum of the exponentials, the quotients. What does not fit
// into KEEP registers is read again in each pass.

template <int N>
struct alignas(4 * N) Vec {
  float e[N];
};

template <int N>
__device__ float max_of(Vec<N> v) {
  float m = v.e[0];
#pragma unroll
  for (int i = 1; i < N; ++i) m = fmaxf(m, v.e[i]);
  return m;
}
template <int N>
__device__ float exp_sum(Vec<N> v, float top) {
  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < N; ++i) s += expf(v.e[i] - top);
  return s;
}
template <int N>
__device__ Vec<N> quotient(Vec<N> v, float top, float scale) {
#pragma unroll
  for (int i = 0; i < N; ++i) v.e[i] = expf(v.e[i] - top) * scale;
  return v;
}

template <bool MAX>
__device__ float block_reduce(float v) {
  __shared__ float warp[32];
  for (int o = 16; o > 0; o /= 2) {
    const float u = __shfl_xor_sync(0xffffffffu, v, o);
    v = MAX ? fmaxf(v, u) : v + u;
  }
  __syncthreads();  // the previous reduction has been read
  if (threadIdx.x % 32 == 0) warp[threadIdx.x / 32] = v;
  __syncthreads();
  v = warp[0];
  for (int w = 1; w < BLOCK / 32; ++w) v = MAX ? fmaxf(v, warp[w]) : v + warp[w];
  return v;
}

// A row of n vectors.
template <int N>
__device__ void softmax_row(const Vec<N>* __restrict__ x, Vec<N>* __restrict__ y, long long n) {
  const int t = threadIdx.x;
  Vec<N> kept[KEEP + 1];
  float top = __int_as_float(0xff800000);  // minus infinity
#pragma unroll
  for (int k = 0; k < KEEP; ++k)
    if (k * BLOCK + t < n) top = fmaxf(top, max_of(kept[k] = x[k * BLOCK + t]));
  for (long long i = KEEP * BLOCK + t; i < n; i += BLOCK) top = fmaxf(top, max_of(x[i]));
  top = block_reduce<true>(top);

  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < KEEP; ++k)
    if (k * BLOCK + t < n) sum += exp_sum(kept[k], top);
  for (long long i = KEEP * BLOCK + t; i < n; i += BLOCK) sum += exp_sum(x[i], top);
  const float scale = 1.0f / block_reduce<false>(sum);

#pragma unroll
  for (int k = 0; k < KEEP; ++k)
    if (k * BLOCK + t < n) y[k * BLOCK + t] = quotient(kept[k], top, scale);
  for (long long i = KEEP * BLOCK + t; i < n; i += BLOCK) y[i] = quotient(x[i], top, scale);
}

extern "C" __global__ void __launch_bounds__(BLOCK) softmax(const float* x, float* y, long long cols) {
  const long long at = blockIdx.x * cols;
  softmax_row((const Vec<VEC>*)(x + at), (Vec<VEC>*)(y + at), cols / VEC);
}

extern "C" __global__ void __launch_bounds__(BLOCK) softmax_any(const float* x, float* y, long long cols) {
  const long long at = blockIdx.x * cols;
  softmax_row((const Vec<1>*)(x + at), (Vec<1>*)(y + at), cols);
}
