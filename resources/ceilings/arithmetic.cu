/* hone 1
# How fast this device multiplies and adds with nothing to wait for: independent chains in
# registers. Each launch is one way to ask; the kind is the kernel's name up to the first
# underscore, and the tunable named after a kernel says how many operations one thread does in one
# of its `rounds`.

[tune]
f32_fma_ops = { values = [256], default = 256 }    # 2 * 16 chains * 8 steps
f64_fma_ops = { values = [128], default = 128 }    # 2 * 8 chains * 8 steps

[[launch]]
kernel = "f32_fma"
grid   = ["8 * sm_count"]
block  = [256]
args   = ["y", "rounds", "f32:0.999"]

[[launch]]
kernel = "f32_fma"
grid   = ["4 * sm_count"]
block  = [512]
args   = ["y", "rounds", "f32:0.999"]

[[launch]]
kernel = "f64_fma"
grid   = ["8 * sm_count"]
block  = [256]
args   = ["y", "rounds", "f64:0.999"]
*/

template <typename T, int chains>
__device__ inline void multiply_and_add(T* y, int rounds, T factor) {
  T a[chains];
  const T b = factor, c = T(1) - factor * T(threadIdx.x + 1) / T(1024);
#pragma unroll
  for (int k = 0; k < chains; ++k) a[k] = factor * T(threadIdx.x + k);
#pragma unroll 1
  for (int i = 0; i < rounds; ++i)
#pragma unroll
    for (int step = 0; step < 8; ++step)
#pragma unroll
      for (int k = 0; k < chains; ++k) a[k] = fma(a[k], b, c);
  T sum = 0;
#pragma unroll
  for (int k = 0; k < chains; ++k) sum += a[k];
  if (sum == T(123)) y[0] = sum;  // no compiler can rule it out
}

extern "C" __global__ void f32_fma(float* y, int rounds, float factor) {
  multiply_and_add<float, 16>(y, rounds, factor);
}
extern "C" __global__ void f64_fma(double* y, int rounds, double factor) {
  multiply_and_add<double, 8>(y, rounds, factor);
}
