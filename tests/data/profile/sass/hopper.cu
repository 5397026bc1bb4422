// What hopper.sm_90a.sass was made from; see README.md.
#include <cuda.h>

// The warpgroup's tensor path, a bulk tensor copy, a memory barrier that is waited for, the cluster's barrier.
extern "C" __global__ void __cluster_dims__(2) stages(const __grid_constant__ CUtensorMap map, float* y, int n) {
  __shared__ __align__(1024) unsigned char tile[64 * 128];
  __shared__ unsigned long long full;
  const unsigned at = __cvta_generic_to_shared(tile), bar = __cvta_generic_to_shared(&full);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;");
  float d[4] = {};
  const unsigned long long desc = (at >> 4) | (1ull << 62) | (64ull << 32) | (1ull << 16);
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 8192;" ::"r"(bar));
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
              "r"(at), "l"(&map), "r"(k * 64), "r"(0), "r"(bar) : "memory");
    }
    unsigned done = 0;
    while (!done)
      asm volatile("{.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;}"
                   : "=r"(done) : "r"(bar), "r"(k & 1));
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(desc), "l"(desc));
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    unsigned remote;
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(remote) : "r"(bar));
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(remote) : "memory");
  }
  y[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

extern "C" __global__ void bulk(const float* x, float* y) {
  __shared__ __align__(128) float tile[1024];
  __shared__ unsigned long long full;
  const unsigned at = __cvta_generic_to_shared(tile), bar = __cvta_generic_to_shared(&full);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;" ::"r"(bar));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(at),
                 "l"(x), "r"(bar) : "memory");
  }
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x];
}
