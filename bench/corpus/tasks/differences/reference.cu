/* hone 1
[[launch]]
kernel = "differences"
grid   = ["batch"]
block  = [1024]
args   = ["a", "b", "y", "pixels"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void differences(const unsigned char* a, const unsigned char* b, long long* y, long long pixels) {
  __shared__ long long sums[1024];
  long long sum = 0;
  for (long long i = threadIdx.x; i < pixels; i += 1024) {
    const int d = a[blockIdx.x * pixels + i] - b[blockIdx.x * pixels + i];
    sum += d * d;
  }
  sums[threadIdx.x] = sum;
  for (int half = 512; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sums[0];
}
