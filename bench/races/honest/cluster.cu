/* hone 1
[[launch]]
kernel  = "cluster"
grid    = ["2 * ceil_div(n, 256)"]
block   = [128]
cluster = [2]
args    = ["x", "y", "z", "n"]
*/
// Two blocks of a cluster compute each other's part, which they pass through the other's shared memory.
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void meet() {
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

extern "C" __global__ void __launch_bounds__(128) cluster(const float* x, const float* y, float* z, int n) {
  __shared__ float mine[128];
  const unsigned other = blockIdx.x ^ 1;
  const int of_other = other * 128 + threadIdx.x, own = blockIdx.x * 128 + threadIdx.x;
  const float v = of_other < n ? 2.0f * x[of_other] + y[of_other] : 0.0f;
  meet();
  unsigned there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at(&mine[threadIdx.x])), "r"(other & 1));
  asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(there), "f"(v) : "memory");
  meet();
  if (own < n) z[own] = mine[threadIdx.x];
}
