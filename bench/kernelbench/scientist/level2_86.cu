/* hone 1
where = ["STAGES * 32768 + 1024 + 512 <= shared_per_block", "CN * CM <= 2"]

[tune]
CN     = { values = [1, 2], default = 2 }          # blocks of a cluster that share the weight tile (neighbours in the batch)
CM     = { values = [1, 2], default = 1 }          # blocks of a cluster that share the x tile (neighbours in the features)
STAGES = { values = [5, 6, 7], default = 7 }
WHINT  = { values = [0, 1], default = 1 }          # W with evict_first in L2

[[scratch]]
name  = "xh"
dtype = "f16"
shape = [8388608]

[[scratch]]
name  = "ready"
dtype = "i32"
shape = [128]

[[tensormap]]
name    = "w_map"
tensor  = "linear_weight"
box     = [64, 32]
swizzle = "128B"
l2      = "256B"

[[launch]]
kernel = "pack_x"
grid   = [256]
block  = [256]
args   = ["x", "xh", "ready"]

[[launch]]
kernel  = "linear_gelu"
grid    = [128]
block   = [384]
cluster = ["CN * CM"]
shared  = "STAGES * 32768 + 1024"
args    = ["w_map", "x", "xh", "ready", "linear_bias", "y"]
*/
// y[b, f] = gelu((sum_k x[b, k] w[f, k] + bias[f]) / 10), b < 1024, f < 8192, k < 8192.
// The product is computed as D[f, b] = W x^T in f16 (11 significant bits, rounded to nearest, as TF32) with f32 accumulators.
// W comes as f32 through bulk copies and is rounded on the way from shared memory to the A registers of wgmma.
// x is rounded once, straight into the image that wgmma wants in shared memory: k < 2048 by pack_x, the other three segments of 2048 k
// by warps 9 .. 11 of the product's blocks, ahead of use; ready[32 n] counts the warps that have done their part of segment n + 1.
#include <cuda.h>
#include <cuda_fp16.h>
typedef unsigned long long u64;

#define FEATURES 8192
#define STEPS 256            // pieces of 32 along k
#define TILES 2              // output tiles a block: 64 x 4 tiles over 128 blocks
#define STAGE 32768u         // w: 128 rows x 32 f32 (128-byte swizzle), then x: 256 rows x 32 f16 (64-byte swizzle)
#define CS (CN * CM)

__device__ __forceinline__ unsigned sh(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ unsigned pack2(float lo, float hi) {
  unsigned r;
  asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(hi), "f"(lo));
  return r;
}

