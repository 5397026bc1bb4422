/* hone 1
[tune]
PREP    = { values = [1024, 2048, 4096, 16384], default = 2048 }   # rows of x converted before the product starts
STAGGER = { values = [0, 1, 2], default = 1 }                      # steps the second warpgroup starts behind the first

[[scratch]]
name  = "xh"
dtype = "f16"
shape = [16384, 768]

[[scratch]]
name  = "wh"
dtype = "f16"
shape = [2304, 768]

[[scratch]]
name  = "qkv"
dtype = "f16"
shape = [16384, 2304]

[[scratch]]
name  = "flags"
dtype = "i32"
shape = [256]

[[tensormap]]
name    = "x_map"
tensor  = "xh"
box     = [128, 64]
swizzle = "128B"
l2      = "128B"

[[tensormap]]
name    = "w_map"
tensor  = "wh"
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
kernel = "prepare"
grid   = ["432 + PREP * 192 / 1024"]
block  = [256]
args   = ["x", "c_attn_weight", "xh", "wh", "flags"]

[[launch]]
kernel  = "relu_attention"
grid    = ["sm_count / 2 * 2"]
block   = [384]
cluster = [2]
shared  = "4 * 49152 + 16384 + 9216 + 1024"
args    = ["x_map", "w_map", "kv_map", "x", "c_attn_bias", "xh", "qkv", "flags", "y"]
*/
#include <cuda.h>
#include <cuda_fp16.h>
typedef unsigned long long u64;

#define ROWS 16384
#define STAGES 4
#define STAGE 49152u   // x 128 x 64, then w 256 x 64, f16
#define KSTEPS 12      // 768 / 64
#define TILES 576      // 64 row pairs x 9 column tiles of 256
#define TASKS 768      // attention: 192 (batch, head) x 4 tiles of 256 queries
#define KVS 8          // stages of 64 keys and values, 16 KB each; with two times 32 KB of queries they fill the product's ring
#define CHUNK_AT 128   // flags: [0, 128) converted pieces of 128 rows of x; then the next piece, the next task, and
#define TASK_AT 129    // warps that have written their part of a batch's q, k, v
#define DONE_AT 130
#define DONE_ALL 576   // 36 tiles x 2 blocks x 8 warps
#define CHUNKS ((ROWS - PREP) / 4)

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
__device__ __forceinline__ u64 operand(unsigned at) {  // 128-byte swizzle, groups of 8 rows 1024 bytes apart
  return (u64)((at & 0x3ffff) >> 4) | (u64)1 << 16 | (u64)64 << 32 | 1ull << 62;
}
__device__ __forceinline__ void wg_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wg_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N>
__device__ __forceinline__ void wg_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }

#define R8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
__device__ __forceinline__ void wgmma_n256(float (&d)[128], u64 a, u64 b, int add) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,"
      "%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,"
      "%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,"
      "%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,"
      "%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,"
      "%126,%127"
      "}, %128, %129, p, 1, 1, 0, 0;\n}"
      : R8(0), R8(8), R8(16), R8(24), R8(32), R8(40), R8(48), R8(56), R8(64), R8(72), R8(80), R8(88), R8(96), R8(104), R8(112), R8(120)
      : "l"(a), "l"(b), "r"(add));
}
__device__ __forceinline__ void wgmma_s64(float (&d)[32], const unsigned (&a)[4], u64 b, int add) {  // a from registers, b K-major
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %37, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,"
      "%28,%29,%30,%31"
      "}, {%32,%33,%34,%35}, %36, p, 1, 1, 0;\n}"
      : R8(0), R8(8), R8(16), R8(24)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}
__device__ __forceinline__ void wgmma_n64(float (&d)[32], const unsigned (&a)[4], u64 b, int add) {  // a from registers, b N-major
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %37, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,"
      "%28,%29,%30,%31"
      "}, {%32,%33,%34,%35}, %36, p, 1, 1, 1;\n}"
      : R8(0), R8(8), R8(16), R8(24)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}
