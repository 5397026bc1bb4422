/* hone 1
[tune]
LEAD  = { values = [0, 1, 2, 3], default = 0 }                # stages by which the first consumer warpgroup starts ahead of the second
FIRST = { values = [1536, 2048, 4096, 8192], default = 2048 } # rows of x converted by the first launch
AHEAD = { values = [2, 3, 4, 6, 64], default = 4 }            # waves of tiles that the conversion of x may run ahead

[[scratch]]
name  = "xh"
dtype = "f16"
shape = [32768, 1024]

[[scratch]]
name  = "wh"
dtype = "f16"
shape = [4096, 1024]

[[scratch]]
name  = "rowinv"
dtype = "f32"
shape = [32768]

[[scratch]]
name  = "marks"
dtype = "i32"
shape = [512]

[[scratch]]
name  = "halved"
dtype = "f32"
shape = [4096]

[[tensormap]]
name    = "a_map"
tensor  = "xh"
box     = [128, 64]
swizzle = "128B"

[[tensormap]]
name    = "b_map"
tensor  = "wh"
box     = [128, 64]
swizzle = "128B"

[[tensormap]]
name    = "bt_map"
tensor  = "wh"
box     = [32, 64]
swizzle = "128B"

[[launch]]
kernel = "prepare"
grid   = ["(4096 + FIRST) / 8"]
block  = [256]
args   = ["x", "matmul_weight", "matmul_bias", "xh", "wh", "rowinv", "halved", "marks"]

[[launch]]
kernel  = "fused"
grid    = ["sm_count / 2 * 2"]
block   = [384]
cluster = [2]
shared  = "4 * 49152 + 8192 + 1024"
args    = ["a_map", "b_map", "bt_map", "x", "xh", "rowinv", "marks", "halved", "bias", "group_norm_weight", "group_norm_bias", "y"]
*/
#include <cuda.h>
#include <cuda_fp16.h>
typedef unsigned long long u64;

#define ROWS 32768
#define KDIM 1024
#define COLS 4096
#define STAGES 4
#define STAGE 49152u   // bytes: a 128 x 64, then b 256 x 64 (f16, 128-byte swizzle)
#define KSTEPS 16      // 1024 / 64
#define TILES 2048     // (32768 / 256) * (4096 / 256), a tile of 256 x 256 for each cluster of two blocks
#define CHUNK 4        // rows of x that a warp converts at a time

__device__ __forceinline__ unsigned sh(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void bar_init(unsigned bar, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory");
}
__device__ __forceinline__ void bar_expect(unsigned bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}
__device__ __forceinline__ void bar_arrive_cluster(unsigned bar) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(bar) : "memory");
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
__device__ __forceinline__ void load_run(unsigned to, const float* from, unsigned bytes, unsigned bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(to), "l"(from), "r"(bytes), "r"(bar) : "memory");
}
__device__ __forceinline__ u64 operand(unsigned at) {  // K-major, 128-byte swizzle, 1024 bytes between groups of 8 rows
  return (u64)((at & 0x3ffff) >> 4) | (u64)1 << 16 | (u64)(1024 >> 4) << 32 | 1ull << 62;
}
#define R8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
__device__ __forceinline__ void wgmma(float (&d)[128], u64 a, u64 b, int keep) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
      "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,"
      "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,"
      "%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,"
      "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,"
      "%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129, p, 1, 1, 0, 0;\n}"
      : R8(0), R8(8), R8(16), R8(24), R8(32), R8(40), R8(48), R8(56), R8(64), R8(72), R8(80), R8(88), R8(96), R8(104), R8(112), R8(120)
      : "l"(a), "l"(b), "r"(keep));
}

__device__ __forceinline__ void wgmma(float (&d)[32], u64 a, u64 b, int keep) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, p, 1, 1, 0, 0;\n}"
      : R8(0), R8(8), R8(16), R8(24)
      : "l"(a), "l"(b), "r"(keep));
}

__device__ __forceinline__ float tanh_fast(float a) {  // relative error at most 2^-11
  float r;
  asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}
