/* hone 1
[[launch]]
kernel = "equalize"
grid   = ["tiles"]
block  = [256]
args   = ["x", "y"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void equalize(const unsigned char* x, long long* y) {
  __shared__ int upto[256];
  const long long first = blockIdx.x * 4096LL;
  int count = 0;
  for (int p = 0; p < 4096; ++p) count += x[first + p] <= threadIdx.x;
  upto[threadIdx.x] = count;
  __syncthreads();
  for (int p = threadIdx.x; p < 4096; p += 256) y[first + p] = upto[x[first + p]] * 255 / 4096;
}
