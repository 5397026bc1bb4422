/* hone 1
[tune]
UNR    = { values = [2, 4, 8], default = 4 }       # float4 of a thread in the conversion
STAGES = { values = [3, 4], default = 4 }
NAP    = { values = [0, 50, 100], default = 50 }  # ns between pieces of zeros

[[scratch]]
name  = "ah"
dtype = "f16"
shape = [4096, 4096]

[[scratch]]
name  = "bh"
dtype = "f16"
shape = [4096, 4096]

[[scratch]]
name  = "peak"
dtype = "f32"
shape = ["2 * (8320 / UNR)"]

[[tensormap]]
name    = "a_map"
tensor  = "ah"
box     = [64, 64]
swizzle = "128B"
l2      = "128B"

[[tensormap]]
name    = "b_map"
tensor  = "bh"
box     = [64, 64]
swizzle = "128B"
l2      = "128B"

[[launch]]
kernel = "to_half"
grid   = ["2 * (8320 / UNR) + 6 * 16"]
block  = [256]
args   = ["A", "B", "ah", "bh", "peak", "y"]

[[launch]]
kernel = "tri_product"
grid   = [132]
cluster = [2]
block  = [320]
shared = "STAGES * 49152 + 1024"
args   = ["a_map", "b_map", "A", "B", "peak", "y"]
*/
#include <cuda.h>
#include <cuda_fp16.h>
typedef unsigned long long u64;
#define STAGE 49152u        // bytes: a 128 x 64 (two boxes of 64 rows), then b 64 x 256 (four boxes of 64 columns, the last first)
#define HALF (8320 / UNR)   // blocks that convert one matrix: 2048 double rows * 1040 float4 / (256 * UNR)

// Items: i (256 rows) | j (256 columns) << 5 | first block of 64 k << 9 | end << 16 | split << 23, of cluster c: item_first[c] .. item_first[c + 1].
__constant__ unsigned item_list[142] = {
    12327361, 3672481, 3936706, 4200931, 3408256, 3938755, 2904394, 3146080, 3168619, 4202980, 1054819, 3674530, 2640169, 3410305, 1847494, 12329408,
    790594, 3418501, 3160423, 2883904, 2373895, 2621728, 1052770, 4211176, 1048672, 3676579, 3959245, 3154276, 12079008, 3150178, 4221421, 2890051,
    1577122, 12600802, 1839298, 10881505, 2107621, 3412354, 1845445, 3680677, 1314946, 2885953, 3428746, 1835200, 2631973, 4205029, 3430795, 4207078,
    9177537, 3678628, 524320, 3940804, 1316995, 3946951, 3957196, 4225519, 12601824, 3424648, 2892100, 1310848, 3682726, 2369797, 2888002, 2900296,
    3148129, 1581220, 3949000, 4219372, 3432844, 2097376, 3690922, 3942853, 1843396, 3416452, 3426697, 10944928, 4223470, 3944902, 3955147, 3414403,
    788545, 3152227, 1579171, 2361601, 9437632, 12602849, 2636071, 2902345, 10621410, 3953098, 2627875, 1312897, 2111719, 4213225, 2894149, 2359552,
    2371846, 3420550, 3422599, 10748384, 3692971, 3684775, 2105572, 3961294, 2363650, 1573024, 2625826, 3162472, 3951049, 3688873, 526369, 2623777,
    1841347, 2099425, 3164521, 3695020, 3156325, 786496, 2109670, 3686824, 2103523, 1583269, 2629924, 2896198, 1319044, 4209127, 1050721, 4215274,
    2898247, 3166570, 1837249, 2634022, 2638120, 2101474, 4217323, 2375944, 3158374, 2367748, 3697069, 2365699, 1575073, 262144};
__constant__ unsigned short item_first[67] = {
    0, 1, 2, 3, 4, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25,
    27, 29, 31, 33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 56, 58,
    60, 62, 64, 66, 69, 71, 73, 75, 77, 79, 81, 83, 85, 88, 90, 93,
    95, 97, 99, 101, 104, 106, 108, 111, 113, 116, 119, 122, 125, 127, 130, 133,
    136, 139, 142};
__constant__ unsigned short split_list[6] = {
    416, 448, 480, 449, 481, 482};

