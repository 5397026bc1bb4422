/* hone 1
[tune]
CL  = { values = [1, 2, 4], default = 2 }   # blocks of a cluster that share the weights by multicast
AST = { values = [3, 4, 5], default = 4 }   # stages of keys and values in the attention

[[scratch]]
name  = "wh"
dtype = "f16"
shape = [2304, 768]

[[scratch]]
name  = "xh"
dtype = "f16"
shape = [16384, 768]

[[scratch]]
name  = "qkv"
dtype = "f16"
shape = [589824, 64]

[[tensormap]]
name    = "xh_map"
tensor  = "xh"
box     = [128, 64]
swizzle = "128B"

[[tensormap]]
name    = "wh_map"
tensor  = "wh"
box     = [64, 64]
swizzle = "128B"

[[tensormap]]
name    = "out_map"
tensor  = "qkv"
box     = [16, 64]
swizzle = "128B"

[[tensormap]]
name    = "in_map"
tensor  = "qkv"
box     = [128, 64]
swizzle = "128B"

[[launch]]
kernel = "weights_to_half"
grid   = [864]
block  = [256]
args   = ["c_attn_weight", "wh", "x"]

[[launch]]
kernel  = "qkv_product"
grid    = [128]
block   = [384]
cluster = ["CL"]
shared  = "4 * 49152 + 32768 + 1024"
args    = ["xh_map", "wh_map", "out_map", "x", "xh", "c_attn_bias"]

[[launch]]
kernel = "relu_attention"
grid   = ["min(sm_count, 384)"]
block  = [384]
shared = "2 * 32768 + AST * 32768 + 1024"
args   = ["in_map", "y"]
*/
// qkv is stored as [3][16 batches][12 heads][1024 tokens][64], halves; q times 1/16, k times 1/8 (so that the scores
// come out as the reference's / 16, safe in half precision), v as it is; the output is multiplied by 16.
#include <cuda.h>
#include <cuda_fp16.h>
typedef unsigned long long u64;

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
__device__ __forceinline__ void bar_arrive_at(unsigned bar, unsigned rank) {  // the same barrier in block `rank` of the cluster
  asm volatile("{\n.reg .b32 a;\nmapa.shared::cluster.u32 a, %0, %1;\nmbarrier.arrive.shared::cluster.b64 _, [a];\n}" ::"r"(bar), "r"(rank) : "memory");
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
__device__ __forceinline__ void load_box_all(unsigned to, const CUtensorMap* map, int col, int row, unsigned bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
               ::"r"(to), "l"(map), "r"(col), "r"(row), "r"(bar), "h"((unsigned short)((1 << CL) - 1)) : "memory");
}
__device__ __forceinline__ void store_box(const CUtensorMap* map, int col, int row, unsigned from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];\ncp.async.bulk.commit_group;"
               ::"l"(map), "r"(col), "r"(row), "r"(from) : "memory");
}
__device__ __forceinline__ void named_sync(int id) { asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory"); }
__device__ __forceinline__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}
__device__ __forceinline__ void wg_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wg_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N>
__device__ __forceinline__ void wg_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }
template <int N>
__device__ __forceinline__ void pin(float (&d)[N]) {  // nothing that reads d moves above this
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("" : "+f"(d[i])::"memory");
}
// Operand in shared memory, 128-byte swizzle, 1024 bytes between groups of eight rows.
__device__ __forceinline__ u64 operand(unsigned at) {
  return (u64)((at & 0x3ffff) >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}
__device__ __forceinline__ unsigned pack(float lo, float hi) {
  unsigned r;
  asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(hi), "f"(lo));
  return r;
}
__device__ __forceinline__ unsigned pack_relu(float lo, float hi) {
  unsigned r;
  asm volatile("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(hi), "f"(lo));
  return r;
}
#define R8(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
__device__ __forceinline__ void mma_n256(float (&d)[128], u64 a, u64 b, int acc) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%3"
      "2,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%6"
      "2,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%9"
      "2,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,"
      "%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
      "}, %128, %129, p, 1, 1, 0, 0;\n}"
      : R8(d,0), R8(d,8), R8(d,16), R8(d,24), R8(d,32), R8(d,40), R8(d,48), R8(d,56), R8(d,64), R8(d,72), R8(d,80), R8(d,88), R8(d,96), R8(d,104), R8(d,112), R8(d,120) : "l"(a), "l"(b), "r"(acc));
}

