/* hone 1
[[launch]]
kernel = "rowsum"
grid   = ["rows"]
block  = [1]
args   = ["x", "s", "rows", "cols"]
*/
__device__ unsigned short to_bf16(float v) {
  const unsigned bits = __float_as_uint(v);
  return (unsigned short)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

extern "C" __global__ void rowsum(const int* x, unsigned short* s, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const int* row = x + (long long)r * cols;
  long long sum = 0;
  for (int c = 0; c < cols; ++c) sum += row[c];
  s[r] = to_bf16((float)sum);
}
