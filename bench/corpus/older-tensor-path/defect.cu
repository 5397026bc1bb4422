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
// with 64 of its columns to a line each. Copies run ahead of the products. Products are by mma.sync, from registers.
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

__device__ void load_matrix(unsigned (&r)[4], unsigned at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(at)
               : "memory");
}
__device__ void load_transposed(unsigned (&r)[4], unsigned at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(at)
               : "memory");
}
__device__ void multiply(float* d, const unsigned (&p)[4], unsigned q0, unsigned q1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(q0), "r"(q1));
}

// Eight warps, two below each other and four side by side, with 64 x 32 elements each: four times four squares of 16
// x 8.
__device__ void multiply_tile(float (&d)[64], unsigned stage) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int l = 0; l < 4; ++l) {
    unsigned p[4][4], q[2][4];
#pragma unroll
    for (int i = 0; i < 4; ++i) load_matrix(p[i], stage + a_at(warp / 4 * 64 + i * 16 + lane % 16, l * 2 + lane / 16));
#pragma unroll
    for (int j = 0; j < 2; ++j)
      load_transposed(q[j], stage + b_at(l * 16 + lane % 16, warp % 4 * 4 + j * 2 + lane / 16));
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) multiply(d + (i * 4 + j) * 4, p[i], q[j / 2][j % 2 * 2], q[j / 2][j % 2 * 2 + 1]);
  }
}

__device__ void put(bf16* y, float left, float right) { *(__nv_bfloat162*)y = __floats2bfloat162_rn(left, right); }

__device__ void store(bf16* y, int n, const float (&d)[64]) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const float* square = d + (i * 4 + j) * 4;
      bf16* at = y + (long long)(warp / 4 * 64 + i * 16 + lane / 4) * n + warp % 4 * 32 + j * 8 + lane % 4 * 2;
      put(at, square[0], square[1]);
      put(at + 8LL * n, square[2], square[3]);
    }
}

extern "C" __global__ void __launch_bounds__(256, 2)
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