// ---------------------------------------------------------------------------------------------------------------------------
// Row block rb (64 rows) is needed from column 64 rb on, in both matrices. Rows of blocks p and 63 - p together have 4160 columns.
extern "C" __global__ void __launch_bounds__(256)
    to_half(const float* __restrict__ A, const float* __restrict__ B, __half* __restrict__ ah, __half* __restrict__ bh,
            float* __restrict__ peak, float* __restrict__ y) {
  const int t = threadIdx.x;
  if (blockIdx.x >= 2 * HALF) {  // zeros for the tiles whose two parts are added to y: 16 rows of 256
    const int z = blockIdx.x - 2 * HALF;
    const unsigned tile = split_list[z / 16];
    float* to = y + ((tile & 31) * 256 + z % 16 * 16 + t / 64) * 4096 + (tile >> 5) * 256 + t % 64 * 4;
#pragma unroll
    for (int u = 0; u < 4; ++u) *reinterpret_cast<float4*>(to + u * 4 * 4096) = make_float4(0.f, 0.f, 0.f, 0.f);
    return;
  }
  __shared__ float warp[8];
  const bool second = blockIdx.x >= HALF;
  const float* __restrict__ x = second ? B : A;
  __half* __restrict__ h = second ? bh : ah;
  const int g0 = (second ? blockIdx.x - HALF : blockIdx.x) * (256 * UNR) + t;
  float4 v[UNR];
  int at[UNR];
#pragma unroll
  for (int u = 0; u < UNR; ++u) {
    const int g = g0 + u * 256, vr = g / 1040, c = g - vr * 1040;
    const int p = vr >> 6, r = vr & 63, n = 1024 - 16 * p;  // float4 in a row of block p
    // c < n: row 64 p + r, column 64 p + 4 c; else row 64 (63 - p) + r, column 64 (63 - p) + 4 (c - n)
    const int rb = c < n ? p : 63 - p, cc = c < n ? c : c - n;
    at[u] = (rb * 64 + r) * 4096 + rb * 64 + cc * 4;
    v[u] = __ldcs(reinterpret_cast<const float4*>(x + at[u]));
  }
  float m = 0.f;
#pragma unroll
  for (int u = 0; u < UNR; ++u) {
    m = fmaxf(m, fmaxf(fmaxf(fabsf(v[u].x), fabsf(v[u].y)), fmaxf(fabsf(v[u].z), fabsf(v[u].w))));
    __half2 lo = __floats2half2_rn(v[u].x, v[u].y), hi = __floats2half2_rn(v[u].z, v[u].w);
    uint2 o;
    o.x = *reinterpret_cast<unsigned*>(&lo);
    o.y = *reinterpret_cast<unsigned*>(&hi);
    *reinterpret_cast<uint2*>(h + at[u]) = o;
  }
  for (int o = 16; o > 0; o /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, o));
  if (t % 32 == 0) warp[t / 32] = m;
  __syncthreads();
  if (t == 0) {
    for (int w = 1; w < 8; ++w) m = fmaxf(m, warp[w]);
    peak[blockIdx.x] = m;
  }
}

// ---------------------------------------------------------------------------------------------------------------------------
__device__ __forceinline__ unsigned sh(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void bar_init(unsigned bar, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory");
}
__device__ __forceinline__ void bar_expect(unsigned bar, unsigned bytes) {  // also arrives, once
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}
__device__ __forceinline__ void bar_arrive(unsigned bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
}
__device__ __forceinline__ void bar_wait(unsigned bar, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done) : "r"(bar), "r"(parity) : "memory");
}
__device__ __forceinline__ void load_box(unsigned to, const CUtensorMap* map, int col, int row, unsigned bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               ::"r"(to), "l"(map), "r"(col), "r"(row), "r"(bar) : "memory");
}
__device__ __forceinline__ void load_box_both(unsigned to, const CUtensorMap* map, int col, int row, unsigned bar) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
      ::"r"(to), "l"(map), "r"(col), "r"(row), "r"(bar), "h"((unsigned short)3) : "memory");
}
__device__ __forceinline__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}
__device__ __forceinline__ u64 operand(unsigned at, unsigned leading, unsigned stride) {
  return (u64)((at & 0x3ffff) >> 4) | (u64)(leading >> 4) << 16 | (u64)(stride >> 4) << 32 | 1ull << 62;
}
__device__ __forceinline__ void mma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void mma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N>
__device__ __forceinline__ void mma_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }
#define R8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
__device__ __forceinline__ void wgmma_n256(float (&d)[128], u64 a, u64 b) {  // the last 256 of 256 columns, which come first (blocks of 64 stand in reverse)
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,"
      "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,"
      "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129, 1, 1, 1, 0, 1;"
      : R8(0), R8(8), R8(16), R8(24), R8(32), R8(40), R8(48), R8(56), R8(64), R8(72), R8(80), R8(88), R8(96), R8(104), R8(112), R8(120)
      : "l"(a), "l"(b));
}
__device__ __forceinline__ void wgmma_n192(float (&d)[128], u64 a, u64 b) {  // the last 192 of 256 columns, which come first (blocks of 64 stand in reverse)
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,"
      "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95}, %96, %97, 1, 1, 1, 0, 1;"
      : R8(0), R8(8), R8(16), R8(24), R8(32), R8(40), R8(48), R8(56), R8(64), R8(72), R8(80), R8(88)
      : "l"(a), "l"(b));
}
__device__ __forceinline__ void wgmma_n128(float (&d)[128], u64 a, u64 b) {  // the last 128 of 256 columns, which come first (blocks of 64 stand in reverse)
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, %64, %65, 1, 1, 1, 0, 1;"
      : R8(0), R8(8), R8(16), R8(24), R8(32), R8(40), R8(48), R8(56)
      : "l"(a), "l"(b));
}
__device__ __forceinline__ void wgmma_n64(float (&d)[128], u64 a, u64 b) {  // the last 64 of 256 columns, which come first (blocks of 64 stand in reverse)
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, 1, 1, 1, 0, 1;"
      : R8(0), R8(8), R8(16), R8(24)
      : "l"(a), "l"(b));
}

