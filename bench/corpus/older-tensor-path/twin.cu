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
// with 64 of its columns to a line each. Copies run ahead of the products. Products are by wgmma, from shared memory.
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

// What wgmma is told of a tile: where it lies, how far its groups of 64 columns are apart, and how far its groups of
// eight lines; the swizzle is that of 128 bytes.
__device__ unsigned long long tile_at(unsigned at, unsigned apart) {
  return 1ull << 62 | 1024ull >> 4 << 32 | (unsigned long long)(apart >> 4) << 16 | at >> 4;
}

__device__ void multiply(float (&d)[64], unsigned long long p, unsigned long long q) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
      "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, p, 1, 1, 0, 1;\n}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]),
        "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]),
        "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]),
        "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(p), "l"(q)
      : "memory");
}

// Two warpgroups, one below the other, with 64 x 128 elements each.
__device__ void multiply_tile(float (&d)[64], unsigned stage) {
  const unsigned left = stage + threadIdx.x / 128 * 64 * 128, right = stage + B_AT;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (int l = 0; l < 4; ++l) multiply(d, tile_at(left + l * 32, 16), tile_at(right + l * 2048, 8192));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

__device__ void put(bf16* y, float left, float right) { *(__nv_bfloat162*)y = __floats2bfloat162_rn(left, right); }

__device__ void store(bf16* y, int n, const float (&d)[64]) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int j = 0; j < 16; ++j) {
    bf16* at = y + (long long)(warp * 16 + lane / 4) * n + j * 8 + lane % 4 * 2;
    put(at, d[j * 4], d[j * 4 + 1]);
    put(at + 8LL * n, d[j * 4 + 2], d[j * 4 + 3]);
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
