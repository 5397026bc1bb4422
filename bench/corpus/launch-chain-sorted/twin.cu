/* hone 1
[[launch]]
kernel = "sorted"
grid   = ["rows"]
block  = [512]
args   = ["x", "y", "cols"]
*/
// A bitonic sort of rows of 1024, the last of them larger than any number. A block takes its row through all 55 steps
// in shared memory.

extern "C" __global__ void __launch_bounds__(512) sorted(const float* __restrict__ x, float* __restrict__ y, int cols) {
  __shared__ float row[1024];
  const int t = threadIdx.x;
  for (int i = t; i < 1024; i += 512)
    row[i] = i < cols ? x[(long long)blockIdx.x * cols + i] : __int_as_float(0x7f800000);
  for (int merge = 1; merge <= 10; ++merge)  // sorted pieces grow to 2 to the power of this
    for (int apart = 1 << (merge - 1); apart > 0; apart /= 2) {
      __syncthreads();
      const int i = t / apart * 2 * apart + t % apart, j = i + apart;
      const float left = row[i], right = row[j];
      const bool up = (i >> merge & 1) == 0;
      row[i] = up ? fminf(left, right) : fmaxf(left, right);
      row[j] = up ? fmaxf(left, right) : fminf(left, right);
    }
  __syncthreads();
  for (int i = t; i < cols; i += 512) y[(long long)blockIdx.x * cols + i] = row[i];
}
