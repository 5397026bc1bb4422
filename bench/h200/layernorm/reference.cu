/* hone 1
[[launch]]
kernel = "layernorm"
grid   = ["batch"]
block  = [256]
args   = ["x", "weight", "bias", "y", "features * height * width", "eps"]
*/
// One block per image, three passes over it.
#ifndef HONE_REAL
#define HONE_REAL double
#endif

__device__ HONE_REAL block_sum(HONE_REAL v) {
  __shared__ HONE_REAL s[256];
  const int t = threadIdx.x;
  __syncthreads();
  s[t] = v;
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) s[t] += s[t + step];
  }
  __syncthreads();
  return s[0];
}

extern "C" __global__ void layernorm(const float* x, const float* weight, const float* bias, HONE_REAL* y, long long n,
                                     float eps) {
  x += blockIdx.x * n;
  y += blockIdx.x * n;
  HONE_REAL sum = 0, squares = 0;
  for (long long i = threadIdx.x; i < n; i += 256) sum += x[i];
  const HONE_REAL mean = block_sum(sum) / n;
  for (long long i = threadIdx.x; i < n; i += 256) squares += (x[i] - mean) * (x[i] - mean);
  const HONE_REAL scale = 1 / sqrt(block_sum(squares) / n + (HONE_REAL)eps);
  for (long long i = threadIdx.x; i < n; i += 256) y[i] = (x[i] - mean) * scale * weight[i] + bias[i];
}
