/* hone 1
[tune]
SPIN = { values = [0, 500, 1000, 1200, 1400, 1600, 1800, 2000, 2100, 2200, 2500, 3000, 4000], default = 0 }

[[launch]]
kernel = "softmax_4096"
when   = "cols == 4096"
grid   = ["rows"]
block  = [256]
args   = ["x", "y", "SPIN"]

[[launch]]
kernel = "softmax_8192"
when   = "cols == 8192"
grid   = ["rows"]
block  = [256]
args   = ["x", "y", "SPIN"]

[[launch]]
kernel = "softmax_any"
when   = "cols != 4096 and cols != 8192"
grid   = ["rows"]
block  = [256]
args   = ["x", "y", "i64:cols"]
*/
// Softmax whose last blocks wait SPIN clock cycles before they end: a kernel that is slower on purpose, by a little.
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

// The blocks that start last wait this many cycles before they end. The count is an argument and not a macro, so that the fast and the slow kernel are the
// same machine code. (The tunable's macro of the same name is not used.)
static __device__ void wait_at_the_end(int cycles) {
  if (blockIdx.x + 1024 < gridDim.x) return;
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

// A row of 1024 * QUADS elements in the registers of one block: read once, written once.
template <int QUADS>
static __device__ void softmax_row(const float* __restrict__ x, float* __restrict__ y, int cycles) {
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
  wait_at_the_end(cycles);
}

extern "C" __global__ void __launch_bounds__(256) softmax_4096(const float* x, float* y, int cycles) { softmax_row<4>(x, y, cycles); }
extern "C" __global__ void __launch_bounds__(256) softmax_8192(const float* x, float* y, int cycles) { softmax_row<8>(x, y, cycles); }

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
