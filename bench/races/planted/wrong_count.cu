/* hone 1
[[launch]]
kernel = "wrong_count"
grid   = ["ceil_div(n, 1024)"]
block  = [96]
args   = ["x", "y", "z", "n"]
*/
// The two warps of the consumers pass their results to one another; the named barrier between them counts one warp.
constexpr int tile = 64, stages = 4, span = 1024;

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
// Stands for arithmetic between two steps: about a microsecond.
__device__ void work(float* z, float v) {
#pragma unroll 1
  for (int k = 0; k < 400; ++k) v = fmaf(v, 0.5f, 1.0f);
  if (v == 12345.0f) z[0] = v;
}

extern "C" __global__ void __launch_bounds__(96, 1) wrong_count(const float* x, const float* y, float* z, int n) {
  __shared__ alignas(128) float xs[stages][tile], ys[stages][tile];
  __shared__ alignas(8) unsigned long long full[stages], empty[stages];
  const int first = blockIdx.x * span, last = min(n, first + span), tiles = (last - first) / tile;
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) init(&full[s], 1), init(&empty[s], 64);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x >= 64) {
    if (threadIdx.x == 64) {
      for (int t = 0; t < tiles; ++t) {
        const int s = t % stages;
        if (t >= stages) wait(&empty[s], (t / stages - 1) & 1);
        expect(&full[s], 2 * tile * 4);
        load(xs[s], x + first + t * tile, tile * 4, &full[s]);
        load(ys[s], y + first + t * tile, tile * 4, &full[s]);
      }
    }
    return;
  }
  const int i = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    const int s = t % stages;
    wait(&full[s], (t / stages) & 1);
    __shared__ float passed[2][tile];
    passed[t % 2][i] = 2.0f * xs[s][i] + ys[s][i];
    arrive(&empty[s]);
    asm volatile("bar.sync 1, 32;" ::: "memory");
    work(z, (float)i);
    z[first + t * tile + (i ^ 32)] = passed[t % 2][i ^ 32];
  }
  const int rest = first + tiles * tile + i;
  if (i < tile && rest < last) z[rest] = 2.0f * x[rest] + y[rest];
}
