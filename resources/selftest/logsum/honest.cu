/* hone 1
[[launch]]
kernel = "honest"
grid   = ["ceil_div(rows, 16)"]
block  = [16]
args   = ["x", "s", "rows", "cols"]
*/
extern "C" __global__ void honest(const float* x, float* s, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float* row = x + (long long)r * cols;
  float top = row[0], sum = 0.0f;
  for (int c = 1; c < cols; ++c) top = fmaxf(top, row[c]);
  for (int c = 0; c < cols; ++c) sum += expf(row[c] - top);
  s[r] = top + logf(sum);
}
