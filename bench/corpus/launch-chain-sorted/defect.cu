/* hone 1
[[scratch]]
name  = "keys"
dtype = "f32"
shape = ["rows", 1024]

[[launch]]
kernel = "fill"
grid   = ["2 * rows"]
block  = [512]
args   = ["x", "keys", "cols"]

[[launch]]
kernel = "exchange"
repeat = 55
grid   = ["rows"]
block  = [512]
args   = ["keys", "iteration"]

[[launch]]
kernel = "take"
grid   = ["2 * rows"]
block  = [512]
args   = ["keys", "y", "cols"]
*/
// A bitonic sort of rows of 1024, the last of them larger than any number. A launch for each of its 55 steps.

extern "C" __global__ void __launch_bounds__(512)
    fill(const float* __restrict__ x, float* __restrict__ keys, int cols) {
  const int row = blockIdx.x / 2, i = blockIdx.x % 2 * 512 + threadIdx.x;
  keys[(long long)row * 1024 + i] = i < cols ? x[(long long)row * cols + i] : __int_as_float(0x7f800000);
}

extern "C" __global__ void __launch_bounds__(512) exchange(float* keys, int step) {
  int merge = 1;  // sorted pieces grow to 2 to the power of this
  while (step >= merge) step -= merge++;
  const int apart = 1 << (merge - 1 - step), t = threadIdx.x;
  const int i = t / apart * 2 * apart + t % apart, j = i + apart;
  float* row = keys + blockIdx.x * 1024LL;
  const float left = row[i], right = row[j];
  const bool up = (i >> merge & 1) == 0;
  row[i] = up ? fminf(left, right) : fmaxf(left, right);
  row[j] = up ? fmaxf(left, right) : fminf(left, right);
}

extern "C" __global__ void __launch_bounds__(512)
    take(const float* __restrict__ keys, float* __restrict__ y, int cols) {
  const int row = blockIdx.x / 2, i = blockIdx.x % 2 * 512 + threadIdx.x;
  if (i < cols) y[(long long)row * cols + i] = keys[(long long)row * 1024 + i];
}
