/* hone 1
[[scratch]]
name  = "partial"
dtype = "f32"
shape = [33, "cols"]

[[launch]]
kernel = "sum_parts"
grid   = ["ceil_div(cols, 32)", 33]
block  = [32, 32]
args   = ["x", "partial", "rows", "cols"]

[[launch]]
kernel = "sum_rest"
grid   = ["ceil_div(cols, 256)"]
block  = [256]
args   = ["partial", "y", 33, "cols"]
*/
// A block has 32 columns: 32 warps stride over the rows, and are added up at the end. Over how many blocks the rows of
// the same columns are spread is the matter.

extern "C" __global__ void __launch_bounds__(1024)
    sum_parts(const float* __restrict__ x, float* __restrict__ partial, int rows, int cols) {
  __shared__ float sums[32][32];
  const int c = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.0f;
  if (c < cols)
#pragma unroll 8
    for (int r = blockIdx.y * 32 + threadIdx.y; r < rows; r += gridDim.y * 32) sum += x[(long long)r * cols + c];
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && c < cols) {
    for (int w = 1; w < 32; ++w) sum += sums[w][threadIdx.x];
    partial[(long long)blockIdx.y * cols + c] = sum;
  }
}

extern "C" __global__ void __launch_bounds__(256)
    sum_rest(const float* __restrict__ partial, float* __restrict__ y, int parts, int cols) {
  const int c = blockIdx.x * 256 + threadIdx.x;
  if (c >= cols) return;
  float sum = 0.0f;
  for (int p = 0; p < parts; ++p) sum += partial[(long long)p * cols + c];
  y[c] = sum;
}