template <int ACC>
__device__ __forceinline__ void mma_n128(float (&d)[64], u64 a, u64 b) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%3"
      "2,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%6"
      "2,%63"
      "}, %64, %65, p, 1, 1, 0, 0;\n}"
      : R8(d,0), R8(d,8), R8(d,16), R8(d,24), R8(d,32), R8(d,40), R8(d,48), R8(d,56) : "l"(a), "l"(b), "n"(ACC));
}

template <int ACC>
__device__ __forceinline__ void mma_n64(float (&d)[64], u64 a, u64 b) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
      "}, %32, %33, p, 1, 1, 0, 0;\n}"
      : R8(d,0), R8(d,8), R8(d,16), R8(d,24) : "l"(a), "l"(b), "n"(ACC));
}

__device__ __forceinline__ void mma_pv(float (&d)[32], unsigned a0, unsigned a1, unsigned a2, unsigned a3, u64 b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
      "}, {%32,%33,%34,%35}, %36, 1, 1, 1, 1;"
      : R8(d,0), R8(d,8), R8(d,16), R8(d,24) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b));
}

__device__ __forceinline__ float4 load_x(const float* p) {
  float4 v;
  asm volatile("ld.global.L1::no_allocate.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p) : "memory");
  return v;
}
__device__ __forceinline__ void prefetch_half_row(const float* p) {  // 384 floats to L2; nobody waits for them
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], 1536;" ::"l"(p) : "memory");
}

// Beside the conversion of w the first six steps of x (the left half of each row) are asked for, to lie in L2 for the product.
extern "C" __global__ void __launch_bounds__(256) weights_to_half(const float* __restrict__ w, __half* __restrict__ wh, const float* __restrict__ x) {
  const int i = blockIdx.x * 512 + threadIdx.x;  // 864 * 512 float4 = 2304 * 768 floats
  const float4 a = load_x(w + 4 * i), b = load_x(w + 4 * i + 1024);
  const int row = blockIdx.x * 19 + threadIdx.x;  // 864 * 19 >= 16384
  if (threadIdx.x < 19 && row < 16384) prefetch_half_row(x + row * 768);
  reinterpret_cast<uint2*>(wh)[i] = make_uint2(pack(a.x, a.y), pack(a.z, a.w));
  reinterpret_cast<uint2*>(wh)[i + 256] = make_uint2(pack(b.x, b.y), pack(b.z, b.w));
}

#define STAGE 49152u  // x: 128 x 64 halves; w: 256 x 64 halves
#define STEPS 12      // 768 / 64
#define TILES 9       // 2304 / 256

__device__ __forceinline__ void load_w(unsigned base, const CUtensorMap* map, int it, unsigned rank, unsigned bar) {
  const int n0 = it / STEPS * 256, k0 = it % STEPS * 64;
#pragma unroll
  for (int j = 0; j < 4 / CL; ++j) {
    const int piece = (int)rank * (4 / CL) + j;
    load_box_all(base + (it & 3) * STAGE + 16384 + piece * 8192, map, k0, n0 + piece * 64, bar);
  }
}

// The value of lane first + lane % 4, first a multiple of 4 and a constant: the segment mask 3 keeps the two low bits of the lane,
// so that no register holds an index.
__device__ __forceinline__ float from_quad(float v, int first) {
  float r;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x31f, 0xffffffff;" : "=f"(r) : "f"(v), "r"(first));
  return r;
}

