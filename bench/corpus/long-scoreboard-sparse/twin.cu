/* hone 1
[[launch]]
kernel = "sparse"
grid   = ["ceil_div(rows, 256)"]
block  = [256]
args   = ["value", "column", "x", "y", "rows", "entries"]
*/
// A row for each thread. How many entries it asks for at a time is the matter.

#define BATCH 16

extern "C" __global__ void __launch_bounds__(256)
    sparse(const float* __restrict__ value, const int* __restrict__ column, const float* __restrict__ x,
           float* __restrict__ y, long long rows, int entries) {
  const long long r = blockIdx.x * 256LL + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.0f;
  int e = 0;
#pragma unroll 1
  for (; e + BATCH <= entries; e += BATCH) {
    int at[BATCH];
    float factor[BATCH], other[BATCH];
#pragma unroll
    for (int b = 0; b < BATCH; ++b) at[b] = column[(e + b) * rows + r];
#pragma unroll
    for (int b = 0; b < BATCH; ++b) factor[b] = value[(e + b) * rows + r];
#pragma unroll
    for (int b = 0; b < BATCH; ++b) other[b] = x[at[b]];
#pragma unroll
    for (int b = 0; b < BATCH; ++b) sum += factor[b] * other[b];
  }
#pragma unroll 1
  for (; e < entries; ++e) sum += value[e * rows + r] * x[column[e * rows + r]];
  y[r] = sum;
}
