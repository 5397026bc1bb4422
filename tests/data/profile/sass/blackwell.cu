// What blackwell.sm_100a.sass was made from; see README.md.
// The fifth generation's tensor path with its memory, and the widest load.
extern "C" __global__ void fifth(const float* x, float* y, unsigned long long da, unsigned long long db, int n) {
  __shared__ unsigned place;
  __shared__ unsigned long long full;
  const unsigned at = __cvta_generic_to_shared(&place), bar = __cvta_generic_to_shared(&full);
  if (threadIdx.x < 32) asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(at));
  __syncthreads();
  const unsigned t = place;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    asm volatile("{.reg .pred p;\nsetp.ne.u32 p, %4, 0;\n"
                 "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;}" ::"r"(t), "l"(da + k), "l"(db + k),
                 "r"(0x8080490), "r"(k));
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(bar));
  }
  unsigned v;
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];\ntcgen05.wait::ld.sync.aligned;" : "=r"(v) : "r"(t));
  float w[8];
  asm volatile("ld.global.v8.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
               : "=f"(w[0]), "=f"(w[1]), "=f"(w[2]), "=f"(w[3]), "=f"(w[4]), "=f"(w[5]), "=f"(w[6]), "=f"(w[7])
               : "l"(x + 8 * threadIdx.x));
  y[threadIdx.x] = w[0] + w[7] + __uint_as_float(v);
}
