/* hone 1
[[launch]]
kernel = "weighted"
grid   = ["2 * sm_count"]
block  = [1024]
args   = ["x", "w", "y", "n"]
*/
// Every thread multiplies the small matrices for itself, and then takes its part of the vector, one element at a time.
// How many registers the compiler may use is the matter: up to 32, and an SM holds two such blocks.

extern "C" __global__ void __launch_bounds__(1024)
    weighted(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, long long n) {
  float product[4][5] = {};
#pragma unroll 4
  for (int k = 0; k < 16; ++k) {
    float left[4], right[5];
#pragma unroll
    for (int i = 0; i < 4; ++i) left[i] = w[k * 9 + i];
#pragma unroll
    for (int j = 0; j < 5; ++j) right[j] = w[k * 9 + 4 + j];
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 5; ++j) product[i][j] += left[i] * right[j];
  }
  float scale = 0.0f;
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 5; ++j) scale += product[i][j] * product[i][j];
#pragma unroll 1
  for (long long i = blockIdx.x * 1024LL + threadIdx.x; i < n; i += gridDim.x * 1024LL) y[i] = scale * x[i];
}