__device__ __forceinline__ unsigned pack(float a, float b) {
  const __half2 h = __floats2half2_rn(a, b);
  return *reinterpret_cast<const unsigned*>(&h);
}

// One warp rounds one row of x to f16 (11 bits, to nearest), scaled by a power of two that brings its largest element to
// [2^13, 2^14); the inverse, times 2^-11 (the scale of the weights, and a half), is left in rowinv.
__device__ __forceinline__ void convert_x(const float* __restrict__ x, __half* xh, float* rowinv, int row, int lane) {
  const float4* from = reinterpret_cast<const float4*>(x + (long long)row * KDIM) + lane;
  float4 v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = __ldcs(from + 32 * k);
  float top = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    top = fmaxf(top, fmaxf(fmaxf(fabsf(v[k].x), fabsf(v[k].y)), fmaxf(fabsf(v[k].z), fabsf(v[k].w))));
#pragma unroll
  for (int o = 16; o > 0; o /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, o));
  const int e = min(227, max(27, __float_as_int(top) >> 23));
  const float s = __int_as_float((267 - e) << 23);
  uint2* to = reinterpret_cast<uint2*>(xh + (long long)row * KDIM) + lane;
#pragma unroll
  for (int k = 0; k < 8; ++k) to[32 * k] = make_uint2(pack(v[k].x * s, v[k].y * s), pack(v[k].z * s, v[k].w * s));
  if (lane == 0) rowinv[row] = __int_as_float((e - 24) << 23);
}

// Two rows at once, for the warps that convert beside the products: both are loaded first, and written only while no warp of
// the block is in its epilogue (storing: how many are), because these writes would queue with those of y.
__device__ __forceinline__ void convert_x2(const float* __restrict__ x, __half* xh, float* rowinv, int row, int lane, const volatile int* storing) {
  const float4* from = reinterpret_cast<const float4*>(x + (long long)row * KDIM) + lane;
  float4 v[2][8];
#pragma unroll
  for (int k = 0; k < 16; ++k) v[k / 8][k % 8] = __ldcs(from + 32 * k);  // a row is 256 float4
  float top[2] = {0.0f, 0.0f};
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    const float4 a = v[k / 8][k % 8];
    top[k / 8] = fmaxf(top[k / 8], fmaxf(fmaxf(fabsf(a.x), fabsf(a.y)), fmaxf(fabsf(a.z), fabsf(a.w))));
  }
#pragma unroll
  for (int o = 16; o > 0; o /= 2) {
    top[0] = fmaxf(top[0], __shfl_xor_sync(0xffffffffu, top[0], o));
    top[1] = fmaxf(top[1], __shfl_xor_sync(0xffffffffu, top[1], o));
  }
  if (lane == 0)
    while (*storing > 0) __nanosleep(100);
  __syncwarp();
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const int e = min(227, max(27, __float_as_int(top[r]) >> 23));
    const float s = __int_as_float((267 - e) << 23);
    uint2* to = reinterpret_cast<uint2*>(xh + (long long)(row + r) * KDIM) + lane;
#pragma unroll
    for (int k = 0; k < 8; ++k) to[32 * k] = make_uint2(pack(v[r][k].x * s, v[r][k].y * s), pack(v[r][k].z * s, v[r][k].w * s));
    if (lane == 0) rowinv[row + r] = __int_as_float((e - 24) << 23);
  }
}