// ---------------------------------------------------------------- x: f32 -> f16, in the order of the tiles
// Image of (kb, nb): 256 rows of 64 bytes at ((kb * 4 + nb) * 16384); 16-byte piece c of row r lies at c ^ ((r >> 1) & 3).
// Within 16 k: position 2t+e holds k = 4t+e, position 8+2t+e holds k = 4t+2+e (t < 4, e < 2), so that a thread's four
// elements of A are one float4 of W.
// One warp: 8 rows (rg), 4 pieces of 32 k (kg).
__device__ __forceinline__ void pack_unit(const float4* __restrict__ x, uint4* __restrict__ xh, int rg, int kg, int lane) {
  const int grp = lane >> 3, i = lane & 7, j = i >> 2, t = i & 3;
  const int r0 = rg * 8 + grp * 2;
  float4 v[4][2];
#pragma unroll
  for (int u = 0; u < 4; ++u) {
    v[u][0] = __ldcs(x + r0 * 2048 + (kg * 4 + u) * 8 + i);
    v[u][1] = __ldcs(x + (r0 + 1) * 2048 + (kg * 4 + u) * 8 + i);
  }
  const bool odd = t & 1, high = t & 2;
  const int row = r0 + (t >> 1), rr = row & 255, nb = row >> 8;
  const int piece = (2 * j + (t & 1)) ^ ((rr >> 1) & 3);
#pragma unroll
  for (int u = 0; u < 4; ++u) {
    unsigned p[2][2];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const unsigned lo = pack2(v[u][h].x, v[u][h].y), hi = pack2(v[u][h].z, v[u][h].w);
      const unsigned got = __shfl_xor_sync(0xffffffffu, odd ? lo : hi, 1);
      p[h][0] = odd ? got : lo;
      p[h][1] = odd ? hi : got;
    }
    const unsigned g0 = __shfl_xor_sync(0xffffffffu, high ? p[0][0] : p[1][0], 2);
    const unsigned g1 = __shfl_xor_sync(0xffffffffu, high ? p[0][1] : p[1][1], 2);
    uint4 o;
    o.x = high ? g0 : p[0][0];
    o.y = high ? g1 : p[0][1];
    o.z = high ? p[1][0] : g0;
    o.w = high ? p[1][1] : g1;
    xh[((kg * 4 + u) * 4 + nb) * 1024 + rr * 4 + piece] = o;
  }
}
extern "C" __global__ void __launch_bounds__(256) pack_x(const float4* __restrict__ x, uint4* __restrict__ xh, int* __restrict__ ready) {
  const int warp = blockIdx.x * 8 + (threadIdx.x >> 5);
  if (blockIdx.x == 0 && threadIdx.x < 3) ready[threadIdx.x * 32] = 0;
  pack_unit(x, xh, warp & 127, warp >> 7, threadIdx.x & 31);
}

// ---------------------------------------------------------------- the product
__device__ __forceinline__ void bar_init(unsigned bar, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory");
}
__device__ __forceinline__ void bar_expect(unsigned bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}
__device__ __forceinline__ void bar_arrive_at(unsigned cluster_bar) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(cluster_bar) : "memory");
}
__device__ __forceinline__ void bar_wait(unsigned bar, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done) : "r"(bar), "r"(parity) : "memory");
}
__device__ __forceinline__ void load_w(unsigned to, const CUtensorMap* map, int col, int row, unsigned bar, unsigned short mask, u64 policy) {
#if CN > 1 && WHINT
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%0], [%1, {%2, %3}], [%4], %5, %6;"
               ::"r"(to), "l"(map), "r"(col), "r"(row), "r"(bar), "h"(mask), "l"(policy) : "memory");
#elif WHINT
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%2, %3}], [%4], %5;"
               ::"r"(to), "l"(map), "r"(col), "r"(row), "r"(bar), "l"(policy) : "memory");
#elif CN > 1
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
               ::"r"(to), "l"(map), "r"(col), "r"(row), "r"(bar), "h"(mask) : "memory");
#else
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               ::"r"(to), "l"(map), "r"(col), "r"(row), "r"(bar) : "memory");
#endif
}
__device__ __forceinline__ void load_x(unsigned to, const void* from, unsigned bytes, unsigned bar, unsigned short mask, u64 policy) {
#if CM > 1
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%0], [%1], %2, [%3], %4, %5;"
               ::"r"(to), "l"(from), "r"(bytes), "r"(bar), "h"(mask), "l"(policy) : "memory");
#else
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;"
               ::"r"(to), "l"(from), "r"(bytes), "r"(bar), "l"(policy) : "memory");
