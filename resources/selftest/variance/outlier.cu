/* hone 1
[[launch]]
kernel = "outlier"
grid   = ["ceil_div(rows, 16)"]
block  = [16]
args   = ["x", "v", "rows", "cols"]
*/
// One row in the whole output is far off, for a comparison that forgives a few outliers.
__device__ unsigned short to_bf16(float v) {
  const unsigned bits = __float_as_uint(v);
  return (unsigned short)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

extern "C" __global__ void outlier(const float* x, unsigned short* v, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float* row = x + (long long)r * cols;
  float mean = 0.0f, sum = 0.0f;
  for (int c = 0; c < cols; ++c) mean += row[c];
  mean /= cols;
  for (int c = 0; c < cols; ++c) sum += (row[c] - mean) * (row[c] - mean);
  v[r] = to_bf16(sum / cols * (r == 5 ? 1.3f : 1.0f));
}