__device__ __forceinline__ uint2 to_half4(float4 v) {
  const __half2 a = __floats2half2_rn(v.x, v.y), b = __floats2half2_rn(v.z, v.w);
  uint2 r;
  r.x = *reinterpret_cast<const unsigned*>(&a);
  r.y = *reinterpret_cast<const unsigned*>(&b);
  return r;
}

// 1. W and the first PREP rows of x to f16 (rounded to nearest: the significand of TF32); marks and counter set.
extern "C" __global__ void __launch_bounds__(256)
    prepare(const float* __restrict__ x, const float* __restrict__ w, __half* __restrict__ xh, __half* __restrict__ wh, int* __restrict__ flags) {
  const int blk = blockIdx.x;
  const bool isw = blk < 432;  // 432 x 1024 float4 = 2304 x 768 floats
  const float4* src = reinterpret_cast<const float4*>(isw ? w : x) + (isw ? blk : blk - 432) * 1024 + threadIdx.x;
  uint2* dst = reinterpret_cast<uint2*>(isw ? wh : xh) + (isw ? blk : blk - 432) * 1024 + threadIdx.x;
  float4 v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) v[i] = __ldcs(src + i * 256);
#pragma unroll
  for (int i = 0; i < 4; ++i) dst[i * 256] = to_half4(v[i]);
  if (blk == 0) flags[threadIdx.x] = threadIdx.x < PREP / 128 ? 32 : 0;  // 32 pieces of 4 rows each
}

