/* hone 1
[[scratch]]
name = "ctr"
dtype = "i32"
shape = [1]

[[launch]]
kernel = "softmax_init"
when = "cols == 393216"
grid = [1]
block = [32]
args = ["ctr"]

[[launch]]
kernel = "softmax_cluster"
when = "cols == 393216"
grid = [128]
block = [544]
shared = 230400
args = ["x", "y", "ctr", "rows"]

[[launch]]
kernel = "softmax_any"
when = "cols != 393216"
grid = ["rows"]
block = [256]
args = ["x", "y", "cols"]
*/
// Written by a language model in one shot, without a GPU at hand and without feedback.
// Softmax over rows of 393216 floats (1.5 MB). One row = one cluster of 8 CTAs, 192 KB of it in each CTA's
// shared memory: read once, written once. Persistent clusters, rows drawn from a counter (so fewer than 16
// resident clusters costs no second wave). 14-slot ring of 16 KB bulk copies (12 per row, 2 ahead).
#define D      393216
#define CL     8
#define SEG    (D / CL)          // 49152 floats per CTA
#define CH     4096              // floats per chunk
#define CHB    (CH * 4)
#define NCH    (SEG / CH)        // 12
#define NS     14                // ring slots
#define NT     512               // consumer threads
#define NW     (NT / 32)
#define L2E    1.4426950408889634f

#define OFF_FULL  (NS * CHB)             // 229376
#define OFF_EMPTY (OFF_FULL + NS * 8)
#define OFF_EX    (OFF_EMPTY + NS * 8)   // 4 exchange barriers
#define OFF_MSG   (OFF_EX + 32)          // 229632: [4][8] x 16 bytes
#define OFF_WRED  (OFF_MSG + 512)        // [16] float2
#define OFF_ROW   (OFF_WRED + 128)       // [2] int

#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif

static __device__ __forceinline__ unsigned s32(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
static __device__ __forceinline__ void mb_init(unsigned b, unsigned n) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(n) : "memory");
}
static __device__ __forceinline__ void mb_arrive(unsigned b) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(b) : "memory");
}
static __device__ __forceinline__ void mb_expect(unsigned b, unsigned n) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(n) : "memory");
}
static __device__ __forceinline__ void mb_wait(unsigned b, unsigned parity) {
  unsigned ok;
  do {
    asm volatile("{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n selp.u32 %0,1,0,p;\n}"
                 : "=r"(ok) : "r"(b), "r"(parity) : "memory");
  } while (!ok);
}
static __device__ __forceinline__ void mb_wait_cluster(unsigned b, unsigned parity) {
  unsigned ok;
  do {
    asm volatile("{\n .reg .pred p;\n mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n selp.u32 %0,1,0,p;\n}"
                 : "=r"(ok) : "r"(b), "r"(parity) : "memory");
  } while (!ok);
}
static __device__ __forceinline__ unsigned mapa(unsigned a, unsigned r) {
  unsigned o;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(o) : "r"(a), "r"(r));
  return o;
}
static __device__ __forceinline__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
static __device__ __forceinline__ float ex2(float t) {
  float r;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(t));
  return r;
}
static __device__ __forceinline__ float finite_or_0(float m) { return m == -INFINITY ? 0.f : m; }

extern "C" __global__ void softmax_init(int* ctr) {
  if (threadIdx.x == 0) *ctr = 0;
}

