/* hone 1
[[launch]]
kernel = "same_word"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Two warps write the same word without a barrier, and read it: the same value in any order.
extern "C" __global__ void same_word(const float* x, const float* y, float* z, int n) {
  __shared__ volatile float factor;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  factor = 2.0f;
  const float mine = factor;
  if (i < n) z[i] = mine * x[i] + y[i];
}