// A block: 128 rows of x times all of w^T. In the first of nine tiles of 256 columns the producers convert x to halves,
// into shared memory and into xh; the other eight take it from there by bulk copies.
extern "C" __global__ void __launch_bounds__(384, 1)
    qkv_product(const __grid_constant__ CUtensorMap xh_map, const __grid_constant__ CUtensorMap wh_map,
                const __grid_constant__ CUtensorMap out_map, const float* __restrict__ x, __half* xh, const float* __restrict__ bias) {
  extern __shared__ char raw[];
  __shared__ u64 full[4], empty[4];
  const unsigned base = (sh(raw) + 1023) & ~1023u;
  const unsigned full0 = sh(full), empty0 = sh(empty);
  const int group = __shfl_sync(0xffffffffu, (int)threadIdx.x / 128, 0), m0 = blockIdx.x * 128;
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    for (int s = 0; s < 4; ++s) {
      bar_init(full0 + 8 * s, 1);
      bar_init(empty0 + 8 * s, 8 * CL);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  cluster_sync();
  if (group == 2) {
    const int p = threadIdx.x - 256, pr = p >> 4, pc = p & 15;
    // Unit u = 2 * step + half: rows half * 64 + q * 8 + pr, columns step * 64 + pc * 4 .. + 3.
    const float* src = x + (long long)(m0 + pr) * 768 + pc * 4;
    __half* dst = xh + (long long)(m0 + pr) * 768 + pc * 4;
    const unsigned put = base + pr * 128 + (((pc >> 1) ^ pr) << 4) + (pc & 1) * 8;
    float4 r[3][8];
#pragma unroll
    for (int u = 0; u < 3; ++u)
#pragma unroll
      for (int q = 0; q < 8; ++q) r[u][q] = load_x(src + ((u & 1) * 64 + q * 8) * 768 + (u >> 1) * 64);
    if (p == 0) load_w(base, &wh_map, 0, rank, full0);
    prefetch_half_row(x + (m0 + p) * 768 + 384);  // the right half of each row; the left one was asked for by weights_to_half
#pragma unroll 1
    for (int g = 0; g < STEPS / 3; ++g)
#pragma unroll
      for (int ss = 0; ss < 3; ++ss) {
        const int i = g * 3 + ss, s = i & 3;
        if (p == 0 && i + 1 < STEPS) {
          const int n = i + 1;
          bar_wait(empty0 + 8 * (n & 3), ((n >> 2) + 1) & 1);
          load_w(base, &wh_map, n, rank, full0 + 8 * (n & 3));
        }
        __syncwarp();
        bar_wait(empty0 + 8 * s, ((i >> 2) + 1) & 1);
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const int b = (2 * ss + h) % 3, u = 2 * i + h + 3;
          const unsigned to = put + s * STAGE + h * 8192;
          __half* out = dst + h * 64 * 768 + i * 64;
#pragma unroll
          for (int q = 0; q < 8; ++q) {
            const unsigned lo = pack(r[b][q].x, r[b][q].y), hi = pack(r[b][q].z, r[b][q].w);
            asm volatile("st.shared.v2.b32 [%0], {%1, %2};" ::"r"(to + q * 1024), "r"(lo), "r"(hi) : "memory");
            asm volatile("st.global.v2.b32 [%0], {%1, %2};" ::"l"(out + q * 8 * 768), "r"(lo), "r"(hi) : "memory");
          }
          if (u < 2 * STEPS) {
            const float* from = src + (u & 1) * 64 * 768 + (u >> 1) * 64;
#pragma unroll
            for (int q = 0; q < 8; ++q) r[b][q] = load_x(from + q * 8 * 768);
          }
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        named_sync(1);
        if (p == 0) bar_expect(full0 + 8 * s, 32768);
        __syncwarp();
      }
    __threadfence();
    asm volatile("fence.proxy.async;" ::: "memory");
    named_sync(1);
    if (p == 0) {
      asm volatile("fence.proxy.async;" ::: "memory");
#pragma unroll 1
      for (int it = STEPS; it < TILES * STEPS; ++it) {
        const int s = it & 3;
        const unsigned bar = full0 + 8 * s;
        bar_wait(empty0 + 8 * s, ((it >> 2) + 1) & 1);
        bar_expect(bar, STAGE);
        load_box(base + s * STAGE, &xh_map, it % STEPS * 64, m0, bar);
        load_w(base, &wh_map, it, rank, bar);
      }
    }
    __syncwarp();
  } else {
    const int t = threadIdx.x & 127, lane = t & 31, warp = t >> 5;
    const unsigned stage_out = base + 4 * STAGE + (group * 4 + warp) * 4096;  // a warp's own: two buffers of 16 rows
    const unsigned st_row = (unsigned)((lane >> 3 & 1) * 8 + (lane & 7)) * 128;
    const int row0 = (m0 >> 10) * 12 * 1024 + (m0 & 1023) + group * 64 + warp * 16;
    float d[128];
#pragma unroll
    for (int i = 0; i < 128; ++i) d[i] = 0.0f;
    float2 bias2[4];  // lane l: columns 2 l and 2 l + 1 of each of the tile's four heads, times the scale
#pragma unroll
    for (int c = 0; c < 4; ++c) bias2[c] = make_float2(0.0f, 0.0f);
    int it = 0;
#pragma unroll 1
    for (int tile = 0; tile < TILES; ++tile) {
      const int which = tile / 3;
      const float scale = which == 0 ? 0.0625f : which == 1 ? 0.125f : 1.0f;
#pragma unroll 1
      for (int k = 0; k < STEPS; ++k, ++it) {
        const int s = it & 3;
        bar_wait(full0 + 8 * s, it >> 2 & 1);
        const u64 a = operand(base + s * STAGE + group * 8192), b = operand(base + s * STAGE + 16384);
        wg_fence();
        mma_n256(d, a, b, k);
        mma_n256(d, a + 2, b + 2, 1);
        mma_n256(d, a + 4, b + 4, 1);
        mma_n256(d, a + 6, b + 6, 1);
        wg_commit();
        if (k == 6) {  // the tile's biases, into registers of the warp, while products are under way
          const float* from = bias + tile * 256 + 2 * lane;
#pragma unroll
          for (int c = 0; c < 4; ++c)
            asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2];" : "=f"(bias2[c].x), "=f"(bias2[c].y) : "l"(from + c * 64));
#pragma unroll
          for (int c = 0; c < 4; ++c) bias2[c].x *= scale, bias2[c].y *= scale;
        }
        wg_wait<1>();
        if (k > 0 && lane < CL) bar_arrive_at(empty0 + 8 * ((it - 1) & 3), lane);
      }
      wg_wait<0>();
      if (lane < CL) bar_arrive_at(empty0 + 8 * ((it - 1) & 3), lane);
      pin(d);
#pragma unroll
      for (int c = 0; c < 4; ++c) {  // a head each; no warp waits for another
        const unsigned buf = stage_out + (c & 1) * 2048;
        float b[4], nb[4];  // of columns 16 jj + 2 (lane % 4) and the next, then 8 further; fetched one round ahead
#pragma unroll
        for (int h = 0; h < 2; ++h) b[2 * h] = from_quad(bias2[c].x, h * 4), b[2 * h + 1] = from_quad(bias2[c].y, h * 4);
        if (lane == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");  // the store before the last has left its buffer
        __syncwarp();
#pragma unroll
        for (int jj = 0; jj < 4; ++jj) {
          if (jj < 3) {
#pragma unroll
            for (int h = 0; h < 2; ++h) nb[2 * h] = from_quad(bias2[c].x, jj * 8 + 8 + h * 4), nb[2 * h + 1] = from_quad(bias2[c].y, jj * 8 + 8 + h * 4);
          }
          unsigned r[4];
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            const int j = c * 8 + jj * 2 + h;
            r[2 * h] = pack(fmaf(d[4 * j], scale, b[2 * h]), fmaf(d[4 * j + 1], scale, b[2 * h + 1]));
            r[2 * h + 1] = pack(fmaf(d[4 * j + 2], scale, b[2 * h]), fmaf(d[4 * j + 3], scale, b[2 * h + 1]));
          }
          const unsigned at = buf + st_row + (((2 * jj + (lane >> 4)) ^ (lane & 7)) << 4);
          asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
          if (jj < 3) {
#pragma unroll
            for (int h = 0; h < 4; ++h) b[h] = nb[h];
          }
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncwarp();
        if (lane == 0) store_box(&out_map, 0, which * 196608 + (tile % 3 * 4 + c) * 1024 + row0, buf);
        __syncwarp();
      }
    }
    if (lane == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    __syncwarp();
  }
  cluster_sync();
}

// ---------------------------------------------------------------- attention
// A block: 256 queries of one head in four slices of 64: warpgroup 0 has slices 0 and 3, warpgroup 1 has 1 and 2.
template <bool HALF>
__device__ __forceinline__ void qk(float (&s)[64], unsigned q, unsigned k) {
  const u64 a = operand(q), b = operand(k);
  if (HALF) {
    mma_n64<0>(s, a, b);
    mma_n64<1>(s, a + 2, b + 2);
    mma_n64<1>(s, a + 4, b + 4);
    mma_n64<1>(s, a + 6, b + 6);
  } else {
    mma_n128<0>(s, a, b);
    mma_n128<1>(s, a + 2, b + 2);
    mma_n128<1>(s, a + 4, b + 4);
    mma_n128<1>(s, a + 6, b + 6);
  }
}
template <bool HALF>
__device__ __forceinline__ void pv(float (&o)[32], const unsigned (&p)[32], unsigned v) {
  const u64 b = operand(v);
#pragma unroll
  for (int c = 0; c < (HALF ? 4 : 8); ++c) mma_pv(o, p[4 * c], p[4 * c + 1], p[4 * c + 2], p[4 * c + 3], b + 128 * c);
}
__device__ __forceinline__ void rectify(unsigned (&p)[32], float (&s)[64]) {
#pragma unroll
  for (int i = 0; i < 32; ++i) p[i] = pack_relu(s[2 * i], s[2 * i + 1]);
}
template <int OFF>  // keys beyond row + OFF do not count; with OFF = 0 only the first 64 keys are there
__device__ __forceinline__ void rectify_masked(unsigned (&p)[32], float (&s)[64], int room) {  // room = row - 2 * (lane % 4)
#pragma unroll
  for (int i = 0; i < (OFF ? 32 : 16); ++i) {
    const int c = 8 * (i >> 1) - 8 * (i & 1) - OFF;
    float a = s[2 * i], b = s[2 * i + 1];
    if (OFF == 0 || i >= 16) {
      a = c <= room ? a : 0.0f;
      b = c + 1 <= room ? b : 0.0f;
    }
    p[i] = pack_relu(a, b);
  }
}
__device__ __forceinline__ void put_out(float* y, const float (&o)[32]) {
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    float* to = y + (i & 1) * 8 * 768 + (i >> 1) * 8;
    __stcs(reinterpret_cast<float2*>(to), make_float2(o[2 * i] * 16.0f, o[2 * i + 1] * 16.0f));
  }
}
template <int W>
__device__ __forceinline__ void attend(float* y, unsigned qs, unsigned kv, unsigned full0, unsigned empty0, unsigned qfull0, unsigned qempty0) {
  const int t = threadIdx.x & 127, lane = t & 31, warp = t >> 5, row = warp * 16 + (lane >> 2), room = row - 2 * (lane & 3);
  constexpr int SA = W == 0 ? 0 : 1, SB = W == 0 ? 3 : 2;
  constexpr bool HA = W == 0, HB = W == 1;
  float s[64], oa[32], ob[32];
  unsigned p[32];
#pragma unroll
  for (int i = 0; i < 64; ++i) s[i] = 0.0f;
#pragma unroll
  for (int i = 0; i < 32; ++i) p[i] = 0;
  int st = 0, qn = 0;
  unsigned ph = 0;
#pragma unroll 1
  for (int item = blockIdx.x; item < 384; item += gridDim.x) {
    const int bh = item >> 1, b = bh / 12, h = bh % 12;
#pragma unroll 1
    for (int e = 0; e < 2; ++e, ++qn) {
      const int tile = (item & 1) ? (e ? 1 : 2) : (e ? 0 : 3);
      const unsigned q = qs + (qn & 1) * 32768;
#pragma unroll
      for (int i = 0; i < 32; ++i) oa[i] = ob[i] = 0.0f;
      bar_wait(qfull0 + 8 * (qn & 1), qn >> 1 & 1);
      bar_wait(full0 + 8 * st, ph);
      unsigned cur = kv + st * 32768;
      wg_fence();
      qk<false>(s, q + SB * 8192, cur);
      wg_commit();
      wg_wait<0>();
      pin(s);
      rectify(p, s);
#pragma unroll 1
      for (int j = 0; j < 2 * tile; ++j) {
        wg_fence();
        qk<false>(s, q + SA * 8192, cur);
        pv<false>(ob, p, cur + 16384);
        wg_commit();
        wg_wait<0>();
        pin(s);
        rectify(p, s);
        const int old = st;
        if (++st == AST) st = 0, ph ^= 1;
        const unsigned next = kv + st * 32768;
        bar_wait(full0 + 8 * st, ph);
        wg_fence();
        qk<false>(s, q + SB * 8192, next);
        pv<false>(oa, p, cur + 16384);
        wg_commit();
        wg_wait<0>();
        if (lane == 0) bar_arrive(empty0 + 8 * old);
        pin(s);
        rectify(p, s);
        cur = next;
      }
      wg_fence();
      qk<HA>(s, q + SA * 8192, cur);
      pv<false>(ob, p, cur + 16384);
      wg_commit();
      wg_wait<0>();
      pin(s);
      rectify_masked<HA ? 0 : 64>(p, s, room);
      const int old = st;
      if (++st == AST) st = 0, ph ^= 1;
      const unsigned next = kv + st * 32768;
      bar_wait(full0 + 8 * st, ph);
      wg_fence();
      qk<HB>(s, q + SB * 8192, next);
      pv<HA>(oa, p, cur + 16384);
      wg_commit();
      wg_wait<0>();
      if (lane == 0) {
        bar_arrive(empty0 + 8 * old);
        bar_arrive(qempty0 + 8 * (qn & 1));
      }
      pin(s);
      pin(oa);
      rectify_masked<HB ? 0 : 64>(p, s, room);
      wg_fence();
      pv<HB>(ob, p, next + 16384);
      wg_commit();
      float* out = y + (long long)(b * 1024 + tile * 256 + row) * 768 + h * 64 + 2 * (lane & 3);
      put_out(out + SA * 64 * 768, oa);
      wg_wait<0>();
      if (lane == 0) bar_arrive(empty0 + 8 * st);
      pin(ob);
      put_out(out + SB * 64 * 768, ob);
      if (++st == AST) st = 0, ph ^= 1;
    }
  }
}

extern "C" __global__ void __launch_bounds__(384, 1) relu_attention(const __grid_constant__ CUtensorMap in_map, float* y) {
  extern __shared__ char raw[];
  __shared__ u64 full[AST], empty[AST], qfull[2], qempty[2];
  const unsigned qs = (sh(raw) + 1023) & ~1023u, kv = qs + 65536;
  const unsigned full0 = sh(full), empty0 = sh(empty), qfull0 = sh(qfull), qempty0 = sh(qempty);
  const int group = __shfl_sync(0xffffffffu, (int)threadIdx.x / 128, 0);
  if (threadIdx.x == 0) {
    for (int s = 0; s < AST; ++s) {
      bar_init(full0 + 8 * s, 1);
      bar_init(empty0 + 8 * s, 8);
    }
    for (int s = 0; s < 2; ++s) {
      bar_init(qfull0 + 8 * s, 1);
      bar_init(qempty0 + 8 * s, 8);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (group == 2) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 256) {
      int st = 0, qn = 0;
      unsigned ph = 1;
#pragma unroll 1
      for (int item = blockIdx.x; item < 384; item += gridDim.x) {
        const int r0 = (item >> 1) * 1024;
#pragma unroll 1
        for (int e = 0; e < 2; ++e, ++qn) {
          const int tile = (item & 1) ? (e ? 1 : 2) : (e ? 0 : 3);
          const unsigned q = qs + (qn & 1) * 32768, qbar = qfull0 + 8 * (qn & 1);
          bar_wait(qempty0 + 8 * (qn & 1), ((qn >> 1) + 1) & 1);
          bar_expect(qbar, 32768);
          load_box(q, &in_map, 0, r0 + tile * 256, qbar);
          load_box(q + 16384, &in_map, 0, r0 + tile * 256 + 128, qbar);
#pragma unroll 1
          for (int j = 0; j < 2 * tile + 2; ++j) {
            const unsigned at = kv + st * 32768, bar = full0 + 8 * st;
            bar_wait(empty0 + 8 * st, ph);
            bar_expect(bar, 32768);
            load_box(at, &in_map, 0, 196608 + r0 + j * 128, bar);
            load_box(at + 16384, &in_map, 0, 2 * 196608 + r0 + j * 128, bar);
            if (++st == AST) st = 0, ph ^= 1;
          }
        }
      }
    }
  } else if (group == 0) {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    attend<0>(y, qs, kv, full0, empty0, qfull0, qempty0);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    attend<1>(y, qs, kv, full0, empty0, qfull0, qempty0);
  }
}
