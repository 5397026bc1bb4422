/* hone 1
[[launch]]
kernel = "zero"
grid   = ["ceil_div(nodes, 256)"]
block  = [256]
args   = ["y", "nodes"]

[[launch]]
kernel = "count"
grid   = ["ceil_div(edges, 4 * 256)"]
block  = [256]
args   = ["to", "y", "edges"]
*/
// Four edges for each thread. In which order others see the counts grow is the matter: nobody looks before the end.

#define ORDER __NV_ATOMIC_SEQ_CST

extern "C" __global__ void zero(int* y, int nodes) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < nodes) y[i] = 0;
}

extern "C" __global__ void __launch_bounds__(256) count(const int* __restrict__ to, int* y, int edges) {
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    const int i = (blockIdx.x * 4 + e) * 256 + threadIdx.x;
    if (i < edges) __nv_atomic_fetch_add(y + to[i], 1, ORDER, __NV_THREAD_SCOPE_DEVICE);
  }
}
