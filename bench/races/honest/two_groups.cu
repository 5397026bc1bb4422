/* hone 1
[[launch]]
kernel = "two_groups"
grid   = ["ceil_div(n, 512)"]
block  = [256]
args   = ["x", "y", "z", "n"]
*/
// Two groups of 128 threads meet at a named barrier each, then all at the block's.
extern "C" __global__ void __launch_bounds__(256) two_groups(const float* x, const float* y, float* z, int n) {
  __shared__ float tile[2][128];
  const int group = threadIdx.x / 128, lane = threadIdx.x % 128;
  for (int half = 0; half < 2; ++half) {
    const int start = blockIdx.x * 512 + half * 256 + group * 128, i = start + lane, other = start + (lane ^ 127);
    tile[group][lane] = i < n ? 2.0f * x[i] + y[i] : 0.0f;
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
    const float near = tile[group][lane ^ 127];
    __syncthreads();
    tile[group ^ 1][lane] = near;
    __syncthreads();
    if (other < n) z[other] = tile[group ^ 1][lane];
    __syncthreads();
  }
}