extern "C" __global__ void __cluster_dims__(CL, 1, 1) __launch_bounds__(NT + 32, 1)
softmax_cluster(const float* __restrict__ x, float* __restrict__ y, int* ctr, int nrows) {
  extern __shared__ __align__(1024) unsigned char sm[];
  const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  const unsigned base = s32(sm);
  const unsigned full = base + OFF_FULL, empty = base + OFF_EMPTY, exb = base + OFF_EX, msg = base + OFF_MSG;
  const float4* data = (const float4*)sm;
  volatile int* rows0 = (volatile int*)(sm + OFF_ROW);

  if (tid == 0) {
    for (int i = 0; i < NS; ++i) { mb_init(full + 8 * i, 1); mb_init(empty + 8 * i, NW); }
    for (int i = 0; i < 4; ++i) mb_init(exb + 8 * i, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncwarp();
  cluster_sync();                       // everybody runs before remote shared memory is touched
  if (rank == 0 && warp == 0) {
    int r0 = 0;
    if (lane == 0) r0 = atomicAdd(ctr, 2);
    r0 = __shfl_sync(~0u, r0, 0);
    if (lane < 2 * CL) {
      unsigned a = mapa(base + OFF_ROW + 4 * (lane & 1), lane >> 1);
      asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(a), "r"(r0 + (lane & 1)) : "memory");
    }
    __syncwarp();
  }
  cluster_sync();

  if (warp == NW) {
    // ---------------------------------------------------------------- producer
    if (lane == 0) {
      unsigned long long pol;
      asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(pol));
      int slot = 0;
      unsigned ph = 1;                  // a fresh barrier passes a wait on parity 1
      for (int it = 0;; ++it) {
        mb_wait(empty + 8 * slot, ph);  // for it >= 2 this is after exchange it-2, whose message holds our row
        int row = it < 2 ? rows0[it] : *(volatile int*)(sm + OFF_MSG + ((it - 2) & 3) * 128 + 8);
        if (row >= nrows) break;
        const float* src = x + (size_t)row * D + rank * SEG;
        for (int c = 0; c < NCH; ++c) {
          if (c) mb_wait(empty + 8 * slot, ph);
          mb_expect(full + 8 * slot, CHB);
          asm volatile(
              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;"
              ::"r"(base + slot * CHB), "l"(src + c * CH), "r"(CHB), "r"(full + 8 * slot), "l"(pol) : "memory");
          if (++slot == NS) { slot = 0; ph ^= 1; }
        }
      }
    }
    __syncwarp();
  } else {
    // ---------------------------------------------------------------- consumers
    float2* wred = (float2*)(sm + OFF_WRED);
    int slot0 = 0;
    unsigned ph0 = 0;
    int row = rows0[0], rnext = rows0[1];
    for (int it = 0; row < nrows; ++it) {
      int rfetch = 0;
      if (rank == 0 && tid == 0) rfetch = atomicAdd(ctr, 1);    // row of iteration it+2; latency hidden by the pass below

      // pass 1: running max and sum, as chunks land
      float m = -INFINITY, s = 0.f;
      int slot = slot0;
      unsigned ph = ph0;
#pragma unroll 2
      for (int c = 0; c < NCH; ++c) {
        mb_wait(full + 8 * slot, ph);
        float4 a = data[slot * (CH / 4) + tid];
        float4 b = data[slot * (CH / 4) + NT + tid];
        float lm = fmaxf(fmaxf(fmaxf(a.x, a.y), fmaxf(a.z, a.w)), fmaxf(fmaxf(b.x, b.y), fmaxf(b.z, b.w)));
        float mn = fmaxf(m, lm);
        float ms = finite_or_0(mn);
        float e0 = ex2((a.x - ms) * L2E) + ex2((a.y - ms) * L2E);
        float e1 = ex2((a.z - ms) * L2E) + ex2((a.w - ms) * L2E);
        float e2 = ex2((b.x - ms) * L2E) + ex2((b.y - ms) * L2E);
        float e3 = ex2((b.z - ms) * L2E) + ex2((b.w - ms) * L2E);
        s = fmaf(s, ex2((m - ms) * L2E), (e0 + e1) + (e2 + e3));
        m = mn;
        if (++slot == NS) { slot = 0; ph ^= 1; }
      }
      // warp, then CTA
      {
        float M = m;
#pragma unroll
        for (int o = 16; o; o >>= 1) M = fmaxf(M, __shfl_xor_sync(~0u, M, o));
        s *= ex2((m - finite_or_0(M)) * L2E);
#pragma unroll
        for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
        if (lane == 0) wred[warp] = make_float2(M, s);
      }
      __syncwarp();
      asm volatile("bar.sync 1, %0;" ::"n"(NT) : "memory");
      const unsigned eb = exb + 8 * (it & 3), mg = msg + 128 * (it & 3);
      if (warp == 0) {
        float2 v = wred[lane & (NW - 1)];
        float M = v.x;
#pragma unroll
        for (int o = NW / 2; o; o >>= 1) M = fmaxf(M, __shfl_xor_sync(~0u, M, o));
        float S = v.y * ex2((v.x - finite_or_0(M)) * L2E);
#pragma unroll
        for (int o = NW / 2; o; o >>= 1) S += __shfl_xor_sync(~0u, S, o);
        rfetch = __shfl_sync(~0u, rfetch, 0);
        if (lane == 0) mb_expect(eb, CL * 16);
        if (lane < CL) {
          asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1,%2,%3,%4}, [%5];"
                       ::"r"(mapa(mg + 16 * rank, lane)), "r"(__float_as_int(M)), "r"(__float_as_int(S)), "r"(rfetch), "r"(0),
                         "r"(mapa(eb, lane)) : "memory");
        }
        __syncwarp();
      }
      mb_wait_cluster(eb, (it >> 2) & 1);
      const float4* mm = (const float4*)(sm + OFF_MSG + 128 * (it & 3));
      float4 q[CL];
#pragma unroll
      for (int i = 0; i < CL; ++i) q[i] = mm[i];
      float M = q[0].x;
#pragma unroll
      for (int i = 1; i < CL; ++i) M = fmaxf(M, q[i].x);
      const float Ms = finite_or_0(M);
      float S = 0.f;
#pragma unroll
      for (int i = 0; i < CL; ++i) S = fmaf(q[i].y, ex2((q[i].x - Ms) * L2E), S);
      const float inv = 1.0f / S;
      const int rnn = __float_as_int(q[0].z);

      // pass 2: write; each slot is handed back as soon as it is in registers
      float4* dst = (float4*)(y + (size_t)row * D + rank * SEG) + tid;
      slot = slot0;
#pragma unroll 2
      for (int c = 0; c < NCH; ++c) {
        float4 a = data[slot * (CH / 4) + tid];
        float4 b = data[slot * (CH / 4) + NT + tid];
        __syncwarp();
        if (lane == 0) mb_arrive(empty + 8 * slot);
        a.x = expf(a.x - M) * inv; a.y = expf(a.y - M) * inv; a.z = expf(a.z - M) * inv; a.w = expf(a.w - M) * inv;
        b.x = expf(b.x - M) * inv; b.y = expf(b.y - M) * inv; b.z = expf(b.z - M) * inv; b.w = expf(b.w - M) * inv;
        __stcs(dst + c * (CH / 4), a);
        __stcs(dst + c * (CH / 4) + NT, b);
        if (++slot == NS) slot = 0;
      }
      slot0 += NCH;
      if (slot0 >= NS) { slot0 -= NS; ph0 ^= 1; }
      row = rnext;
      rnext = rnn;
    }
  }
  cluster_sync();
}

// For every other shape; written afterwards, and not meant to be fast.
extern "C" __global__ void softmax_any(const float* __restrict__ x, float* __restrict__ y, long long cols) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;
  float m = -INFINITY, sum = 0.f;
  for (long long c = t; c < cols; c += 256) m = fmaxf(m, x[c]);
  s[t] = m;
  for (int o = 128; o; o >>= 1) {
    __syncthreads();
    if (t < o) s[t] = fmaxf(s[t], s[t + o]);
  }
  __syncthreads();
  m = s[0];
  __syncthreads();
  for (long long c = t; c < cols; c += 256) sum += expf(x[c] - m);
  s[t] = sum;
  for (int o = 128; o; o >>= 1) {
    __syncthreads();
    if (t < o) s[t] += s[t + o];
  }
  __syncthreads();
  for (long long c = t; c < cols; c += 256) y[c] = expf(x[c] - m) / s[0];
}
