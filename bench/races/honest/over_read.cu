/* hone 1
[[launch]]
kernel = "over_read"
grid   = ["ceil_div(n, 128)"]
block  = [128]
args   = ["x", "y", "z", "n"]
*/
// Each warp reads its 32 values as vectors of four, one vector too many: the values of the last one are the next warp's,
// which may be writing them, and are never used.
extern "C" __global__ void __launch_bounds__(128) over_read(const float* x, const float* y, float* z, int n) {
  __shared__ alignas(16) float values[128 + 4];
  const int i = blockIdx.x * 128 + threadIdx.x, lane = threadIdx.x % 32, start = threadIdx.x - lane;
  values[threadIdx.x] = i < n ? 2.0f * x[i] + y[i] : 0.0f;
  __syncwarp();
  if (lane > 8) return;
  float v[4];
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
               : "r"((unsigned)__cvta_generic_to_shared(&values[start + 4 * lane]))
               : "memory");
  if (lane == 8) return;
  const int to = blockIdx.x * 128 + start + 4 * lane;
  for (int k = 0; k < 4; ++k)
    if (to + k < n) z[to + k] = v[k];
}
