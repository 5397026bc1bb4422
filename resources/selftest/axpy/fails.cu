/* hone 1
[[launch]]
kernel = "axpy"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]

[[launch]]
kernel = "touch_up"
grid   = [1]
block  = [1024]
shared = "shared_per_block + 1024"
args   = ["x", "y", "z", "n"]
*/
// The second launch asks for more than the device has and never runs; the first has done the work,
// or so it seems.
extern "C" __global__ void axpy(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = 2.0f * x[i] + y[i];
}

extern "C" __global__ void touch_up(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = 0.0f;
}
