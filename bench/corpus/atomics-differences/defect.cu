/* hone 1
[[launch]]
kernel = "zero"
grid   = ["ceil_div(batch, 256)"]
block  = [256]
args   = ["y", "batch"]

[[launch]]
kernel = "differences"
grid   = ["2 * sm_count", "batch"]
block  = [256]
args   = ["a", "b", "y", "pixels"]
*/
// Blocks stride over a picture, eight pixels to a thread at a time. Every warp adds what it has found to the picture's
// sum.

extern "C" __global__ void zero(unsigned long long* y, int batch) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < batch) y[i] = 0;
}

// Of four pixels in a word.
__device__ unsigned squares(unsigned a, unsigned b) {
  unsigned sum = 0;
#pragma unroll
  for (int bit = 0; bit < 32; bit += 8) {
    const int d = (int)(a >> bit & 255u) - (int)(b >> bit & 255u);
    sum += d * d;
  }
  return sum;
}

extern "C" __global__ void __launch_bounds__(256)
    differences(const unsigned char* __restrict__ a, const unsigned char* __restrict__ b, unsigned long long* y,
                long long pixels) {
  const long long picture = blockIdx.y * pixels;
  const bool whole = pixels % 8 == 0;
  unsigned sum = 0;
#pragma unroll 1
  for (long long first = blockIdx.x * 8 * 256LL; first < pixels; first += gridDim.x * 8 * 256LL) {
    const long long i = first + threadIdx.x * 8;
    if (whole && i < pixels) {
      const uint2 p = *(const uint2*)(a + picture + i), q = *(const uint2*)(b + picture + i);
      sum += squares(p.x, q.x) + squares(p.y, q.y);
    } else {
      for (long long j = i; j < pixels && j < i + 8; ++j) {
        const int d = a[picture + j] - b[picture + j];
        sum += d * d;
      }
    }
    const unsigned found = __reduce_add_sync(0xffffffffu, sum);
    if (threadIdx.x % 32 == 0) atomicAdd(y + blockIdx.y, (unsigned long long)found);
    sum = 0;
  }
}
