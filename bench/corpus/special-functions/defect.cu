/* hone 1
[[launch]]
kernel = "gaussians"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "w", "y", "n"]
*/
// One element for each thread. Every exponential is computed.

extern "C" __global__ void __launch_bounds__(256)
    gaussians(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, long long n) {
  __shared__ float weight[64];
  if (threadIdx.x < 64) weight[threadIdx.x] = w[threadIdx.x];
  __syncthreads();
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float square = x[i] * x[i];
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 64; ++k) sum += weight[k] * __expf(-(float)(k + 1) * square);
  y[i] = sum;
}
