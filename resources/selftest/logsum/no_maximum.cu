/* hone 1
[[launch]]
kernel = "no_maximum"
grid   = ["ceil_div(rows, 16)"]
block  = [16]
args   = ["x", "s", "rows", "cols"]
*/
// Does without the maximum: exp overflows as soon as the values are large.
extern "C" __global__ void no_maximum(const float* x, float* s, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float* row = x + (long long)r * cols;
  float sum = 0.0f;
  for (int c = 0; c < cols; ++c) sum += expf(row[c]);
  s[r] = logf(sum);
}
