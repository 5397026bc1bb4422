/* hone 1
[[launch]]
kernel = "shared_race"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Two warps write and read the same shared word without a barrier. The winner does not change the result, this time.
extern "C" __global__ void shared_race(const float* x, const float* y, float* z, int n) {
  __shared__ volatile float factor;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  factor = 2.0f;
  const float mine = factor;
  if (i < n) z[i] = mine * x[i] + y[i];
}
