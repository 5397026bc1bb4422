/* hone 1
[[scratch]]
name  = "xh"
dtype = "f16"
shape = [16384, 768]

[[scratch]]
name  = "x8"
dtype = "i8"
shape = [16384, 1536]

[[scratch]]
name  = "wh"
dtype = "f16"
shape = [2304, 768]

[[scratch]]
name  = "w8"
dtype = "i8"
shape = [2304, 1536]

[[scratch]]
name  = "wt"
dtype = "f32"
shape = [768, 2304]

[[scratch]]
name  = "col_data"
dtype = "f32"
shape = [3, 2304]

[[scratch]]
name  = "row_data"
dtype = "f32"
shape = [16384, 4]

[[scratch]]
name  = "far_data"
dtype = "f32"
shape = [16384, 32]

[[scratch]]
name  = "qkv"
dtype = "f16"
shape = [1179648, 64]

[[scratch]]
name  = "counter"
dtype = "i32"
shape = [128]

[[tensormap]]
name    = "xh_map"
tensor  = "xh"
box     = [128, 64]
swizzle = "128B"
l2      = "128B"

[[tensormap]]
name    = "wh_map"
tensor  = "wh"
box     = [128, 64]
swizzle = "128B"
l2      = "128B"

[[tensormap]]
name    = "x8_map"
tensor  = "x8"
box     = [128, 128]
swizzle = "128B"
l2      = "128B"

[[tensormap]]
name    = "w8_map"
tensor  = "w8"
box     = [128, 128]
swizzle = "128B"
l2      = "128B"

[[tensormap]]
name    = "q_map"
tensor  = "qkv"
box     = [128, 64]
swizzle = "128B"
l2      = "128B"

[[tensormap]]
name    = "kv_map"
tensor  = "qkv"
box     = [64, 64]
swizzle = "128B"
l2      = "128B"

[[launch]]
kernel = "split_inputs"
grid   = ["288 + 256 + 432"]
block  = [256]
args   = ["x", "c_attn_weight", "c_attn_bias", "xh", "x8", "wh", "w8", "wt", "col_data", "row_data", "far_data", "counter"]

[[launch]]
kernel  = "qkv_product"
grid    = [132]
block   = [384]
cluster = [2]
shared  = "4 * 49152 + 1024"
args    = ["xh_map", "wh_map", "x8_map", "w8_map", "col_data", "row_data", "far_data", "wt", "qkv", "x", "xh", "x8", "counter"]

[[launch]]
kernel = "relu_attention"
grid   = ["sm_count"]
block  = [384]
shared = "5 * 32768 + 2 * 32768 + 1024"
args   = ["q_map", "kv_map", "y", "counter"]
*/
#include <cuda.h>
#include <cuda_fp16.h>
typedef unsigned long long u64;

#define TOKENS 16384
#define EMB 768
#define PLANE_HALF 589824  // 36 planes of 16384 rows: first row of the low parts in qkv

// ---------------------------------------------------------------- helpers
__device__ __forceinline__ unsigned sh(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void bar_init(unsigned bar, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory");
}
__device__ __forceinline__ void bar_expect(unsigned bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}
__device__ __forceinline__ void bar_arrive(unsigned bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
}
__device__ __forceinline__ void bar_arrive_rank(unsigned bar, unsigned rank) {  // the same barrier in block `rank` of the cluster
  unsigned to;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(bar), "r"(rank));
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(to) : "memory");
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
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
               ::"r"(to), "l"(map), "r"(col), "r"(row), "r"(bar), "h"((unsigned short)3) : "memory");
}
__device__ __forceinline__ u64 operand(unsigned at) {  // 128-byte swizzle, 8 rows (or 8 k) are 1024 bytes
  return (u64)((at & 0x3ffff) >> 4) | (u64)1 << 16 | (u64)64 << 32 | 1ull << 62;
}
__device__ __forceinline__ void wg_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wg_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N>
__device__ __forceinline__ void wg_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }

#define R8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define I8(i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3]), "+r"(d[i + 4]), "+r"(d[i + 5]), "+r"(d[i + 6]), "+r"(d[i + 7])
__device__ __forceinline__ void mma_i8(int (&d)[128], u64 a, u64 b, int add) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129, p;\n}"
      : I8(0), I8(8), I8(16), I8(24), I8(32), I8(40), I8(48), I8(56), I8(64), I8(72), I8(80), I8(88), I8(96), I8(104), I8(112), I8(120)
      : "l"(a), "l"(b), "r"(add));
}
__device__ __forceinline__ void mma_f16(int (&d)[128], u64 a, u64 b) {  // on top of what is there; the registers hold floats
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129, 1, 1, 1, 0, 0;"
      : I8(0), I8(8), I8(16), I8(24), I8(32), I8(40), I8(48), I8(56), I8(64), I8(72), I8(80), I8(88), I8(96), I8(104), I8(112), I8(120)
      : "l"(a), "l"(b));
}
template <int TRANS>  // 64 x 64 outputs, a in registers
__device__ __forceinline__ void mma_n64(float (&d)[32], const unsigned* a, u64 b, int add) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %37, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, {%32,%33,%34,%35}, %36, p, 1, 1, %38;\n}"
      : R8(0), R8(8), R8(16), R8(24)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add), "n"(TRANS));
}

// two floats into high and low halves: v = hi + lo up to 2^-22 v
__device__ __forceinline__ void split2(float v0, float v1, unsigned& hi, unsigned& lo) {
  const __half2 h = __floats2half2_rn(v0, v1);
  const float2 f = __half22float2(h);
  const __half2 l = __floats2half2_rn(v0 - f.x, v1 - f.y);
  hi = *reinterpret_cast<const unsigned*>(&h);
  lo = *reinterpret_cast<const unsigned*>(&l);
}

// ---------------------------------------------------------------- 1. x and the weight into f16 + int8
// A row v of x (or of the weight) becomes (v - c) g with the largest |value| just below 1 (c = mean of the row for x, 0 for the
// weight), that = hi + lo with hi f16 and |lo| <= 2^-12; beside hi two bytes a number: round(127 value), round(127 * 4096 lo).
// x lies as [value bytes | lo bytes], the weight as [lo bytes | value bytes], so that one int8 product of depth 1536 gives both
// corrections. Elements of x far outside of their row (at most 16 a row) are taken out and added exactly later.
// rows: c, 1 / g, how many are far, -. columns: 1 / g, sum of the row, bias (q's part times 1 / 8). wt: the weight transposed.
#define FAR 16
__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}
__device__ __forceinline__ float warp_max(float v) {
#pragma unroll
  for (int o = 16; o > 0; o /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, o));
  return v;
}
// the low bytes of four floats that were rounded to integers by adding 1.5 * 2^23
#define ROUND_AT 12582912.0f
__device__ __forceinline__ unsigned low_bytes(float a, float b, float c, float d) {
  return __byte_perm(__byte_perm(__float_as_uint(a), __float_as_uint(b), 0x0040), __byte_perm(__float_as_uint(c), __float_as_uint(d), 0x0040), 0x5410);
}
__device__ __forceinline__ void store_row(const float (&v)[24], float g, __half* hi, signed char* bytes, signed char* low, int lane) {
#pragma unroll
  for (int j = 0; j < 6; ++j) {
    unsigned h[2];
    float b[4], l[4];
#pragma unroll
    for (int p = 0; p < 2; ++p) {
      const float v0 = v[4 * j + 2 * p] * g, v1 = v[4 * j + 2 * p + 1] * g;
      const __half2 hh = __floats2half2_rn(v0, v1);
      const float2 f = __half22float2(hh);
      h[p] = *reinterpret_cast<const unsigned*>(&hh);
      b[2 * p] = fmaf(v0, 127.0f, ROUND_AT);
      b[2 * p + 1] = fmaf(v1, 127.0f, ROUND_AT);
      l[2 * p] = fmaf(v0 - f.x, 127.0f * 4096.0f, ROUND_AT);
      l[2 * p + 1] = fmaf(v1 - f.y, 127.0f * 4096.0f, ROUND_AT);
    }
    const int at = (j * 32 + lane) * 4;
    *reinterpret_cast<uint2*>(hi + at) = make_uint2(h[0], h[1]);
    *reinterpret_cast<unsigned*>(bytes + at) = low_bytes(b[0], b[1], b[2], b[3]);
    *reinterpret_cast<unsigned*>(low + at) = low_bytes(l[0], l[1], l[2], l[3]);
  }
}
__device__ __forceinline__ void load_row(const float* __restrict__ x, int m, int lane, float4 (&u)[6]) {
#pragma unroll
  for (int j = 0; j < 6; ++j) u[j] = __ldcs(reinterpret_cast<const float4*>(x + m * EMB) + j * 32 + lane);
}
// row m of x, by one warp
__device__ __forceinline__ void convert_row(float (&v)[24], int m, __half* __restrict__ xh, signed char* __restrict__ x8,
                                            float4* __restrict__ rows, float2* __restrict__ far_list, int lane) {
  float sum = 0.0f, top = 0.0f, spread = 0.0f;
#pragma unroll
  for (int e = 0; e < 24; ++e) sum += v[e];
  const float c = warp_sum(sum) * (1.0f / EMB);
#pragma unroll
  for (int e = 0; e < 24; ++e) {
    v[e] -= c;
    spread += fabsf(v[e]);
    top = fmaxf(top, fabsf(v[e]));
  }
  top = warp_max(top);
  const float limit = warp_sum(spread) * (6.0f / EMB);
  int far = 0;
  if (top > limit) {
#pragma unroll
    for (int e = 0; e < 24; ++e) far += __popc(__ballot_sync(0xffffffffu, fabsf(v[e]) > limit));
    if (far <= FAR) {
      int at = 0;
      top = 0.0f;
#pragma unroll
      for (int e = 0; e < 24; ++e) {
        const bool out = fabsf(v[e]) > limit;
        const unsigned mask = __ballot_sync(0xffffffffu, out);
        if (out) {
          const int k = (e / 4 * 32 + lane) * 4 + e % 4;
          far_list[m * FAR + at + __popc(mask & ((1u << lane) - 1u))] = make_float2(__int_as_float(k), v[e]);
          v[e] = 0.0f;
        }
        at += __popc(mask);
        top = fmaxf(top, fabsf(v[e]));
      }
      top = warp_max(top);
    } else {
      far = 0;
    }
  }
  const float g = top > 1e-30f ? 0.99975f / top : 0.0f;
  store_row(v, g, xh + m * EMB, x8 + m * 1536, x8 + m * 1536 + 768, lane);
  if (lane == 0) rows[m] = make_float4(c, g > 0.0f ? 1.0f / g : 0.0f, __int_as_float(far), 0.0f);
}
#define UNPACK(v, u) _Pragma("unroll") for (int z = 0; z < 6; ++z) { v[4 * z] = u[z].x; v[4 * z + 1] = u[z].y; v[4 * z + 2] = u[z].z; v[4 * z + 3] = u[z].w; }