// The weights in f16 (times 2^10), the first rows of x, and the marks of the second launch.
// Row c of the weights goes to row n of wh so that a thread's accumulators are four neighbouring columns:
// c = 16 p + 4 q + 2 e + b  ->  n = 16 p + 8 e + 2 q + b.
extern "C" __global__ void __launch_bounds__(256)
    prepare(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ mbias, __half* xh, __half* wh,
            float* rowinv, float* halved, int* marks) {
  const int lane = threadIdx.x % 32, item = blockIdx.x * 8 + threadIdx.x / 32;
  if (blockIdx.x == 0) {
    marks[threadIdx.x] = threadIdx.x * 128 < FIRST ? 128 : 0;  // rows of each block of 128 that are converted
    if (threadIdx.x == 0) marks[256] = FIRST;                   // the next row to convert
  }
  if (blockIdx.x >= 1 && blockIdx.x <= 16) {
    const int c = (blockIdx.x - 1) * 256 + threadIdx.x;
    halved[c] = 0.5f * mbias[c];
  }
  if (item < COLS) {
    const int n = (item & ~15) | ((item >> 1 & 1) * 8 + (item >> 2 & 3) * 2 + (item & 1));
    const float4* from = reinterpret_cast<const float4*>(w + (long long)item * KDIM) + lane;
    uint2* to = reinterpret_cast<uint2*>(wh + (long long)n * KDIM) + lane;
    float4 v[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = __ldcs(from + 32 * k);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      to[32 * k] = make_uint2(pack(v[k].x * 1024.0f, v[k].y * 1024.0f), pack(v[k].z * 1024.0f, v[k].w * 1024.0f));
  } else {
    convert_x(x, xh, rowinv, item - COLS, lane);
  }
}

// With h = z / 2 (from the halved scale and bias): z sigmoid(z) = h + h tanh(h). Four neighbouring columns, in place.
__device__ __forceinline__ void swish1(float& a, float s, float mb, float bs) {
  const float h = fmaf(a, s, mb);
  a = fmaf(h, tanh_fast(h), h + bs);
}
__device__ __forceinline__ void swish4(float& a0, float& a1, float& a2, float& a3, float s, const float4& mb, const float4& bs, float& sum, float& sq) {
  swish1(a0, s, mb.x, bs.x);
  swish1(a1, s, mb.y, bs.y);
  swish1(a2, s, mb.z, bs.z);
  swish1(a3, s, mb.w, bs.w);
  sum += (a0 + a1) + (a2 + a3);
  sq = fmaf(a0, a0, sq);
  sq = fmaf(a1, a1, sq);
  sq = fmaf(a2, a2, sq);
  sq = fmaf(a3, a3, sq);
}

struct Ring {
  unsigned base, full, empty, free_at;  // free_at: empty[0] of the block whose rank is this lane's number (lanes 0 and 1)
  unsigned it;                          // steps done since the start
};

template <int NT>  // a warpgroup's 64 x NT outputs
__device__ __forceinline__ void consume(Ring& ring, const float* par, const float* rowinv, float* __restrict__ y, int row, int col0,
                                        int group, bool kick, int* storing) {
  const int lane = threadIdx.x % 32;
  float d[NT / 2];
  bar_wait(ring.full + 8 * (ring.it % STAGES), ring.it / STAGES & 1);
  float s0, s1;
  asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(s0) : "l"(rowinv + row) : "memory");
  asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(s1) : "l"(rowinv + row + 8) : "memory");
#pragma unroll 1
  for (int i = 0; i < KSTEPS; ++i) {
    const unsigned s = ring.it % STAGES, at = ring.base + s * STAGE;
    bar_wait(ring.full + 8 * s, ring.it / STAGES & 1);
    const u64 a = operand(at + group * 8192), b = operand(at + 16384);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int kk = 0; kk < 4; ++kk) wgmma(d, a + 2 * kk, b + 2 * kk, i + kk);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    if (i > 0 && lane < 2) bar_arrive_cluster(ring.free_at + 8 * ((ring.it - 1) % STAGES));
    if (kick && i == LEAD) asm volatile("bar.arrive 1, 256;" ::: "memory");
    ++ring.it;
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
  for (int i = 0; i < NT / 2; ++i) asm volatile("" : "+f"(d[i])::"memory");
  if (lane < 2) bar_arrive_cluster(ring.free_at + 8 * ((ring.it - 1) % STAGES));

  if (lane == 0) atomicAdd(storing, 1);
  // d[8 p + 4 e + 2 h + b]: row + 8 h, column 16 p + 4 q + 2 e + b (the rows of wh are permuted that way)
  const int q = lane % 4;
  const float4* par4 = reinterpret_cast<const float4*>(par) + q;  // matmul_bias, bias, weight, bias: 64 float4 each
  float* y0 = y + (long long)row * COLS + col0 + 4 * q;
  float* y1 = y0 + 8 * COLS;
  float sum[NT / 64][2], sq[NT / 64][2];