__device__ __forceinline__ void bar_arrive(unsigned bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
}
__device__ __forceinline__ void wait_count(const int* p, int n) {  // written by other blocks, read next by bulk copies
  int done = 0;
  while (true) {
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(done) : "l"(p) : "memory");
    if (done >= n) break;
    __nanosleep(64);
  }
  asm volatile("fence.proxy.async;" ::: "memory");
}
__device__ __forceinline__ void signal_count(int* p, int lane) {  // this warp's stores are done
  __threadfence();
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncwarp();
  if (lane == 0) {
    asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(p) : "memory");
  }
  __syncwarp();
}
// Attention tasks: batches 13 12 11 10 15 14 9 ... 0, the long query tiles (j = 3) of a batch first; the last four
// batches together, so that the shortest tasks come last.
__device__ __forceinline__ void decode(int t, int& b, int& h, int& j) {
  int pos;
  if (t < 576) {
    pos = t / 48;
    const int i = t - pos * 48;
    j = 3 - i / 12;
    h = i % 12;
  } else {
    const int i = t - 576, r = i % 48;
    j = 3 - i / 48;
    pos = 12 + r / 12;
    h = r % 12;
  }
  b = pos < 4 ? 13 - pos : pos < 6 ? 19 - pos : 15 - pos;
}
// relu(causal S) to f16 operands; S arrives divided by 16
__device__ __forceinline__ void weights(float (&s)[32], unsigned (&pa)[4][4], bool diagonal, int r, int c) {
#pragma unroll
  for (int i = 0; i < 32; ++i) asm volatile("" : "+f"(s[i])::"memory");
  if (diagonal) {
#pragma unroll
    for (int i = 0; i < 32; ++i)
      if (i / 4 * 8 + (i & 1) + c > r + (i & 2) * 4) s[i] = 0.0f;
  }
#pragma unroll
  for (int i = 0; i < 16; ++i)
    asm volatile("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(pa[i / 4][i % 4]) : "f"(s[2 * i + 1]), "f"(s[2 * i]));
}
__device__ __forceinline__ void scores(float (&s)[32], const unsigned (&q)[4][4], unsigned at) {  // s = q k^T, a group of its own
#pragma unroll
  for (int kk = 0; kk < 4; ++kk) wgmma_s64(s, q[kk], operand(at + kk * 32), kk);
  wg_commit();
}
__device__ __forceinline__ void values(float (&o)[32], const unsigned (&p)[4][4], unsigned at, int add) {  // o += p v
#pragma unroll
  for (int kk = 0; kk < 4; ++kk) wgmma_n64(o, p[kk], operand(at + 8192 + kk * 2048), kk == 0 ? add : 1);
  wg_commit();
}
__device__ __forceinline__ void load_q(unsigned (&q)[4][4], unsigned row_at, unsigned x, unsigned hi) {  // 16 rows a warp, mma's a layout
#pragma unroll
  for (int kk = 0; kk < 4; ++kk)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(q[kk][0]), "=r"(q[kk][1]), "=r"(q[kk][2]), "=r"(q[kk][3])
                 : "r"(row_at + (((2 * kk + hi) ^ x) << 4)) : "memory");
}
__device__ __forceinline__ void store_y(float* out, const float (&o)[32]) {
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    __stcs(reinterpret_cast<float2*>(out + i * 8), make_float2(o[4 * i] * 16.0f, o[4 * i + 1] * 16.0f));
    __stcs(reinterpret_cast<float2*>(out + 8 * 768 + i * 8), make_float2(o[4 * i + 2] * 16.0f, o[4 * i + 3] * 16.0f));
  }
}
// 2. Everything else. First qkv = x W^T + b in f16 (q times 1/8, k times 1/16): pairs of blocks make 256 x 256 and share
//    W's tile by multicast, three spare warps convert the rest of x ahead of the product. Then y = relu(causal q k^T) v:
//    256 queries a task (each warpgroup two groups of 64), 64 keys a step, as soon as the batch's q, k, v are there.
extern "C" __global__ void __launch_bounds__(384, 1)
    relu_attention(const __grid_constant__ CUtensorMap x_map, const __grid_constant__ CUtensorMap w_map,
                   const __grid_constant__ CUtensorMap kv_map, const float* __restrict__ x, const float* __restrict__ bias,
                   __half* xh, __half* qkv, int* flags, float* __restrict__ y) {
  extern __shared__ char raw[];
  __shared__ u64 full[STAGES], empty[STAGES], kfull[KVS], kempty[KVS], qfull[2], qempty[2];
  __shared__ int task[2];
  const unsigned pad = ((sh(raw) + 1023) & ~1023u) - sh(raw);
  const unsigned base = sh(raw) + pad;
  float* bs = reinterpret_cast<float*>(raw + pad + STAGES * STAGE + 16384);
  const int warp = __shfl_sync(0xffffffffu, (int)threadIdx.x / 32, 0), lane = threadIdx.x % 32;
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  const int first = blockIdx.x / 2, step = gridDim.x / 2;
  for (int i = threadIdx.x; i < 2304; i += 384) bs[i] = bias[i] * (i < 768 ? 0.125f : i < 1536 ? 0.0625f : 1.0f);
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      bar_init(sh(&full[s]), 1);
      bar_init(sh(&empty[s]), 16);  // 8 consumer warps of each of the two blocks
    }
    for (int s = 0; s < KVS; ++s) {
      bar_init(sh(&kfull[s]), 1);
      bar_init(sh(&kempty[s]), 8);
    }
    for (int s = 0; s < 2; ++s) {
      bar_init(sh(&qfull[s]), 1);
      bar_init(sh(&qempty[s]), 8);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");

  if (warp >= 8) {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 56;");
  if (warp >= 9) {  // converters: 4 rows of x at a time, in order
    int c = 0;
    if (lane == 0) c = atomicAdd(flags + CHUNK_AT, 1);
    c = __shfl_sync(0xffffffffu, c, 0);
    while (c < CHUNKS) {
      int next = 0;
      if (lane == 0) next = atomicAdd(flags + CHUNK_AT, 1);
      const int row = PREP + c * 4;
      const float4* src = reinterpret_cast<const float4*>(x) + row * 192 + lane;
      uint2* dst = reinterpret_cast<uint2*>(xh) + row * 192 + lane;
#pragma unroll 1
      for (int i = 0; i < 3; ++i) {
        float4 v[8];
#pragma unroll
        for (int q = 0; q < 8; ++q) v[q] = __ldcs(src + i * 256 + q * 32);
#pragma unroll
        for (int q = 0; q < 8; ++q) dst[i * 256 + q * 32] = to_half4(v[q]);
      }
      signal_count(flags + (row >> 7), lane);
      c = __shfl_sync(0xffffffffu, next, 0);
    }
  } else {  // producer
    if (lane == 0) {
      int it = 0, have = -1;
      for (int t = first; t < TILES; t += step) {
        const int mb = t / 9 * 2 + (int)rank, n0 = t % 9 * 256 + (int)rank * 128;
        if (mb != have) {
          wait_count(flags + mb, 32);
          have = mb;
        }
        for (int k = 0; k < KSTEPS; ++k, ++it) {
          const int s = it % STAGES;
          const unsigned at = base + s * STAGE, bar = sh(&full[s]);
          bar_wait(sh(&empty[s]), (it / STAGES + 1) & 1);  // both blocks have done with the stage
          bar_expect(bar, STAGE);
          load_box(at, &x_map, k * 64, mb * 128, bar);
          load_box_both(at + 16384 + rank * 16384, &w_map, k * 64, n0, bar);
        }
      }
      for (int i = 0; i < STAGES; ++i, ++it) bar_wait(sh(&empty[it % STAGES]), (it / STAGES + 1) & 1);  // the ring is free
      int t = atomicAdd(flags + TASK_AT, 1), slot = 0;
      unsigned free_parity = 1, known = 0;
      for (int n = 0;; ++n) {
        const int qs = n & 1;
        bar_wait(sh(&qempty[qs]), (n / 2 + 1) & 1);
        if (t >= TASKS) {
          *(volatile int*)&task[qs] = -1;
          bar_arrive(sh(&qfull[qs]));
          break;
        }
        const int next = atomicAdd(flags + TASK_AT, 1);
        int b, h, j;
        decode(t, b, h, j);
        if (!(known >> b & 1)) {
          wait_count(flags + DONE_AT + b, DONE_ALL);
          known |= 1u << b;
        }
        *(volatile int*)&task[qs] = t;
        bar_expect(sh(&qfull[qs]), 32768);
        for (int i = 0; i < 4; ++i)
          load_box(base + KVS * 16384 + qs * 32768 + i * 8192, &kv_map, h * 64, b * 1024 + j * 256 + i * 64, sh(&qfull[qs]));
        for (int kb = 0; kb < 4 * j + 4; ++kb) {
          const unsigned at = base + slot * 16384, bar = sh(&kfull[slot]);
          bar_wait(sh(&kempty[slot]), free_parity);
          bar_expect(bar, 16384);
          load_box(at, &kv_map, 768 + h * 64, b * 1024 + kb * 64, bar);
          load_box(at + 8192, &kv_map, 1536 + h * 64, b * 1024 + kb * 64, bar);
          if (++slot == KVS) {
            slot = 0;
            free_parity ^= 1;
          }
        }
        t = next;
      }
    }
  }
  } else {  // consumers: 64 x 256 each
    asm volatile("setmaxnreg.inc.sync.aligned.u32 224;");
    const int group = warp / 4;
    unsigned eb;  // empty[0] of block number lane (lanes 0 and 1)
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(eb) : "r"(sh(&empty[0])), "r"(lane & 1));
    const unsigned stage_at = base + STAGES * STAGE + warp * 2048;
    // stmatrix: lane gives row (lane & 15) of the 16, column block (lane >> 4)
    const unsigned st_row = stage_at + (lane & 15) * 128, st_x = lane & 7, st_hi = lane >> 4;
    float d[128];
    int it = 0;
#if STAGGER > 0
    if (group == 1) asm volatile("bar.sync 1, 256;" ::: "memory");
#endif
    for (int t = first; t < TILES; t += step) {
      const int m0 = t / 9 * 256 + (int)rank * 128, n0 = t % 9 * 256;
      for (int k = 0; k < KSTEPS; ++k, ++it) {
        const int s = it % STAGES;
        const unsigned at = base + s * STAGE;
        bar_wait(sh(&full[s]), it / STAGES & 1);
        wg_fence();
#pragma unroll
        for (int kk = 0; kk < 4; ++kk)
          wgmma_n256(d, operand(at + group * 8192 + kk * 32), operand(at + 16384 + kk * 32), kk == 0 ? k : 1);
        wg_commit();
        if (k == 3 && t != first) signal_count(flags + DONE_AT + (t - step) / 36, lane);  // the tile before is in memory by now
        wg_wait<1>();
        if (k > 0 && lane < 2) bar_arrive_cluster(eb + (it - 1) % STAGES * 8);
        __syncwarp();
#if STAGGER > 0
        if (group == 0 && k == STAGGER - 1 && t == first) asm volatile("bar.arrive 1, 256;" ::: "memory");
#endif
      }
      wg_wait<0>();
#pragma unroll
      for (int i = 0; i < 128; ++i) asm volatile("" : "+f"(d[i])::"memory");
      if (lane < 2) bar_arrive_cluster(eb + (it - 1) % STAGES * 8);
      __syncwarp();
      const float scale = n0 < 768 ? 0.125f : n0 < 1536 ? 0.0625f : 1.0f;
      const float* bp = bs + n0 + lane % 4 * 2;
      __half* out = qkv + (m0 + group * 64 + warp % 4 * 16 + lane / 8) * 2304 + n0 + lane % 8 * 8;
#pragma unroll
      for (int c = 0; c < 4; ++c) {  // 64 columns at a time
#pragma unroll
        for (int jj = 0; jj < 8; jj += 2) {
          const int j = c * 8 + jj;
          const float2 b0 = *reinterpret_cast<const float2*>(bp + j * 8), b1 = *reinterpret_cast<const float2*>(bp + j * 8 + 8);
          const __half2 h0 = __floats2half2_rn(fmaf(d[4 * j], scale, b0.x), fmaf(d[4 * j + 1], scale, b0.y));
          const __half2 h1 = __floats2half2_rn(fmaf(d[4 * j + 2], scale, b0.x), fmaf(d[4 * j + 3], scale, b0.y));
          const __half2 h2 = __floats2half2_rn(fmaf(d[4 * j + 4], scale, b1.x), fmaf(d[4 * j + 5], scale, b1.y));
          const __half2 h3 = __floats2half2_rn(fmaf(d[4 * j + 6], scale, b1.x), fmaf(d[4 * j + 7], scale, b1.y));
          asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
                       ::"r"(st_row + (((jj + st_hi) ^ st_x) << 4)), "r"(*reinterpret_cast<const unsigned*>(&h0)),
                         "r"(*reinterpret_cast<const unsigned*>(&h1)), "r"(*reinterpret_cast<const unsigned*>(&h2)),
                         "r"(*reinterpret_cast<const unsigned*>(&h3)) : "memory");
        }
        __syncwarp();
#pragma unroll
        for (int q = 0; q < 4; ++q) {
          const int r = q * 4 + lane / 8;
          uint4 v;
          asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                       : "r"(stage_at + r * 128 + (((lane & 7) ^ (r & 7)) << 4)) : "memory");
          *reinterpret_cast<uint4*>(out + q * 4 * 2304 + c * 64) = v;
        }
        __syncwarp();
      }
    }
    signal_count(flags + DONE_AT + (first + (TILES - 1 - first) / step * step) / 36, lane);

    // Attention: this warpgroup has the query groups group (a) and 3 - group (b) of the tile's four, their fragments in
    // registers. Products are issued in the order  S_a(k) PV_b(k-1) S_b(k) PV_a(k) S_a(k+1) PV_b(k) S_b(k+1) ..., each a
    // group: while the scores of one are turned into weights, those of the other are under way. One set of weights (pa)
    // serves both: with two, ptxas serialises everything (C7514).
    float sa[32], sb[32], oa[32], ob[32];
    unsigned qa[4][4], qb[4][4], pa[4][4];
    const int wr = warp % 4 * 16 + lane / 4, wc = lane % 4 * 2;
    const unsigned lq = base + KVS * 16384 + (warp % 4 * 16 + (lane & 15)) * 128;
    float* out = y;
    int slot = 0, n = 0;
    unsigned phase = 0;
    auto acquire = [&](unsigned& at, unsigned& release) {
      bar_wait(sh(&kfull[slot]), phase);
      at = base + slot * 16384;
      release = sh(&kempty[slot]);
      if (++slot == KVS) {
        slot = 0;
        phase ^= 1;
      }
    };
    auto done = [&](unsigned release) {
      if (lane == 0) bar_arrive(release);
      __syncwarp();
    };
    for (;; ++n) {
      bar_wait(sh(&qfull[n & 1]), n / 2 & 1);
      int t = 0;
      if (lane == 0) t = *(volatile int*)&task[n & 1];  // by the very lane that hands the slot back
      t = __shfl_sync(0xffffffffu, t, 0);
      if (t < 0) break;
      load_q(qa, lq + (n & 1) * 32768 + group * 8192, lane & 7, lane >> 4);
      load_q(qb, lq + (n & 1) * 32768 + (3 - group) * 8192, lane & 7, lane >> 4);
      unsigned at, now, before = 0;
      acquire(at, now);
      wg_fence();
      scores(sa, qa, at);
      scores(sb, qb, at);
      __syncwarp();  // all lanes have their fragments before lane 0 hands the queries' buffer back
      done(sh(&qempty[n & 1]));  // the fragments are here: the products have been issued
      int b, h, j;
      decode(t, b, h, j);
      if (n > 0) {  // the task before
        store_y(out, oa);
        store_y(out + (3 - 2 * group) * 64 * 768, ob);
      }
      out = y + (b * 1024 + j * 256 + group * 64 + wr) * 768 + h * 64 + wc;
      const int la = 4 * j + group;
      unsigned at1, now1;
      wg_wait<1>();
#pragma unroll 1
      for (int kb = 0; kb < la; ++kb) {
        weights(sa, pa, false, wr, wc);
        wg_fence();
        values(oa, pa, at, kb);
        wg_wait<0>();
        if (kb > 0) done(before);
        acquire(at1, now1);
        wg_fence();
        scores(sa, qa, at1);
        weights(sb, pa, false, wr, wc);
        wg_fence();
        values(ob, pa, at, kb);
        scores(sb, qb, at1);
        before = now;
        at = at1;
        now = now1;
        wg_wait<1>();
      }
      // a's last step, on the diagonal
      weights(sa, pa, true, wr, wc);
      wg_fence();
      values(oa, pa, at, la);
      wg_wait<0>();
      if (la > 0) done(before);
      acquire(at1, now1);
      wg_fence();
      scores(sa, qb, at1);
      weights(sb, pa, false, wr, wc);
      wg_fence();
      values(ob, pa, at, la);
      // b alone: three steps or one
      unsigned at2, now2;
      acquire(at2, now2);
      if (group == 0) {
        unsigned at3, now3;
        wg_fence();
        scores(sb, qb, at2);
        wg_wait<1>();
        weights(sa, pa, false, wr, wc);
        wg_fence();
        values(ob, pa, at1, 1);
        wg_wait<0>();
        done(now);
        acquire(at3, now3);
        wg_fence();
        scores(sa, qb, at3);
        weights(sb, pa, false, wr, wc);
        wg_fence();
        values(ob, pa, at2, 1);
        wg_wait<0>();
        done(now1);
        weights(sa, pa, true, wr, wc);
        wg_fence();
        values(ob, pa, at3, 1);
        wg_wait<0>();
        done(now2);
        done(now3);
      } else {  // the tile's last keys (at2) are beyond this warpgroup's queries
        done(now2);
        wg_wait<0>();
        weights(sa, pa, true, wr, wc);
        wg_fence();
        values(ob, pa, at1, 1);
        wg_wait<0>();
        done(now);
        done(now1);
      }
#pragma unroll
      for (int i = 0; i < 32; ++i) asm volatile("" : "+f"(oa[i]), "+f"(ob[i])::"memory");
    }
    if (n > 0) {
      store_y(out, oa);
      store_y(out + (3 - 2 * group) * 64 * 768, ob);
    }
  }
  __syncwarp();
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