#endif
}
__device__ __forceinline__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
// K-major operand with the 64-byte swizzle: 8 rows of 64 bytes are 512 bytes.
__device__ __forceinline__ u64 operand64(unsigned at) {
  return (u64)((at & 0x3ffff) >> 4) | (u64)1 << 16 | (u64)(512 >> 4) << 32 | 2ull << 62;
}
#define R8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
__device__ __forceinline__ void wgmma_n256(float (&d)[128], unsigned a0, unsigned a1, unsigned a2, unsigned a3, u64 b, int add) {  // add = 0: d is not read
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.s32 p, %133, 0;\nwgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,"
      "%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,"
      "%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,"
      "%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,"
      "%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,"
      "%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}"
      ", {%128,%129,%130,%131}, %132, p, 1, 1, 0;\n}"
      : R8(0), R8(8), R8(16), R8(24), R8(32), R8(40), R8(48), R8(56), R8(64), R8(72), R8(80), R8(88), R8(96), R8(104), R8(112), R8(120)
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(add));
}
__device__ __forceinline__ float4 lds4(unsigned at) {
  float4 v;
  asm volatile("ld.shared.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(at) : "memory");
  return v;
}
// A of two wgmma (32 k): rows h = 0, 1 of this thread, pieces t and 4 + t; as they are, and a step later rounded.
__device__ __forceinline__ void load_raw(float4 (&v)[4], unsigned at0, unsigned at1) {
  v[0] = lds4(at0);
  v[1] = lds4(at1);
  v[2] = lds4(at0 ^ 64u);
  v[3] = lds4(at1 ^ 64u);
}
__device__ __forceinline__ void convert(unsigned (&a)[8], const float4 (&v)[4]) {
  a[0] = pack2(v[0].x, v[0].y);
  a[1] = pack2(v[1].x, v[1].y);
  a[2] = pack2(v[0].z, v[0].w);
  a[3] = pack2(v[1].z, v[1].w);
  a[4] = pack2(v[2].x, v[2].y);
  a[5] = pack2(v[3].x, v[3].y);
  a[6] = pack2(v[2].z, v[2].w);
  a[7] = pack2(v[3].z, v[3].w);
}
__device__ __forceinline__ void keep(unsigned (&a)[8]) {  // these registers are wgmma's up to here
  asm volatile("" : "+r"(a[0]), "+r"(a[1]), "+r"(a[2]), "+r"(a[3]), "+r"(a[4]), "+r"(a[5]), "+r"(a[6]), "+r"(a[7])::"memory");
}
__device__ __forceinline__ void multiply(float (&d)[128], const unsigned (&a)[8], unsigned xs, int add) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  wgmma_n256(d, a[0], a[1], a[2], a[3], operand64(xs), add);
  wgmma_n256(d, a[4], a[5], a[6], a[7], operand64(xs + 32), 1);
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
// gelu(v) = max(v, 0) - |v| / 2 * erfc(|v| / sqrt 2); erfc after Abramowitz and Stegun 7.1.26 (1.5e-7)
__device__ __forceinline__ float gelu(float v) {
  const float a = fabsf(v);
  float t, e;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(t) : "f"(fmaf(a, 0.2316418882f, 1.0f)));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(v * v * -0.72134752f));
  float q = fmaf(t, 0.5307027145f, -0.7265760135f);
  q = fmaf(q, t, 0.7107068705f);
  q = fmaf(q, t, -0.142248368f);
  q = fmaf(q, t, 0.127414796f);
  return fmaf(-a, q * t * e, fmaxf(v, 0.0f));
}
// the same for |v| <= 1, without special functions: v / 2 + v^2 P(v^2), P(v^2) = erf(v / sqrt 2) / (2 v) to 2e-08
__device__ __forceinline__ float gelu_small(float v) {
  const float u = v * v;
  float q = fmaf(u, 0.0000943174f, -0.0011695193f);
  q = fmaf(q, u, 0.0099673015f);
  q = fmaf(q, u, -0.0664896040f);
  q = fmaf(q, u, 0.3989422649f);
  return fmaf(u, q, 0.5f * v);
}

