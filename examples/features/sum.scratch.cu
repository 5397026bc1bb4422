/* hone 1
[[scratch]]
name  = "partial"
dtype = "f32"
shape = ["8 * sm_count"]

[[launch]]
kernel = "sum_blocks"
grid   = ["8 * sm_count"]
block  = [256]
args   = ["x", "partial", "i64:n"]

[[launch]]
kernel = "sum_blocks"
grid   = [1]
block  = [256]
args   = ["partial", "y", "i64:8 * sm_count"]
*/
// Shows `scratch`: it carries sums from one launch to the next, and holds garbage at first, so all of it is written.

extern "C" __global__ void sum_blocks(const float* __restrict__ x, float* __restrict__ y, long long n) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  float sum = 0.0f;
  for (long long i = blockIdx.x * 256LL + t; i < n; i += gridDim.x * 256LL) sum += x[i];
  s[t] = sum;
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) s[t] += s[t + step];
  }
  if (t == 0) y[blockIdx.x] = s[0];
}