// The weight and the first EARLY rows of x; the product's own spare warps convert the rest of x while it runs.
// counter: 0 units of attention, 1 pieces of PIECE rows of x, 64 + i rows that are ready of the 256 from 256 i on.
#define EARLY 2048
#define PIECE 2
extern "C" __global__ void __launch_bounds__(256)
    split_inputs(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ bias, __half* __restrict__ xh,
                 signed char* __restrict__ x8, __half* __restrict__ wh, signed char* __restrict__ w8, float* __restrict__ wt,
                 float* __restrict__ columns, float4* __restrict__ rows, float2* __restrict__ far_list, int* counter) {
  __shared__ float tile[64][65];
  const int b = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (b == 0 && threadIdx.x < 128) counter[threadIdx.x] = 0;
  float v[24];
  float4 u[6];
  if (b < 288) {  // 8 rows of the weight
    const int n = b * 8 + warp;
    const float fold = n < 768 ? 0.125f : 1.0f;
    float sum = 0.0f, top = 0.0f;
#pragma unroll
    for (int j = 0; j < 6; ++j) u[j] = *(reinterpret_cast<const float4*>(w + n * EMB) + j * 32 + lane);
    UNPACK(v, u)
#pragma unroll
    for (int e = 0; e < 24; ++e) {
      sum += v[e];
      top = fmaxf(top, fabsf(v[e]));
    }
    sum = warp_sum(sum);
    top = warp_max(top);
    const float g = top > 1e-30f ? 0.99975f / top : 0.0f;
    // row 8 t + 2 j + e of each 32 goes to 8 j + 2 t + e: a thread of the product then has 8 columns in a row
    const int p = n & 31, to = (n & ~31) | (((p & 7) >> 1) * 8 + (p >> 3) * 2 + (p & 1));
    store_row(v, g, wh + to * EMB, w8 + to * 1536 + 768, w8 + to * 1536, lane);
    if (lane == 0) {
      columns[n] = g > 0.0f ? fold / g : 0.0f;
      columns[2304 + n] = sum * fold;
      columns[4608 + n] = bias[n] * fold;
    }
  } else if (b < 288 + EARLY / 8) {  // 8 rows of x
    const int m = (b - 288) * 8 + warp;
    load_row(x, m, lane, u);
    UNPACK(v, u)
    convert_row(v, m, xh, x8, rows, far_list, lane);
  } else {  // 64 x 64 of the weight, transposed: 36 x 12 tiles
    const int i0 = b - 288 - EARLY / 8, n0 = i0 / 12 * 64, k0 = i0 % 12 * 64;
    const int c = threadIdx.x % 64, r = threadIdx.x / 64;
    const float fold = n0 < 768 ? 0.125f : 1.0f;
#pragma unroll
    for (int i = 0; i < 64; i += 4) tile[i + r][c] = w[(n0 + i + r) * EMB + k0 + c] * fold;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 64; i += 4) wt[(k0 + i + r) * 2304 + n0 + c] = tile[c][i + r];
  }
}