extern "C" __global__ void __launch_bounds__(384, 1)
    linear_gelu(const __grid_constant__ CUtensorMap w_map, const float4* __restrict__ x, char* xh, int* ready, const float* __restrict__ bias,
                float* __restrict__ y) {
  extern __shared__ char raw[];
  __shared__ u64 full[STAGES], empty[STAGES];
  const unsigned base = (sh(raw) + 1023) & ~1023u;
  const int group = threadIdx.x >> 7;
  unsigned rank = 0;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  const int cn = rank % CN, cm = rank / CN, cid = blockIdx.x / CS;
  const int nb = cid % (4 / CN) * CN + cn;       // 256 rows of the batch
  const int fb = cid / (4 / CN) * CM + cm;       // 128 features; the second tile is 32 blocks further
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      bar_init(sh(&full[s]), 1);
      bar_init(sh(&empty[s]), 8 * (CN + CM - 1));
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  cluster_sync();
  if (group == 2) {  // producer: one thread; the other three warps pack x
    asm volatile("setmaxnreg.dec.sync.aligned.u32 56;");
    if (threadIdx.x == 256) {
      u64 policy, once;
      asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
      asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(once));
      const unsigned short w_mask = (unsigned short)(((1 << CN) - 1) << (cm * CN));
      const unsigned short x_mask = (unsigned short)((1 << cn) | (CM > 1 ? 1 << (cn + CN) : 0));
      unsigned s = 0, parity = 1;
      for (int tile = 0; tile < TILES; ++tile) {
        const int f0 = (fb + tile * 32) * 128;
        const char* xp = xh + nb * 16384 + cm * (16384 / CM);
        for (int i = 0; i < STEPS; ++i) {
          const unsigned at = base + s * STAGE, bar = sh(&full[s]);
          if (tile == 0 && (i & 63) == 0 && i > 0) {  // a new segment of x: packed by 3 warps of all 128 blocks, long ago
            const int* flag = ready + ((i >> 6) - 1) * 32;
            int count;
            do {
              asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(count) : "l"(flag) : "memory");
            } while (count < 384);
            asm volatile("fence.proxy.async;" ::: "memory");
          }
          bar_wait(sh(&empty[s]), parity);
          bar_expect(bar, STAGE);
          if (CN > 1) {
            load_w(at + cn * 8192, &w_map, i * 32, f0 + cn * 64, bar, w_mask, once);
          } else {
            load_w(at, &w_map, i * 32, f0, bar, w_mask, once);
            load_w(at + 8192, &w_map, i * 32, f0 + 64, bar, w_mask, once);
          }
          load_x(at + 16384 + cm * (16384 / CM), xp, 16384 / CM, bar, x_mask, policy);
          xp += 65536;
          if (++s == STAGES) {
            s = 0;
            parity ^= 1;
          }
        }
      }
    } else if (threadIdx.x >= 288) {  // 8 rows of x (those of blockIdx.x), units of 128 k in the order of use, one warp each
      const int lane = threadIdx.x & 31, first = 16 + ((int)(threadIdx.x - 288) >> 5);
#pragma unroll 1
      for (int segment = 0; segment < 3; ++segment) {
#pragma unroll 1
        for (int unit = first + segment * 16; unit < 32 + segment * 16; unit += 3)
          pack_unit(x, reinterpret_cast<uint4*>(xh), blockIdx.x, unit, lane);
        asm volatile("fence.proxy.async;" ::: "memory");  // read by bulk copies, of any block
        __threadfence();
        __syncwarp();
        if (lane == 0) asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(ready + segment * 32) : "memory");
      }
    }
    __syncwarp();
  } else {  // consumers: 64 features x 256 rows of the batch each
    asm volatile("setmaxnreg.inc.sync.aligned.u32 224;");
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5 & 3, g = lane >> 2, t = lane & 3;
    // rows g and g + 8 of wgmma are features 2p and 2p + 1, p = g with its two low bits exchanged: no bank conflicts
    const int p = (g & 4) | (g & 1) << 1 | (g >> 1 & 1);
    const int feature = group * 64 + warp * 16 + 2 * p;  // within the tile
    const unsigned off0 = feature * 128 + ((t ^ (feature & 7)) << 4);
    const unsigned off1 = (feature + 1) * 128 + ((t ^ (feature + 1 & 7)) << 4);
    unsigned back = 0;  // lane l < CS hands stages back to block l of the cluster, where that one writes here
    const bool hands = lane < CS && (lane / CN == cm || lane % CN == cn);
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(back) : "r"(sh(&empty[0])), "r"(lane < CS ? lane : 0));
    const unsigned full0 = sh(&full[0]);
    float d[128];
    unsigned a0[8], a1[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) a1[i] = 0;
    unsigned s = 0, parity = 0, last = 0;  // the next stage to be loaded from; the one to be handed back next
