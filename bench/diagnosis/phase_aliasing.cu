/* hone 1
[[launch]]
kernel = "phase_aliasing"
grid   = [1]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// The parity changes with every tile; the barrier of a slot changes phase with every second one.
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(void* bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(bar)), "r"(count) : "memory");
}
__device__ void arrive(void* bar) {
  asm volatile("{ .reg .b64 t; mbarrier.arrive.shared::cta.b64 t, [%0]; }" ::"r"(at(bar)) : "memory");
}
__device__ void expect(void* bar, int bytes) {
  asm volatile("{ .reg .b64 t; mbarrier.arrive.expect_tx.shared::cta.b64 t, [%0], %1; }" ::"r"(at(bar)), "r"(bytes) : "memory");
}
__device__ void wait(void* bar, int parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(at(bar)), "r"(parity) : "memory");
}
__device__ void load(void* to, const float* from, int bytes, void* bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
               "l"(from), "r"(bytes), "r"(at(bar)) : "memory");
}
extern "C" __global__ void phase_aliasing(const float* x, const float* y, float* z, int n) {
  __shared__ alignas(128) float xs[2][64];
  __shared__ alignas(8) unsigned long long full[2];
  const int tiles = n / 64;
  if (threadIdx.x == 0) {
    init(&full[0], 1), init(&full[1], 1);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    if (threadIdx.x == 0) {
      expect(&full[t % 2], 256);
      load(xs[t % 2], x + t * 64, 256, &full[t % 2]);
    }
    wait(&full[t % 2], t & 1);
    const int i = t * 64 + threadIdx.x;
    z[i] = 2.0f * xs[t % 2][threadIdx.x] + y[i];
    __syncthreads();
  }
  for (int i = tiles * 64 + threadIdx.x; i < n; i += 64) z[i] = 2.0f * x[i] + y[i];
}