#pragma unroll
  for (int g = 0; g <= NT / 64; ++g) {
    if (g < NT / 64) {  // swish of group g
      sum[g][0] = sum[g][1] = sq[g][0] = sq[g][1] = 0.0f;
#pragma unroll
      for (int p = 4 * g; p < 4 * g + 4; ++p) {
        const float4 mb = par4[4 * p], bs = par4[64 + 4 * p];
        swish4(d[8 * p], d[8 * p + 1], d[8 * p + 4], d[8 * p + 5], s0, mb, bs, sum[g][0], sq[g][0]);
        swish4(d[8 * p + 2], d[8 * p + 3], d[8 * p + 6], d[8 * p + 7], s1, mb, bs, sum[g][1], sq[g][1]);
      }
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        sum[g][h] += __shfl_xor_sync(0xffffffffu, sum[g][h], 1);
        sq[g][h] += __shfl_xor_sync(0xffffffffu, sq[g][h], 1);
        sum[g][h] += __shfl_xor_sync(0xffffffffu, sum[g][h], 2);
        sq[g][h] += __shfl_xor_sync(0xffffffffu, sq[g][h], 2);
      }
    }
    if (g > 0) {  // normalize and store group g - 1
      float rs[2], sf[2];
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const float mean = sum[g - 1][h] * (1.0f / 64.0f);
        const float var = fmaxf(fmaf(-mean, mean, sq[g - 1][h] * (1.0f / 64.0f)), 0.0f);
        rs[h] = rsqrtf(var + 1e-5f);
        sf[h] = -mean * rs[h];
      }
#pragma unroll
      for (int p = 4 * g - 4; p < 4 * g; ++p) {
        const float4 ga = par4[128 + 4 * p], be = par4[192 + 4 * p];
        float4 o;
        o.x = fmaf(fmaf(d[8 * p], rs[0], sf[0]), ga.x, be.x);
        o.y = fmaf(fmaf(d[8 * p + 1], rs[0], sf[0]), ga.y, be.y);
        o.z = fmaf(fmaf(d[8 * p + 4], rs[0], sf[0]), ga.z, be.z);
        o.w = fmaf(fmaf(d[8 * p + 5], rs[0], sf[0]), ga.w, be.w);
        __stcs(reinterpret_cast<float4*>(y0 + 16 * p), o);
        o.x = fmaf(fmaf(d[8 * p + 2], rs[1], sf[1]), ga.x, be.x);
        o.y = fmaf(fmaf(d[8 * p + 3], rs[1], sf[1]), ga.y, be.y);
        o.z = fmaf(fmaf(d[8 * p + 6], rs[1], sf[1]), ga.z, be.z);
        o.w = fmaf(fmaf(d[8 * p + 7], rs[1], sf[1]), ga.w, be.w);
        __stcs(reinterpret_cast<float4*>(y1 + 16 * p), o);
      }
    }
  }
  if (lane == 0) atomicSub(storing, 1);
}

