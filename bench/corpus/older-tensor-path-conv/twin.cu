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
// channels to a line each. Copies run ahead of the products. Products are by wgmma, from shared memory.
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

// What wgmma is told of a tile: where it lies, how far its groups of 64 columns are apart, and how far its groups of
// eight lines; the swizzle is that of 128 bytes.
__device__ unsigned long long tile_at(unsigned at, unsigned apart) {
  return 1ull << 62 | 1024ull >> 4 << 32 | (unsigned long long)(apart >> 4) << 16 | at >> 4;
}

__device__ void multiply(float (&d)[64], unsigned long long p, unsigned long long q) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
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

__device__ void put(__half* y, float left, float right) { *(__half2*)y = __floats2half2_rn(left, right); }

__device__ void store(__half* y, int first, int pixels, const float (&d)[64]) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int j = 0; j < 16; ++j) {
    const int pixel = first + warp * 16 + lane / 4, channel = j * 8 + lane % 4 * 2;
    if (pixel < pixels) put(y + pixel * 128LL + channel, d[j * 4], d[j * 4 + 1]);
    if (pixel + 8 < pixels) put(y + (pixel + 8) * 128LL + channel, d[j * 4 + 2], d[j * 4 + 3]);
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
