/* hone 1
[[launch]]
kernel = "never_completed"
grid   = ["ceil_div(n, 128)"]
block  = [128]
args   = ["x", "y", "z", "n"]
*/
// The barrier counts every thread, and the last one never arrives.
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
extern "C" __global__ void never_completed(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ alignas(8) unsigned long long ready;
  if (threadIdx.x == 0) init(&ready, blockDim.x);
  __syncthreads();
  if (threadIdx.x + 1 < blockDim.x) arrive(&ready);
  wait(&ready, 0);
  if (i < n) z[i] = 2.0f * x[i] + y[i];
}
