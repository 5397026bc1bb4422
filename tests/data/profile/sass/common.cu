// What the listings of common.*.sass were made from; see README.md.
#include <cuda_fp16.h>
#include <mma.h>

extern "C" __global__ void scale4(const float4* x, float4* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float4 v = x[i];
    y[i] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
  }
}

// A loop inside a loop, a barrier, shared memory, a copy past the registers, the older tensor path.
extern "C" __global__ void tiles(const half* a, const half* b, float* c, int n) {
  using namespace nvcuda::wmma;
  __shared__ __align__(16) half tile[2][16 * 16];
  fragment<matrix_a, 16, 16, 16, half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, half, col_major> fb;
  fragment<accumulator, 16, 16, 16, float> sum;
  for (int row = blockIdx.x * 16; row < n; row += gridDim.x * 16) {
    fill_fragment(sum, 0.0f);
#pragma unroll 1
    for (int k = 0; k < n; k += 16) {
      const half* from = (threadIdx.x < 32 ? a : b) + (row + threadIdx.x % 32 / 2) * n + k + threadIdx.x % 2 * 8;
      const unsigned to = __cvta_generic_to_shared(&tile[threadIdx.x / 32][threadIdx.x % 32 * 8]);
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
      asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;");
      __syncthreads();
      load_matrix_sync(fa, tile[0], 16);
      load_matrix_sync(fb, tile[1], 16);
      mma_sync(sum, fa, fb, sum);
      __syncthreads();
    }
    store_matrix_sync(c + row * 16, sum, 16, mem_row_major);
  }
}

// An array with a moving index lives in local memory; special functions; doubles by accident; a fence and an atomic.
extern "C" __global__ void mixed(const float* x, float* y, unsigned char* flags, const int* where, int n) {
  float kept[64];
#pragma unroll 1
  for (int i = 0; i < 64; ++i) kept[i] = x[i];
  double sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    kept[where[i] & 63] += __expf(x[i]);
    sum += kept[i & 63] * 0.1;
  }
  flags[threadIdx.x] = 1;
  __threadfence();
  atomicAdd(y, (float)sum);
}
