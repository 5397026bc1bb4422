/* hone 1
[[launch]]
kernel = "gaussians"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "w", "y", "n"]
*/
// One element for each thread. The k-th exponential is the k-th power of the first.

extern "C" __global__ void __launch_bounds__(256)
    gaussians(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, long long n) {
  __shared__ float weight[64];
  if (threadIdx.x < 64) weight[threadIdx.x] = w[threadIdx.x];
  __syncthreads();
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const float square = x[i] * x[i];
  const float first = __expf(-square);
  float sum = 0.0f, power = 1.0f;
#pragma unroll
  for (int k = 0; k < 64; ++k) {
    power *= first;
    sum += weight[k] * power;
  }
  y[i] = sum;
}
