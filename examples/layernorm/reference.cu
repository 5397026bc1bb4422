/* hone 1
[[launch]]
kernel = "layernorm"
grid   = ["rows"]
block  = [256]
args   = ["x", "gamma", "beta", "y", "cols", "eps"]
*/
// One block per row, three passes over it.
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

extern "C" __global__ void layernorm(const float* x, const float* gamma, const float* beta, HONE_REAL* y,
                                     long long cols, float eps) {
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;
  HONE_REAL sum = 0, squares = 0;
  for (long long c = threadIdx.x; c < cols; c += 256) sum += x[c];
  const HONE_REAL mean = block_sum(sum) / cols;
  for (long long c = threadIdx.x; c < cols; c += 256) squares += (x[c] - mean) * (x[c] - mean);
  const HONE_REAL scale = 1 / sqrt(block_sum(squares) / cols + (HONE_REAL)eps);
  for (long long c = threadIdx.x; c < cols; c += 256) y[c] = (x[c] - mean) * scale * gamma[c] + beta[c];
}
