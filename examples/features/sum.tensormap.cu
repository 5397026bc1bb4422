/* hone 1
[[scratch]]
name  = "partial"
dtype = "f32"
shape = ["4 * sm_count"]

[[tensormap]]
name   = "x_map"
tensor = "x"
box    = [256]
fill   = "zero"

[[launch]]
kernel = "sum_parts"
grid   = ["4 * sm_count"]
block  = [256]
args   = ["x_map", "partial", "ceil_div(n, 1024)"]

[[launch]]
kernel = "sum_rest"
grid   = [1]
block  = [256]
args   = ["partial", "y", "4 * sm_count"]
*/
// Shows `tensormap` over a vector: a ring of bulk tensor copies. Past the end they bring zeros, which a sum can take.
#include <cuda.h>

#define STAGES 8

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void mbarrier_init(unsigned long long* barrier, unsigned count) {
  const unsigned at = shared_address(barrier);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(count) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");  // the copy engine is to see it too
}

__device__ void mbarrier_expect(unsigned long long* barrier, unsigned bytes) {
  const unsigned at = shared_address(barrier);
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
}

__device__ void mbarrier_wait(unsigned long long* barrier, unsigned parity) {
  const unsigned at = shared_address(barrier);
  unsigned done = 0;
  while (!done)
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(at), "r"(parity)
                 : "memory");
}

__device__ void vector_load(void* to, const CUtensorMap* map, int first, unsigned long long* barrier) {
  const unsigned at = shared_address(to), done = shared_address(barrier);
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];"
      :
      : "r"(at), "l"(map), "r"(first), "r"(done)
      : "memory");
}

// Asks for a tile of 1024 elements, four boxes of 256.
__device__ void ask_for(float (*to)[256], const CUtensorMap* map, int tile, unsigned long long* barrier) {
  mbarrier_expect(barrier, 4096);
  for (int b = 0; b < 4; ++b) vector_load(to[b], map, tile * 1024 + b * 256, barrier);
}

__device__ float block_sum(float v) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = v;
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) s[t] += s[t + step];
  }
  return s[0];
}

extern "C" __global__ void __launch_bounds__(256)
    sum_parts(const __grid_constant__ CUtensorMap x_map, float* partial, int tiles) {
  __shared__ __align__(128) float ring[STAGES][4][256];
  __shared__ unsigned long long full[STAGES];
  const int t = threadIdx.x, first = blockIdx.x, stride = gridDim.x;
  if (t == 0)
    for (int s = 0; s < STAGES; ++s) {
      mbarrier_init(&full[s], 1);
      if (first + s * stride < tiles) ask_for(ring[s], &x_map, first + s * stride, &full[s]);
    }
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; first + k * stride < tiles; ++k) {
    const int s = k % STAGES;
    mbarrier_wait(&full[s], k / STAGES % 2);
    sum += (ring[s][0][t] + ring[s][1][t]) + (ring[s][2][t] + ring[s][3][t]);
    __syncthreads();  // all threads have read the stage: it can be filled again
    const int next = first + (k + STAGES) * stride;
    if (t == 0 && next < tiles) ask_for(ring[s], &x_map, next, &full[s]);
  }
  sum = block_sum(sum);
  if (t == 0) partial[blockIdx.x] = sum;
}

extern "C" __global__ void sum_rest(const float* partial, float* y, int parts) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < parts; i += 256) sum += partial[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) y[0] = sum;
}
