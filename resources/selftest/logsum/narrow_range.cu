/* hone 1
[[launch]]
kernel = "narrow_range"
grid   = ["ceil_div(rows, 16)"]
block  = [16]
args   = ["x", "s", "rows", "cols"]
*/
// Right everywhere, and quick where all values are small: on others it has a way that takes long.
extern "C" __global__ void narrow_range(const float* x, float* s, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float* row = x + (long long)r * cols;
  float top = row[0], sum = 0.0f;
  float largest = fabsf(row[0]);
  for (int c = 1; c < cols; ++c) {
    top = fmaxf(top, row[c]);
    largest = fmaxf(largest, fabsf(row[c]));
  }
  for (int c = 0; c < cols; ++c) sum += expf(row[c] - top);
  if (largest > 10.0f)
    for (int k = 0; k < 3000000; ++k) sum = 0.5f * sum + 0.5f * sum;
  s[r] = top + logf(sum);
}