extern "C" __global__ void __launch_bounds__(384, 1)
    fused(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map, const __grid_constant__ CUtensorMap bt_map,
          const float* __restrict__ x, __half* xh, float* rowinv, int* marks, const float* __restrict__ halved,
          const float* __restrict__ bias, const float* __restrict__ gamma, const float* __restrict__ beta, float* __restrict__ y) {
  extern __shared__ char raw[];
  __shared__ u64 full[STAGES], empty[STAGES];
  __shared__ volatile int wave;
  __shared__ int storing;  // consumer warps in their epilogue
  const unsigned base = (sh(raw) + 1023) & ~1023u;
  const float* params = reinterpret_cast<const float*>(raw + (base - sh(raw)) + STAGES * STAGE);  // two of 4 x 256
  const int group = threadIdx.x / 128, lane = threadIdx.x % 32;
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  const int clusters = gridDim.x / 2, cid = blockIdx.x / 2;
  const int rounds = TILES / clusters, whole = rounds * clusters, units = (TILES - whole) * 4;
  if (threadIdx.x == 0) {
    wave = 0;
    storing = 0;
    for (int s = 0; s < STAGES; ++s) {
      bar_init(sh(&full[s]), 1);
      bar_init(sh(&empty[s]), 16);  // eight consumer warps of each of the two blocks
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");

  if (group == 2) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 104;");
    if (threadIdx.x < 288) {
      if (threadIdx.x == 256) {  // producer
        unsigned it = 0, tile = 0;
        for (int r = 0, u = cid;; ++r, ++tile) {
          int t, sub = 0;
          const bool tail = r >= rounds;
          if (!tail) {
            t = cid + r * clusters;
          } else {
            if (u >= units) break;
            t = whole + u / 4;
            sub = u % 4;
            u += clusters;
          }
          const int m0 = t / 16 * 256 + (int)rank * 128, n0 = t % 16 * 256 + sub * 64;
          wave = r;
          for (;;) {
            int ready;
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(ready) : "l"(marks + m0 / 128) : "memory");
            if (ready == 128) break;
            __nanosleep(100);
          }
          asm volatile("fence.proxy.async;" ::: "memory");
          for (int i = 0; i < KSTEPS; ++i, ++it) {
            const unsigned s = it % STAGES, at = base + s * STAGE, bar = sh(&full[s]);
            bar_wait(sh(&empty[s]), (it / STAGES + 1) & 1);
            const unsigned extra = i == 0 ? (tail ? 1024u : 4096u) : 0u;
            bar_expect(bar, (tail ? 16384u + 8192u : STAGE) + extra);
            load_box(at, &a_map, i * 64, m0, bar);
            if (!tail)
              load_box_both(at + 16384 + rank * 16384, &b_map, i * 64, n0 + (int)rank * 128, bar);
            else
              load_box_both(at + 16384 + rank * 4096, &bt_map, i * 64, n0 + (int)rank * 32, bar);
            if (i == 0) {
              const unsigned to = base + STAGES * STAGE + (tile & 1) * 4096, bytes = tail ? 256u : 1024u;
              load_run(to, halved + n0, bytes, bar);
              load_run(to + 1024, bias + n0, bytes, bar);
              load_run(to + 2048, gamma + n0, bytes, bar);
              load_run(to + 3072, beta + n0, bytes, bar);
            }
          }
        }
        wave = 1 << 20;
      }
      __syncwarp();
    } else {  // three warps convert rows of x ahead of their use, whichever block has time
      for (;;) {
        int row = 0;
        if (lane == 0) row = atomicAdd(marks + 256, CHUNK);
        row = __shfl_sync(0xffffffffu, row, 0);
        if (row >= ROWS) break;
        if (lane == 0)
          while (row / 256 > (long long)(wave + 1 + AHEAD) * clusters / 16) __nanosleep(1000);
        __syncwarp();
#pragma unroll 1
        for (int k = 0; k < CHUNK; k += 2) convert_x2(x, xh, rowinv, row + k, lane, &storing);
        __threadfence();
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncwarp();
        if (lane == 0) asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(marks + row / 128), "r"(CHUNK) : "memory");
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 200;");
    Ring ring;
    ring.base = base;
    ring.full = sh(&full[0]);
    ring.empty = sh(&empty[0]);
    ring.it = 0;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(ring.free_at) : "r"(ring.empty), "r"(lane & 1));
    const int in_tile = (int)rank * 128 + group * 64 + threadIdx.x % 128 / 32 * 16 + lane / 4;
    if (LEAD > 0 && group == 1) asm volatile("bar.sync 1, 256;" ::: "memory");
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
      const int t = cid + r * clusters;
      consume<256>(ring, params + (r & 1) * 1024, rowinv, y, t / 16 * 256 + in_tile, t % 16 * 256, group,
                   LEAD > 0 && group == 0 && r == 0, &storing);
    }
    int r = rounds;
#pragma unroll 1
    for (int u = cid; u < units; u += clusters, ++r) {
      const int t = whole + u / 4;
      consume<64>(ring, params + (r & 1) * 1024, rowinv, y, t / 16 * 256 + in_tile, t % 16 * 256 + u % 4 * 64, group, false, &storing);
    }
  }
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
