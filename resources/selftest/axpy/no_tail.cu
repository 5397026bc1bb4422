/* hone 1
[[launch]]
kernel = "no_tail"
grid   = ["n / 64"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Launches whole groups only: the elements after the last whole group are never written.
extern "C" __global__ void no_tail(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  z[i] = 2.0f * x[i] + y[i];
}
