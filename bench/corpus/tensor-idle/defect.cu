/* hone 1
[[launch]]
kernel = "product"
when   = "m % 128 == 0 and n % 128 == 0 and k % 64 == 0"
grid   = ["n / 128", "m / 128"]
block  = [256]
shared = "3 * 32768 + 1024"
args   = ["a", "b", "y", "m", "n", "k"]

[[launch]]
kernel = "product_any"
when   = "m % 128 != 0 or n % 128 != 0 or k % 64 != 0"
grid   = ["ceil_div(n, 16)", "ceil_div(m, 16)"]
block  = [16, 16]
args   = ["a", "b", "y", "m", "n", "k"]
*/
// A block computes 128 x 128 elements of y, 64 deep at a time. Tiles lie in shared memory in lines of 128 bytes whose
// pieces of 16 bytes are exchanged by line (the 128-byte swizzle): a with 64 of its columns to a line, b in two halves
// with 64 of its columns to a line each. Copies run ahead of the products. Products are by fp32 arithmetic.
#include <cuda_bf16.h>

typedef __nv_bfloat16 bf16;

#define STAGES 3    // tiles on their way or in use
#define B_AT 16384  // where the tile of b lies in a stage
#define STAGE 32768

__device__ unsigned a_at(int row, int piece) { return row * 128 + ((piece ^ (row & 7)) << 4); }
__device__ unsigned b_at(int row, int piece) {
  return B_AT + piece / 8 * 8192 + row * 128 + ((piece % 8 ^ (row & 7)) << 4);
}

__device__ void copy(unsigned to, const bf16* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

// Columns l0 to l0 + 63 of 128 rows of a, and as many rows of 128 columns of b.
__device__ void load(unsigned stage, const bf16* a, const bf16* b, int l0, int n, int k) {
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    const int piece = threadIdx.x + e * 256;
    copy(stage + a_at(piece / 8, piece % 8), a + (long long)(piece / 8) * k + l0 + piece % 8 * 8);
  }
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    const int piece = threadIdx.x + e * 256;
    copy(stage + b_at(piece / 16, piece % 16), b + (long long)(l0 + piece / 16) * n + piece % 16 * 8);
  }
}

__device__ uint4 piece_at(unsigned at) {
  uint4 v;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "r"(at));
  return v;
}
__device__ float low(unsigned two) { return __uint_as_float(two << 16); }
__device__ float high(unsigned two) { return __uint_as_float(two & 0xffff0000u); }

// 16 x 16 threads with 8 x 8 elements each.
__device__ void multiply_tile(float (&d)[64], unsigned stage) {
  const int across = threadIdx.x % 16, down = threadIdx.x / 16;
#pragma unroll 1
  for (int l0 = 0; l0 < 8; ++l0) {
    unsigned p[8][4];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const uint4 v = piece_at(stage + a_at(down * 8 + i, l0));
      p[i][0] = v.x, p[i][1] = v.y, p[i][2] = v.z, p[i][3] = v.w;
    }
#pragma unroll
    for (int l = 0; l < 8; ++l) {
      const uint4 v = piece_at(stage + b_at(l0 * 8 + l, across));
      const float q[8] = {low(v.x), high(v.x), low(v.y), high(v.y), low(v.z), high(v.z), low(v.w), high(v.w)};
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const float one = l % 2 == 0 ? low(p[i][l / 2]) : high(p[i][l / 2]);
#pragma unroll
        for (int j = 0; j < 8; ++j) d[i * 8 + j] += one * q[j];
      }
    }
  }
}

__device__ void put(bf16* y, float left, float right) { *(__nv_bfloat162*)y = __floats2bfloat162_rn(left, right); }

__device__ void store(bf16* y, int n, const float (&d)[64]) {
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; j += 2)
      put(y + (long long)(threadIdx.x / 16 * 8 + i) * n + threadIdx.x % 16 * 8 + j, d[i * 8 + j], d[i * 8 + j + 1]);
}

extern "C" __global__ void __launch_bounds__(256)
    product(const bf16* __restrict__ a, const bf16* __restrict__ b, bf16* __restrict__ y, int m, int n, int k) {
  extern __shared__ unsigned char bytes[];
  const unsigned tiles = ((unsigned)__cvta_generic_to_shared(bytes) + 1023) / 1024 * 1024;
  a += blockIdx.y * 128LL * k;
  b += blockIdx.x * 128LL;
  const int steps = k / 64;
  float d[64] = {};
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    if (s < steps) load(tiles + s * STAGE, a, b, s * 64, n, k);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  for (int s = 0; s < steps; ++s) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // before the tensor cores read what was copied
    __syncthreads();
    const int next = s + STAGES - 1;  // into the stage that everybody has just left
    if (next < steps) load(tiles + next % STAGES * STAGE, a, b, next * 64, n, k);
    asm volatile("cp.async.commit_group;" ::: "memory");
    multiply_tile(d, tiles + s % STAGES * STAGE);
  }
  store(y + blockIdx.y * 128LL * n + blockIdx.x * 128LL, n, d);
}

// For any sizes.
extern "C" __global__ void product_any(const bf16* __restrict__ a, const bf16* __restrict__ b, bf16* __restrict__ y,
                                       int m, int n, int k) {
  const int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  if (i >= m || j >= n) return;
  float sum = 0.0f;
  for (int l = 0; l < k; ++l)
    sum += __bfloat162float(a[(long long)i * k + l]) * __bfloat162float(b[(long long)l * n + j]);
  y[(long long)i * n + j] = __float2bfloat16(sum);
}
