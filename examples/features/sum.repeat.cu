/* hone 1
[[scratch]]
name  = "thousands"
dtype = "f32"
shape = ["ceil_div(n, 1024)"]

[[scratch]]
name  = "millions"
dtype = "f32"
shape = ["ceil_div(n, 1024 * 1024)"]

[[launch]]
kernel = "sum_1024"
repeat = 3
grid   = ["ceil_div(n, 1024 * (iteration == 0) + 1024 * 1024 * (iteration == 1) + 1024 * 1024 * 1024 * (iteration == 2))"]
block  = [128]
args   = ["x", "thousands", "millions", "y", "n", "iteration"]
*/
// Shows `iteration` in a grid: each of three passes makes one number of 1024 and needs fewer blocks for it.
// Enough for 2^30 elements.

extern "C" __global__ void sum_1024(const float* x, float* thousands, float* millions, float* y, long long n,
                                    int pass) {
  __shared__ float s[128];
  const float* from = pass == 0 ? x : pass == 1 ? thousands : millions;
  float* to = pass == 0 ? thousands : pass == 1 ? millions : y;
  for (int p = 0; p < pass; ++p) n = (n + 1023) / 1024;
  const int t = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k) {
    const long long i = blockIdx.x * 1024LL + k * 128 + t;
    if (i < n) sum += from[i];
  }
  s[t] = sum;
  for (int step = 64; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) s[t] += s[t + step];
  }
  if (t == 0) to[blockIdx.x] = s[0];
}