#define NEXT(s) (s) = (s) + 1 == STAGES ? 0 : (s) + 1
#define HAND_BACK()                              \
  {                                              \
    if (hands) bar_arrive_at(back + last * 8);   \
    NEXT(last);                                  \
  }
#define FETCH()                                      \
  {                                                  \
    bar_wait(full0 + s * 8, parity);                 \
    load_raw(raw, base + s * STAGE + off0, base + s * STAGE + off1); \
    if (s + 1 == STAGES) parity ^= 1;                \
    NEXT(s);                                         \
  }
#define MULTIPLY(a, add)                             \
  {                                                  \
    multiply(d, a, xs, add);                         \
    xs = xs == base + (STAGES - 1) * STAGE + 16384 ? base + 16384 : xs + STAGE; \
  }
    float4 raw[4];  // W of the step after the next one to be multiplied
    unsigned xs = base + 16384;
    FETCH();
    convert(a0, raw);
    FETCH();
#pragma unroll 1
    for (int tile = 0; tile < TILES; ++tile) {
      const int f = (fb + tile * 32) * 128 + feature;
      const float2 b = *reinterpret_cast<const float2*>(bias + f);
#pragma unroll 1
      for (int i = 0; i < STEPS; i += 2) {
        MULTIPLY(a0, i);  // the first product of a tile does not add
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");  // piece i - 1
        keep(a1);
        if (i > 0) HAND_BACK();
        convert(a1, raw);  // piece i + 1
        if (i + 2 < STEPS || tile + 1 < TILES) FETCH();
        MULTIPLY(a1, 1);
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");  // piece i
        keep(a0);
        HAND_BACK();
        if (i + 2 < STEPS || tile + 1 < TILES) {
          convert(a0, raw);  // piece i + 2
          FETCH();
        }
      }
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      keep(a1);
      HAND_BACK();
      // d[4 j + 2 h + e]: feature f + h, row 8 j + 2 t + e of the batch
      float* out = y + (long long)(nb * 256 + 2 * t) * FEATURES + f;
      const float bx = b.x * 0.1f, by = b.y * 0.1f;
      // float2 stores: a warp has 16 features, 64 bytes a row, so wider ones after an exchange would touch as many lines and sectors
#pragma unroll
      for (int jj = 0; jj < 32; jj += 4) {
        float largest = 0.0f;
#pragma unroll
        for (int i = 4 * jj; i < 4 * jj + 16; ++i) {
          d[i] = fmaf(d[i], 0.1f, i & 2 ? by : bx);
          largest = fmaxf(largest, fabsf(d[i]));
        }
        if (__any_sync(0xffffffffu, largest > 1.0f)) {
#pragma unroll
          for (int i = 4 * jj; i < 4 * jj + 16; ++i) d[i] = gelu(d[i]);
        } else {
#pragma unroll
          for (int i = 4 * jj; i < 4 * jj + 16; ++i) d[i] = gelu_small(d[i]);
        }
#pragma unroll
        for (int j = jj; j < jj + 4; ++j)
#pragma unroll
          for (int e = 0; e < 2; ++e)
            __stcs(reinterpret_cast<float2*>(out + (long long)(8 * j + e) * FEATURES), make_float2(d[4 * j + e], d[4 * j + 2 + e]));
      }
    }
  }
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");  // no block leaves while another one may still write to it
}
