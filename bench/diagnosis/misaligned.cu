/* hone 1
[[launch]]
kernel = "misaligned"
grid   = ["ceil_div(n, 128)"]
block  = [128]
args   = ["x", "y", "z", "n"]
*/
// Vectors of four that begin at the second element.
extern "C" __global__ void misaligned(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 four = *reinterpret_cast<const float4*>(x + i / 4 * 4 + 1);
  const float v[4] = {four.x, four.y, four.z, four.w};
  z[i] = 2.0f * (i % 4 == 0 ? x[i] : v[i % 4 - 1]) + y[i];
}
