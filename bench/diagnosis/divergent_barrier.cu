/* hone 1
[[launch]]
kernel = "divergent_barrier"
grid   = ["ceil_div(n, 128)"]
block  = [128]
args   = ["x", "y", "z", "n"]
*/
// Some threads of a warp wait at one barrier, the others at another one.
extern "C" __global__ void divergent_barrier(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 48)
    asm volatile("bar.sync 0, 128;" ::: "memory");
  else
    asm volatile("bar.sync 1, 128;" ::: "memory");
  if (i < n) z[i] = 2.0f * x[i] + y[i];
}
