/* hone 1
[[launch]]
kernel = "conv"
grid   = ["ceil_div(batch * height * width, 128)"]
block  = [256]
shared = "3 * 32768 + 1024"
args   = ["x", "w", "y", "batch * height * width", "height", "width"]
*/
// A block has 128 pixels and all 128 channels of the result: a product, 64 deep at a time, of what lies round the
// pixels in one of nine places and its weights. Tiles lie in shared memory in lines of 128 bytes whose pieces of 16
// bytes are exchanged by line (the 128-byte swizzle): pixels with 64 channels to a line, weights in two halves with 64
// channels to a line each. Copies run ahead of the products. Products are by mma.sync, from registers.
#include <cuda_fp16.h>

#define STAGES 3    // tiles on their way or in use
#define B_AT 16384  // where the weights lie in a stage
#define STAGE 32768

__device__ unsigned a_at(int row, int piece) { return row * 128 + ((piece ^ (row & 7)) << 4); }
__device__ unsigned b_at(int row, int piece) {
  return B_AT + piece / 8 * 8192 + row * 128 + ((piece % 8 ^ (row & 7)) << 4);
}

// 16 bytes, or zeros where there is nothing.
__device__ void copy(unsigned to, const __half* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0) : "memory");
}

// Which of the nine places round a pixel lie in its picture, a bit for each.
__device__ unsigned places_inside(int pixel, int pixels, int height, int width) {
  const int r = pixel / width % height, c = pixel % width;
  unsigned inside = 0;
  for (int place = 0; place < 9; ++place) {
    const int down = r + place / 3 - 1, along = c + place % 3 - 1;
    inside |= (unsigned)(pixel < pixels && down >= 0 && down < height && along >= 0 && along < width) << place;
  }
  return inside;
}

// Step by step: place after place, and of each first the lower 64 channels, then the upper ones. Of 128 pixels what
// lies there, and the weights of as many channels for the 128 of the result. x and inside are those of the first of the
// four pixels that this thread copies for, and of each.
__device__ void load(unsigned stage, const __half* x, const unsigned (&inside)[4], const __half* w, int width,
                     int step) {
  const int place = step / 2, t = threadIdx.x;
  const __half* from = x + (place / 3 - 1) * width * 128 + (place % 3 - 1) * 128 + step % 2 * 64;
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    const bool there = inside[e] >> place & 1;
    copy(stage + a_at(t / 8 + e * 32, t % 8), there ? from + e * 32 * 128 : w, there);
  }
#pragma unroll
  for (int e = 0; e < 4; ++e)
    copy(stage + b_at(t / 16 + e * 16, t % 16), w + (step * 64 + t / 16 + e * 16) * 128 + t % 16 * 8, true);
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
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
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

__device__ void put(__half* y, float left, float right) { *(__half2*)y = __floats2half2_rn(left, right); }

__device__ void store(__half* y, int first, int pixels, const float (&d)[64]) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const float* square = d + (i * 4 + j) * 4;
      const int pixel = first + warp / 4 * 64 + i * 16 + lane / 4, channel = warp % 4 * 32 + j * 8 + lane % 4 * 2;
      if (pixel < pixels) put(y + pixel * 128LL + channel, square[0], square[1]);
      if (pixel + 8 < pixels) put(y + (pixel + 8) * 128LL + channel, square[2], square[3]);
    }
}

extern "C" __global__ void __launch_bounds__(256, 2) conv(const __half* __restrict__ x, const __half* __restrict__ w,
                                                          __half* __restrict__ y, int pixels, int height, int width) {
  extern __shared__ unsigned char bytes[];
  const unsigned tiles = ((unsigned)__cvta_generic_to_shared(bytes) + 1023) / 1024 * 1024;
  const int first = blockIdx.x * 128, steps = 18, own = first + threadIdx.x / 8;
  unsigned inside[4];
#pragma unroll
  for (int e = 0; e < 4; ++e) inside[e] = places_inside(own + e * 32, pixels, height, width);
  x += own * 128LL + threadIdx.x % 8 * 8;
  float d[64] = {};
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    load(tiles + s * STAGE, x, inside, w, width, s);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
#pragma unroll 1
  for (int s = 0; s < steps; ++s) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // before the tensor cores read what was copied
    __syncthreads();
    const int next = s + STAGES - 1;  // into the stage that everybody has just left
    if (next < steps) load(tiles + next % STAGES * STAGE, x, inside, w, width, next);
    asm volatile("cp.async.commit_group;" ::: "memory");
    multiply_tile(d, tiles + s % STAGES * STAGE);
  }
  store(y, first, pixels, d);
}