__device__ __forceinline__ void put(float* to, float4 v, bool add) {
  if (add)
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
  else
    __stcs(reinterpret_cast<float4*>(to), v);
}

extern "C" __global__ void __launch_bounds__(320, 1)
    tri_product(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map, const float* __restrict__ A,
                const float* __restrict__ B, const float* __restrict__ peak, float* __restrict__ y) {
  extern __shared__ char raw[];
  __shared__ u64 full[STAGES], empty[STAGES], known;
  __shared__ int bad_range;
  const unsigned base = (sh(raw) + 1023) & ~1023u;
  const int group = threadIdx.x / 128, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      bar_init(sh(&full[s]), 1);
      bar_init(sh(&empty[s]), 16);  // each consumer warp of both blocks
    }
    bar_init(sh(&known), 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  cluster_sync();
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  const int it0 = item_first[blockIdx.x / 2], it1 = item_first[blockIdx.x / 2 + 1];

  if (group == 2) {
    const int w = threadIdx.x / 32 - 8;
    if (w == 0) {
      if (lane == 0) {  // producer
        int s = 0;
        unsigned ph = 1;
        for (int it = it0; it < it1; ++it) {
          const unsigned v = item_list[it];
          const int i = v & 31, j = v >> 5 & 15, k0 = v >> 9 & 127, k1 = v >> 16 & 127;
          for (int kb = k0; kb < k1; ++kb) {
            const unsigned at = base + s * STAGE, bar = sh(&full[s]);
            const int c0 = max(0, kb - 4 * j);       // column blocks of b before that are zero
            const int na = min(2, max(0, kb - (4 * i + 2 * (int)rank) + 1));  // row blocks of a behind that are zero
            bar_wait(sh(&empty[s]), ph);
            bar_expect(bar, (unsigned)(na + 4 - c0) * 8192u);
            if (na > 0) load_box(at, &a_map, kb * 64, i * 256 + rank * 128, bar);
            if (na > 1) load_box(at + 8192, &a_map, kb * 64, i * 256 + rank * 128 + 64, bar);
            for (int c = c0 + ((c0 ^ (int)rank) & 1); c < 4; c += 2)  // even blocks by rank 0, odd ones by rank 1, for both
              load_box_both(at + 16384 + (3 - c) * 8192, &b_map, j * 256 + c * 64, kb * 64, bar);
            if (++s == STAGES) s = 0, ph ^= 1;
          }
        }
      }
    } else {
      {  // are both matrices within what f16 represents as well as tf32 does?
        float ma = 0.f, mb = 0.f;
        for (int q = lane; q < HALF; q += 32) ma = fmaxf(ma, __ldg(peak + q)), mb = fmaxf(mb, __ldg(peak + HALF + q));
        for (int o = 16; o > 0; o /= 2) {
          ma = fmaxf(ma, __shfl_xor_sync(0xffffffffu, ma, o));
          mb = fmaxf(mb, __shfl_xor_sync(0xffffffffu, mb, o));
        }
        if (lane == 0) {
          bad_range = ma > 65000.f || mb > 65000.f || (ma < 0.00390625f && ma > 0.f) || (mb < 0.00390625f && mb > 0.f);
          bar_arrive(sh(&known));
        }
        __syncwarp();
      }
      // zeros: row r begins with 256 (r / 256) columns that no tile covers
      int count = 0;
      for (int r = blockIdx.x; r < 4096; r += 132) {
        const int n = (r >> 8) * 64;
        float4* to = reinterpret_cast<float4*>(y + r * 4096);
        for (int c = lane; c < n; c += 64) {
          __stcs(to + c, make_float4(0.f, 0.f, 0.f, 0.f));
          __stcs(to + c + 32, make_float4(0.f, 0.f, 0.f, 0.f));
          if (NAP > 0 && (++count & 1)) __nanosleep(NAP);
        }
      }
    }
  } else {
    int s = 0;
    unsigned ph = 0;
    float d[128];
    unsigned empty_at;  // lane 0: rank 0's barriers, lane 1: rank 1's
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(empty_at) : "r"(sh(&empty[0])), "r"(lane & 1));
#define RELEASE(slot) \
  if (lane < 2) asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(empty_at + 8u * (slot)) : "memory")