// loads that stay where they are written
__device__ __forceinline__ float4 load_shared(unsigned p) {
  float4 v;
  asm volatile("ld.shared.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(p) : "memory");
  return v;
}
__device__ __forceinline__ void copy16(unsigned to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
__device__ __forceinline__ int load_acquire(const int* p) {
  int v;
  asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ __forceinline__ float4 load4(const float* p) {
  float4 v;
  asm volatile("ld.global.nc.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p) : "memory");
  return v;
}
#define PIN(v) asm volatile("" : "+f"(v)::"memory")

// ---------------------------------------------------------------- 2. q, k, v = x w^T + bias, as high and low halves
// 128 x 256 outputs a block, two blocks of a cluster share the weight tile. 12 steps of 128 bytes of int8 (both corrections,
// exact in int32), which are then scaled and are the start of 12 steps of 64 in f16.
#define STAGES 4
#define STAGE 49152u
extern "C" __global__ void __launch_bounds__(384, 1)
    qkv_product(const __grid_constant__ CUtensorMap xh_map, const __grid_constant__ CUtensorMap wh_map,
                const __grid_constant__ CUtensorMap x8_map, const __grid_constant__ CUtensorMap w8_map, const float* __restrict__ columns,
                float4* rows, float2* far_list, const float* __restrict__ wt, __half* __restrict__ qkv, const float* __restrict__ x, __half* xh,
                signed char* x8, int* counter) {
  extern __shared__ char raw[];
  __shared__ u64 full[STAGES], empty[STAGES];
  __shared__ __align__(16) float wide[2][2][768];  // of each consumer, by turns: 1 / g, sum, bias of the 256 columns of the tile
  const unsigned base = (sh(raw) + 1023) & ~1023u;
  const int group = threadIdx.x / 128;
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      bar_init(sh(&full[s]), 1);
      bar_init(sh(&empty[s]), 16);  // 8 consumer warps of each of the two blocks
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  const int clusters = gridDim.x / 2, first = blockIdx.x / 2;  // 576 pairs of tiles: 64 of 256 rows x 9 of 256 columns
  if (group == 2) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 136;");
    if (threadIdx.x >= 288) {  // three warps convert the rest of x, in order
      const int lane = threadIdx.x % 32;
      int piece = 0, next = 0;
      if (lane == 0) {
        piece = atomicAdd(counter + 1, 1);
        next = atomicAdd(counter + 1, 1);
      }
      int m = EARLY + PIECE * __shfl_sync(0xffffffffu, piece, 0);
      float4 u[6];
      if (m < TOKENS) load_row(x, m, lane, u);
      while (m < TOKENS) {
        float v[24];
        UNPACK(v, u)
        const bool last = m % PIECE == PIECE - 1;
        int after = m + 1;
        if (last) {
          after = EARLY + PIECE * __shfl_sync(0xffffffffu, next, 0);
          if (lane == 0 && after < TOKENS) next = atomicAdd(counter + 1, 1);
        }
        if (after < TOKENS) load_row(x, after, lane, u);
        convert_row(v, m, xh, x8, rows, far_list, lane);
        if (last) {  // the rows are read by the copy engine
          asm volatile("fence.proxy.async;" ::: "memory");
          __threadfence();
          __syncwarp();
          if (lane == 0) asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(counter + 64 + (m >> 8)), "r"(PIECE) : "memory");
        }
        m = after;
      }
    } else if (threadIdx.x == 256) {
      int s = 0, phase = 1, ready = EARLY / 256;  // groups of 256 rows
      for (int pair = first; pair < 576; pair += clusters) {
        const int m0 = (pair / 9) * 256 + rank * 128, n0 = (pair % 9) * 256 + rank * 128;
        if (pair / 9 >= ready) {
          while (load_acquire(counter + 64 + pair / 9) != 256) __nanosleep(50);
          asm volatile("fence.proxy.async;" ::: "memory");
          ready = pair / 9 + 1;
        }
        for (int i = 0; i < 24; ++i) {
          const unsigned at = base + s * STAGE, bar = sh(&full[s]);
          const CUtensorMap* xm = i < 12 ? &x8_map : &xh_map;
          const CUtensorMap* wm = i < 12 ? &w8_map : &wh_map;
          const int k = i < 12 ? i * 128 : (i - 12) * 64;
          bar_wait(sh(&empty[s]), phase);
          bar_expect(bar, STAGE);
          load_box(at, xm, k, m0, bar);
          load_box_both(at + 16384 + rank * 16384, wm, k, n0, bar);
          if (++s == STAGES) { s = 0; phase ^= 1; }
        }
      }
    }
    __syncwarp();
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 184;");
    const int lane = threadIdx.x % 32, warp = threadIdx.x % 128 / 32;
    int s = 0, phase = 0, turn = 0;
    for (int pair = first; pair < 576; pair += clusters, turn ^= 1) {
      const int m0 = (pair / 9) * 256 + rank * 128, n0 = (pair % 9) * 256;
      const unsigned constants = sh(&wide[group][turn][0]);
      {
        const int i = threadIdx.x & 127;
        copy16(constants + i * 16, columns + (i < 64 ? 0 : 2304) + n0 + (i & 63) * 4);
        if (i < 64) copy16(constants + 2048 + i * 16, columns + 4608 + n0 + i * 4);
      }
      int before = 0;
      int c[128];  // first int32, then the bits of f32
#pragma unroll
      for (int i = 0; i < 128; ++i) c[i] = 0;
      {
        for (int i = 0; i < 12; ++i) {
          const unsigned at = base + s * STAGE;
          bar_wait(sh(&full[s]), phase);
          wg_fence();
          const u64 a = operand(at + group * 8192), b = operand(at + 16384);
#pragma unroll
          for (int kk = 0; kk < 4; ++kk) mma_i8(c, a + kk * 2, b + kk * 2, kk ? 1 : i);
          wg_commit();
          if (i) {
            wg_wait<1>();
            if (lane < 2) bar_arrive_rank(sh(&empty[before]), lane);
          }
          before = s;
          if (++s == STAGES) { s = 0; phase ^= 1; }
        }
        wg_wait<0>();
#pragma unroll
        for (int i = 0; i < 128; ++i) asm volatile("" : "+r"(c[i])::"memory");
        if (lane < 2) bar_arrive_rank(sh(&empty[before]), lane);
#pragma unroll
        for (int i = 0; i < 128; ++i) c[i] = __float_as_int((float)c[i] * (1.0f / (127.0f * 127.0f * 4096.0f)));
      }
      for (int i = 0; i < 12; ++i) {
        const unsigned at = base + s * STAGE;
        bar_wait(sh(&full[s]), phase);
        wg_fence();
        const u64 a = operand(at + group * 8192), b = operand(at + 16384);
#pragma unroll
        for (int kk = 0; kk < 4; ++kk) mma_f16(c, a + kk * 2, b + kk * 2);
        wg_commit();
        if (i) {
          wg_wait<1>();
          if (lane < 2) bar_arrive_rank(sh(&empty[before]), lane);
        }
        before = s;
        if (++s == STAGES) { s = 0; phase ^= 1; }
      }
      const int row = m0 + group * 64 + warp * 16 + lane / 4, t = lane & 3;
      const float4 r0 = __ldcg(rows + row), r1 = __ldcg(rows + row + 8);  // c, 1 / g, far
      asm volatile("cp.async.wait_all;" ::: "memory");
      asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
      wg_wait<0>();
#pragma unroll
      for (int i = 0; i < 128; ++i) asm volatile("" : "+r"(c[i])::"memory");
      float d[128];
#pragma unroll
      for (int i = 0; i < 128; ++i) d[i] = __int_as_float(c[i]);
      if (lane < 2) bar_arrive_rank(sh(&empty[before]), lane);
      const unsigned col = constants + t * 32;
#pragma unroll
      for (int g = 0; g < 8; ++g) {  // 32 columns: this thread has the 8 from 8 t on
#pragma unroll
        for (int q = 0; q < 2; ++q) {
          const float4 iw = load_shared(col + g * 128 + q * 16);
          const float4 rs = load_shared(col + 1024 + g * 128 + q * 16);
          const float4 bi = load_shared(col + 2048 + g * 128 + q * 16);
          const float a[4] = {iw.x, iw.y, iw.z, iw.w}, e[4] = {rs.x, rs.y, rs.z, rs.w}, f[4] = {bi.x, bi.y, bi.z, bi.w};
#pragma unroll
          for (int z = 0; z < 4; ++z) {  // column 8 t + 4 q + z is element z % 2 of block 2 q + z / 2
            const int at = 16 * g + 4 * (2 * q + z / 2) + (z & 1);
            d[at] = fmaf(d[at], a[z] * r0.y, fmaf(r0.x, e[z], f[z]));
            d[at + 2] = fmaf(d[at + 2], a[z] * r1.y, fmaf(r1.x, e[z], f[z]));
            PIN(d[at]);
            PIN(d[at + 2]);
          }
        }
      }
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int far = __float_as_int(h ? r1.z : r0.z);
        for (int o = 0; o < far; ++o) {  // elements of x far outside of their row
          const float2 fo = __ldcg(far_list + (row + 8 * h) * FAR + o);
          const float* from = wt + __float_as_int(fo.x) * 2304 + n0 + t * 8;
#pragma unroll
          for (int g = 0; g < 8; ++g)
#pragma unroll
            for (int q = 0; q < 2; ++q) {
              const float4 ww = load4(from + g * 32 + q * 4);
              const int at = 16 * g + 8 * q + 2 * h;
              d[at] = fmaf(fo.y, ww.x, d[at]);
              d[at + 1] = fmaf(fo.y, ww.y, d[at + 1]);
              d[at + 4] = fmaf(fo.y, ww.z, d[at + 4]);
              d[at + 5] = fmaf(fo.y, ww.w, d[at + 5]);
              PIN(d[at]);
              PIN(d[at + 1]);
              PIN(d[at + 4]);
              PIN(d[at + 5]);
            }
        }
      }
      __syncwarp();
#pragma unroll
      for (int g = 0; g < 8; ++g)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          unsigned hi[4], lo[4];
#pragma unroll
          for (int j = 0; j < 4; ++j) split2(d[16 * g + 4 * j + 2 * h], d[16 * g + 4 * j + 2 * h + 1], hi[j], lo[j]);
          const int plane = n0 / 64 + g / 2;
          __half* to = qkv + ((plane * TOKENS + row + 8 * h) * 64 + (g & 1) * 32 + t * 8);
          *reinterpret_cast<uint4*>(to) = make_uint4(hi[0], hi[1], hi[2], hi[3]);
          *reinterpret_cast<uint4*>(to + PLANE_HALF * 64) = make_uint4(lo[0], lo[1], lo[2], lo[3]);
        }
    }
    __syncwarp();
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// ---------------------------------------------------------------- 3. y = relu(mask(q k^T)) v
// A unit: 128 queries of one head, 64 for each consumer; keys in blocks of 64. Units come from a counter, 32 heads at a time,
// the longest first.
#define RING 5
#define SLOTS 768
#define NO_UNIT 0xffffu
#define BLOCK_BYTES 32768u  // k high, k low, v high, v low: 64 x 64 each
__device__ __forceinline__ void unit_of(int u, int& head, int& i) {
  const int r = u % 256;
  i = 7 - r / 32;
  head = 191 - (u / 256 * 32 + r % 32);
}
__device__ __forceinline__ void scores(float (&s)[32], const unsigned (&qh)[16], const unsigned (&ql)[16], unsigned at) {
  const u64 kh = operand(at), kl = operand(at + 8192);
#pragma unroll
  for (int k = 0; k < 4; ++k) mma_n64<0>(s, qh + 4 * k, kl + 2 * k, k);
#pragma unroll
  for (int k = 0; k < 4; ++k) mma_n64<0>(s, ql + 4 * k, kh + 2 * k, 1);
#pragma unroll
  for (int k = 0; k < 4; ++k) mma_n64<0>(s, qh + 4 * k, kh + 2 * k, 1);
}
__device__ __forceinline__ void values(float (&o)[32], float (&oc)[32], const unsigned (&ph)[16], const unsigned (&pl)[16], unsigned at, int add) {
  const u64 vh = operand(at + 16384), vl = operand(at + 24576);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    mma_n64<1>(o, ph + 4 * k, vh + 128 * k, k ? 1 : add);
    mma_n64<1>(oc, ph + 4 * k, vl + 128 * k, k ? 1 : add);
    mma_n64<1>(oc, pl + 4 * k, vh + 128 * k, 1);
  }
}
__device__ __forceinline__ void weights(float (&s)[32], unsigned (&ph)[16], unsigned (&pl)[16], bool diagonal, int row, int col) {
  if (diagonal) {
#pragma unroll
    for (int j = 0; j < 8; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        if (col + 8 * j + (e & 1) > row + 8 * (e >> 1)) s[4 * j + e] = 0.0f;
  }
#pragma unroll
  for (int w = 0; w < 16; ++w) split2(fmaxf(s[2 * w], 0.0f), fmaxf(s[2 * w + 1], 0.0f), ph[w], pl[w]);
}
#define KEEP_F(a) _Pragma("unroll") for (int z = 0; z < 32; ++z) asm volatile("" : "+f"(a[z])::"memory")
#define KEEP_R(a) _Pragma("unroll") for (int z = 0; z < 16; ++z) asm volatile("" : "+r"(a[z])::"memory")

extern "C" __global__ void __launch_bounds__(384, 1)
    relu_attention(const __grid_constant__ CUtensorMap q_map, const __grid_constant__ CUtensorMap kv_map, float* __restrict__ y, int* counter) {
  extern __shared__ char raw[];
  __shared__ u64 full[RING], empty[RING], q_full[2], q_empty[2];
  // the unit of turn n: a place of its own for each turn (no block gets near SLOTS units; the barriers order a reuse as well)
  __shared__ unsigned short slot[SLOTS];
  const unsigned base = (sh(raw) + 1023) & ~1023u, q_base = base + RING * BLOCK_BYTES;
  const int group = threadIdx.x / 128;
  if (threadIdx.x == 0) {
    for (int s = 0; s < RING; ++s) {
      bar_init(sh(&full[s]), 1);
      bar_init(sh(&empty[s]), 8);
    }
    for (int s = 0; s < 2; ++s) {
      bar_init(sh(&q_full[s]), 1);
      bar_init(sh(&q_empty[s]), 256);  // every consumer thread: each has read the slot and q
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (group == 2) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 256) {
      int s = 0, phase = 1;
      int u = atomicAdd(counter, 1);
      for (int n = 0;; ++n) {
        const int z = n & 1;
        bar_wait(sh(&q_empty[z]), ((n >> 1) + 1) & 1);
        if (u >= 1536) {
          slot[n % SLOTS] = (unsigned short)NO_UNIT;
          bar_arrive(sh(&q_full[z]));
          break;
        }
        slot[n % SLOTS] = (unsigned short)u;
        int head, i;
        unit_of(u, head, i);
        const int plane = head % 12, row = head / 12 * 1024;
        const unsigned qb = sh(&q_full[z]), qt = q_base + z * 32768;
        bar_expect(qb, 32768);
        load_box(qt, &q_map, 0, plane * TOKENS + row + i * 128, qb);
        load_box(qt + 16384, &q_map, 0, PLANE_HALF + plane * TOKENS + row + i * 128, qb);
        u = atomicAdd(counter, 1);
        const int kr = (12 + plane) * TOKENS + row, vr = (24 + plane) * TOKENS + row;
        for (int j = 0; j < 2 * i + 2; ++j) {
          const unsigned at = base + s * BLOCK_BYTES, bar = sh(&full[s]);
          bar_wait(sh(&empty[s]), phase);
          bar_expect(bar, BLOCK_BYTES);
          load_box(at, &kv_map, 0, kr + j * 64, bar);
          load_box(at + 8192, &kv_map, 0, PLANE_HALF + kr + j * 64, bar);
          load_box(at + 16384, &kv_map, 0, vr + j * 64, bar);
          load_box(at + 24576, &kv_map, 0, PLANE_HALF + vr + j * 64, bar);
          if (++s == RING) { s = 0; phase ^= 1; }
        }
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const int lane = threadIdx.x % 32, warp = threadIdx.x % 128 / 32;
    const int lrow = warp * 16 + lane / 4, lcol = lane % 4 * 2;  // of the first element of s and o
    int s = 0, phase = 0;
    unsigned qh[16], ql[16], ph0[16], pl0[16], ph1[16], pl1[16];
    float sc[32], o[32], oc[32];
#pragma unroll
    for (int w = 0; w < 16; ++w) ph1[w] = pl1[w] = 0;
    for (int n = 0;; ++n) {
      const int z = n & 1;
      bar_wait(sh(&q_full[z]), n >> 1 & 1);
      const int u = *(volatile unsigned short*)&slot[n % SLOTS];
      if (u == (int)NO_UNIT) break;
      int head, i;
      unit_of(u, head, i);
      {
        const int r = warp * 16 + lane % 16;
        const unsigned at = q_base + z * 32768 + group * 8192 + r * 128;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          const unsigned c = (unsigned)((2 * k + lane / 16) ^ (r & 7)) * 16;
          asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                       : "=r"(qh[4 * k]), "=r"(qh[4 * k + 1]), "=r"(qh[4 * k + 2]), "=r"(qh[4 * k + 3]) : "r"(at + c) : "memory");
          asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                       : "=r"(ql[4 * k]), "=r"(ql[4 * k + 1]), "=r"(ql[4 * k + 2]), "=r"(ql[4 * k + 3]) : "r"(at + 16384 + c) : "memory");
        }
      }
      KEEP_R(qh);
      KEEP_R(ql);
      bar_arrive(sh(&q_empty[z]));

      const int blocks = 2 * i + 1 + group;  // the last of them lies on the diagonal
      int s1 = s, s0 = s;                    // stages of the block just scored, and of the one before
      bar_wait(sh(&full[s]), phase);
      wg_fence();
      scores(sc, qh, ql, base + s * BLOCK_BYTES);
      wg_commit();
      wg_wait<0>();
      KEEP_F(sc);
      weights(sc, ph0, pl0, blocks == 1, lrow, lcol);
      if (++s == RING) { s = 0; phase ^= 1; }
      int j = 0;
#define STEP(PH, PL, NH, NL)                                                  \
  if (j + 1 == blocks) {                                                      \
    wg_fence();                                                               \
    values(o, oc, PH, PL, base + s1 * BLOCK_BYTES, j);                        \
    wg_commit();                                                              \
    break;                                                                    \
  }                                                                           \
  bar_wait(sh(&full[s]), phase);                                              \
  wg_fence();                                                                 \
  scores(sc, qh, ql, base + s * BLOCK_BYTES);                                 \
  wg_commit();                                                                \
  values(o, oc, PH, PL, base + s1 * BLOCK_BYTES, j);                          \
  wg_commit();                                                                \
  wg_wait<1>(); /* the new scores, and the values of the block before */      \
  KEEP_F(sc);                                                                 \
  KEEP_R(NH);                                                                 \
  KEEP_R(NL);                                                                 \
  if (j > 0 && lane == 0) bar_arrive(sh(&empty[s0]));                         \
  weights(sc, NH, NL, j + 2 == blocks, lrow, lcol);                           \
  s0 = s1;                                                                    \
  s1 = s;                                                                     \
  if (++s == RING) { s = 0; phase ^= 1; }                                     \
  ++j;
      while (true) {
        STEP(ph0, pl0, ph1, pl1)
        STEP(ph1, pl1, ph0, pl0)
      }
      wg_wait<0>();
      KEEP_F(o);
      KEEP_F(oc);
      KEEP_R(ph0);
      KEEP_R(pl0);
      KEEP_R(ph1);
      KEEP_R(pl1);
      if (lane == 0) {
        if (blocks > 1) bar_arrive(sh(&empty[s0]));
        bar_arrive(sh(&empty[s1]));
      }
      if (group == 0) {  // the last block of keys is for the other consumer only
        bar_wait(sh(&full[s]), phase);
        if (lane == 0) bar_arrive(sh(&empty[s]));
        if (++s == RING) { s = 0; phase ^= 1; }
      }
      float* to = y + (head / 12 * 1024 + i * 128 + group * 64 + lrow) * EMB + head % 12 * 64 + lcol;
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        __stcs(reinterpret_cast<float2*>(to + 8 * c), make_float2(o[4 * c] + oc[4 * c], o[4 * c + 1] + oc[4 * c + 1]));
        __stcs(reinterpret_cast<float2*>(to + 8 * EMB + 8 * c), make_float2(o[4 * c + 2] + oc[4 * c + 2], o[4 * c + 3] + oc[4 * c + 3]));
      }
    }
  }
}
