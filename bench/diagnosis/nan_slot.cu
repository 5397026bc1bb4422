/* hone 1
[[scratch]]
name  = "slots"
dtype = "f32"
shape = ["ceil_div(n, 128) + 1"]

[[launch]]
kernel = "clear"
grid   = ["ceil_div(n, 128)"]
block  = [128]
args   = ["slots", "ceil_div(n, 128)"]

[[launch]]
kernel = "nan_slot"
grid   = ["ceil_div(n, 128)"]
block  = [128]
args   = ["x", "y", "z", "slots", "n"]
*/
// The last slot of the scratch is read and was never written.
extern "C" __global__ void clear(float* slots, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) slots[i] = 0.0f;
}
extern "C" __global__ void nan_slot(const float* x, const float* y, float* z, const float* slots, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = 2.0f * x[i] + y[i] + 0.0f * slots[blockIdx.x + 1];
}
