/* hone 1
[[scratch]]
name  = "partial"
dtype = "f64"
shape = [1024]

[[launch]]
kernel = "sum_parts"
grid   = [1024]
block  = [256]
args   = ["x", "partial", "n"]

[[launch]]
kernel = "sum_rest"
grid   = [1]
block  = [1]
args   = ["partial", "y"]
*/
// Each block sums every 1024th run of 256 elements; one thread adds up the blocks.
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void sum_parts(const float* x, double* partial, long long n) {
  __shared__ HONE_REAL s[256];
  HONE_REAL t = 0;
  for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += 256LL * 1024) t += x[i];
  s[threadIdx.x] = t;
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

extern "C" __global__ void sum_rest(const double* partial, HONE_REAL* y) {
  HONE_REAL t = 0;
  for (int i = 0; i < 1024; ++i) t += (HONE_REAL)partial[i];
  y[0] = t;
}