#define NEXT \
  if (++s == STAGES) s = 0, ph ^= 1u
#define TAIL(R, MMA)                                                                               \
  if (kb == 4 * j + R && kb < k1) {                                                                \
    const unsigned at = base + s * STAGE;                                                          \
    bar_wait(sh(&full[s]), ph);                                                                    \
    mma_fence();                                                                                   \
    MMA(d, operand(at + group * 8192, 16, 1024), operand(at + 16384, 8192, 1024));                 \
    MMA(d, operand(at + group * 8192 + 32, 16, 1024), operand(at + 16384 + 2048, 8192, 1024));     \
    MMA(d, operand(at + group * 8192 + 64, 16, 1024), operand(at + 16384 + 4096, 8192, 1024));     \
    MMA(d, operand(at + group * 8192 + 96, 16, 1024), operand(at + 16384 + 6144, 8192, 1024));     \
    mma_commit();                                                                                  \
    mma_wait<0>();                                                                                 \
    RELEASE(s);                                                                                    \
    NEXT;                                                                                          \
    ++kb;                                                                                          \
  }
    for (int it = it0; it < it1; ++it) {
      const unsigned v = item_list[it];
      const int i = v & 31, j = v >> 5 & 15, k0 = v >> 9 & 127, k1 = v >> 16 & 127;
      const bool add = v >> 23 & 1;
      int kb = k0;
#pragma unroll
      for (int e = 0; e < 128; ++e) d[e] = 0.f;
      const int rb = 4 * i + 2 * (int)rank + group;
      while (kb < rb) {  // these 64 rows have nothing there
        bar_wait(sh(&full[s]), ph);
        RELEASE(s);
        NEXT;
        ++kb;
      }
      const int kf = min(k1, 4 * j + 1);
      int prev = -1;
      for (; kb < kf; ++kb) {
        const unsigned at = base + s * STAGE;
        bar_wait(sh(&full[s]), ph);
        mma_fence();
#pragma unroll
        for (int kk = 0; kk < 4; ++kk)
          wgmma_n256(d, operand(at + group * 8192 + kk * 32, 16, 1024), operand(at + 16384 + kk * 2048, 8192, 1024));
        mma_commit();
        mma_wait<1>();
        if (prev >= 0) RELEASE(prev);
        prev = s;
        NEXT;
      }
      mma_wait<0>();
      if (prev >= 0) RELEASE(prev);
      TAIL(1, wgmma_n192)
      TAIL(2, wgmma_n128)
      TAIL(3, wgmma_n64)

      // d[4 q + 2 h], d[4 q + 2 h + 1]: row + 8 h, columns 64 (3 - q / 8) + 8 (q % 8) + 2 (lane % 4), and the next
      const int row = i * 256 + (int)rank * 128 + group * 64 + threadIdx.x % 128 / 32 * 16 + lane / 4;
      bar_wait(sh(&known), 0);
      if (!*(volatile int*)&bad_range) {
        const bool odd = lane & 1;
        float* to = y + row * 4096 + j * 256 + (odd ? 8 : 0) + (lane & 2) * 2;
#pragma unroll
        for (int q = 0; q < 32; q += 2)
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            const float a0 = d[4 * q + 2 * h], a1 = d[4 * q + 2 * h + 1], b0 = d[4 * q + 4 + 2 * h], b1 = d[4 * q + 5 + 2 * h];
            const float r0 = __shfl_xor_sync(0xffffffffu, odd ? a0 : b0, 1), r1 = __shfl_xor_sync(0xffffffffu, odd ? a1 : b1, 1);
            // even lane: group q, own pair then the neighbour's; odd lane: group q + 1, the neighbour's pair then its own
            put(to + h * 8 * 4096 + (3 - q / 8) * 64 + q % 8 * 8, odd ? make_float4(r0, r1, b0, b1) : make_float4(a0, a1, r0, r1), add);
          }
      } else {  // values too large or too small for f16: plain products
#pragma unroll 1
        for (int e = 0; e < 128; ++e) {
          const int r = row + (e >> 1 & 1) * 8, c = j * 256 + (3 - (e >> 5)) * 64 + (e >> 2 & 7) * 8 + lane % 4 * 2 + (e & 1);
          float sum = 0.f;
#pragma unroll 1
          for (int k = k0 * 64; k < k1 * 64; ++k) sum = fmaf(__ldg(A + r * 4096 + k), __ldg(B + k * 4096 + c), sum);
          if (add) atomicAdd(y + r * 4096 + c, sum);
          else y[r * 4096 + c] = sum;
        }
      }
    }
  }
  __syncwarp();
  cluster_sync();  // nobody leaves while the other may still write or arrive here
}
