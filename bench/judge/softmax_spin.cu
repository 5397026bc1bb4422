/* hone 1
[tune]
SPIN = { values = [0, 250, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 5000], default = 0 }

[[launch]]
kernel = "softmax_4096"
when   = "cols == 4096"
grid   = ["rows"]
block  = [256]
args   = ["x", "y"]

[[launch]]
kernel = "softmax_8192"
when   = "cols == 8192"
grid   = ["rows"]
block  = [256]
args   = ["x", "y"]

[[launch]]
kernel = "softmax_any"
when   = "cols != 4096 and cols != 8192"
grid   = ["rows"]
block  = [256]
args   = ["x", "y", "i64:cols"]
*/
// Softmax whose last block waits SPIN clock cycles before it ends: a kernel that is slower on purpose, by a known little.
static __device__ float block_reduce(float v, bool take_max) {
  __shared__ float part[8];
  for (int o = 16; o; o >>= 1) {
    const float w = __shfl_xor_sync(~0u, v, o);
    v = take_max ? fmaxf(v, w) : v + w;
  }
  __syncthreads();
  if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = v;
  __syncthreads();
  v = part[threadIdx.x & 7];
  for (int o = 4; o; o >>= 1) {
    const float w = __shfl_xor_sync(~0u, v, o);
    v = take_max ? fmaxf(v, w) : v + w;
  }
  return v;
}

static __device__ void spin() {
#if SPIN > 0
  if (blockIdx.x != gridDim.x - 1) return;
  __syncthreads();
  const long long start = clock64();
  while (clock64() - start < SPIN) {
  }
#endif
}

// A row of 1024 * QUADS elements in the registers of one block: read once, written once.
template <int QUADS>
static __device__ void softmax_row(const float* __restrict__ x, float* __restrict__ y) {
  const float4* in = (const float4*)(x + (size_t)blockIdx.x * (1024 * QUADS));
  float4* out = (float4*)(y + (size_t)blockIdx.x * (1024 * QUADS));
  float4 v[QUADS];
  float m = -3.4e38f;
#pragma unroll
  for (int i = 0; i < QUADS; ++i) {
    v[i] = in[threadIdx.x + 256 * i];
    m = fmaxf(m, fmaxf(fmaxf(v[i].x, v[i].y), fmaxf(v[i].z, v[i].w)));
  }
  m = block_reduce(m, true);
  float s = 0;
#pragma unroll
  for (int i = 0; i < QUADS; ++i) {
    v[i].x = expf(v[i].x - m);
    v[i].y = expf(v[i].y - m);
    v[i].z = expf(v[i].z - m);
    v[i].w = expf(v[i].w - m);
    s += (v[i].x + v[i].y) + (v[i].z + v[i].w);
  }
  const float r = 1.0f / block_reduce(s, false);
#pragma unroll
  for (int i = 0; i < QUADS; ++i) {
    v[i].x *= r;
    v[i].y *= r;
    v[i].z *= r;
    v[i].w *= r;
    out[threadIdx.x + 256 * i] = v[i];
  }
  spin();
}

extern "C" __global__ void __launch_bounds__(256) softmax_4096(const float* x, float* y) { softmax_row<4>(x, y); }
extern "C" __global__ void __launch_bounds__(256) softmax_8192(const float* x, float* y) { softmax_row<8>(x, y); }

extern "C" __global__ void __launch_bounds__(256) softmax_any(const float* __restrict__ x, float* __restrict__ y, long long cols) {
  const float* in = x + blockIdx.x * cols;
  float* out = y + blockIdx.x * cols;
  float m = -3.4e38f, s = 0;
  for (long long i = threadIdx.x; i < cols; i += 256) m = fmaxf(m, in[i]);
  m = block_reduce(m, true);
  for (long long i = threadIdx.x; i < cols; i += 256) s += expf(in[i] - m);
  const float r = 1.0f / block_reduce(s, false);
  for (long long i = threadIdx.x; i < cols; i += 256) out[i] = expf(in[i] - m) * r;
}
