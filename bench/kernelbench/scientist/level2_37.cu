/* hone 1
where = ["LAG + 2 <= STAGES"]

[tune]
STAGES = { values = [8, 9], default = 9 }
LAG = { values = [0, 2, 3, 4, 5, 6], default = 4 }        # k steps (of 32) by which the second consumer follows the first

[[scratch]]
name  = "x16"
dtype = "f16"
shape = ["x_0", "x_1"]

[[scratch]]
name  = "w16"
dtype = "f16"
shape = [4096, 1024]

[[scratch]]
name  = "xs"
dtype = "f32"
shape = ["x_0"]

[[scratch]]
name  = "flags"
dtype = "i32"
shape = [128]

[[scratch]]
name  = "params2"
dtype = "f32"
shape = [8192]

[[launch]]
kernel = "prepare"
grid   = [768]
block  = [256]
args   = ["x", "matmul_weight", "x16", "w16", "xs", "flags", "matmul_bias", "bias", "params2"]

[[launch]]
kernel  = "fused"
grid    = ["sm_count / 2 * 2"]
block   = [384]
cluster = [2]
shared  = "STAGES * 24576 + 8192 + 1024"
args    = ["x", "x16", "w16", "xs", "flags", "params2", "group_norm_weight", "group_norm_bias", "y"]
*/
#include <cuda_fp16.h>
#ifndef LAG
#define LAG 4
#endif
#ifndef STAGES
#define STAGES 9
#endif
// x16 and w16 lie in blocks of 128 rows x 32 deep, 8192 bytes each, [row block][k block], already in the order that wgmma
// expects (K-major, 64-byte swizzle): row r's 16-byte piece c at 64 r + 16 (c ^ (r / 2 % 4)). Plain bulk copies bring them.
#define STAGE 24576u      // bytes: a 128 x 32, then b 256 x 32
#define KSTEPS 32         // 1024 / 32
#define TILES 2048        // 128 blocks of 256 rows x 16 blocks of 256 columns, one a cluster of two
#define PRE_CHUNKS 256    // pieces of 8 rows of x that `prepare` converts (2048 rows, 8 row blocks)
#define CHUNKS 4096
#define W_SCALE 256.0f
#define W_INV (1.0f / 256.0f)
#ifndef SWISH_EXACT
#define SWISH_EXACT 0     // 0: v sigmoid(v) = h + h tanh(h), h = v / 2, by tanh.approx; 1: by ex2 and rcp
#endif
#if SWISH_EXACT
#define V_SCALE -1.4426950408889634f  // t = -v log2 e; what is normed is -u log2 e
#define C_SCALE V_SCALE
#define EPS (1e-5f * 1.4426950408889634f * 1.4426950408889634f)
#else
#define V_SCALE 0.5f                  // h = v / 2
#define C_SCALE 1.0f
#define EPS 1e-5f
#endif
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
__device__ __forceinline__ void bar_arrive_cluster(unsigned bar) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(bar) : "memory");
}
__device__ __forceinline__ void bar_wait(unsigned bar, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done) : "r"(bar), "r"(parity) : "memory");
}
__device__ __forceinline__ void load_both(unsigned to, const void* from, unsigned bytes, unsigned bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
               ::"r"(to), "l"(from), "r"(bytes), "r"(bar), "h"((unsigned short)3) : "memory");
}
__device__ __forceinline__ void load_run(unsigned to, const void* from, unsigned bytes, unsigned bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(to), "l"(from), "r"(bytes), "r"(bar) : "memory");
}
__device__ __forceinline__ u64 operand(unsigned at) {  // K-major, 64-byte swizzle, 512 bytes between groups of 8 rows
  return (u64)((at & 0x3ffff) >> 4) | (u64)1 << 16 | (u64)32 << 32 | 2ull << 62;
}
#define R8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
__device__ __forceinline__ void wgmma_n256(float (&d)[128], u64 a, u64 b, int add) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129, p, 1, 1, 0, 0;\n}"
      : R8(0), R8(8), R8(16), R8(24), R8(32), R8(40), R8(48), R8(56), R8(64), R8(72), R8(80), R8(88), R8(96), R8(104), R8(112), R8(120)
      : "l"(a), "l"(b), "r"(add));
}
__device__ __forceinline__ void wgmma_n64(float (&d)[128], u64 a, u64 b, int add) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, p, 1, 1, 0, 0;\n}"
      : R8(0), R8(8), R8(16), R8(24)
      : "l"(a), "l"(b), "r"(add));
}

__device__ __forceinline__ float tanh_fast(float v) {
  float r;
  asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(v));
  return r;
}
__device__ __forceinline__ float ex2(float v) {
  float r;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v));
  return r;
}
__device__ __forceinline__ float rcp(float v) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v));
  return r;
}
__device__ __forceinline__ uint2 pack(float4 v, float s) {
  const __half2 lo = __floats2half2_rn(v.x * s, v.y * s), hi = __floats2half2_rn(v.z * s, v.w * s);
  uint2 r;
  r.x = *reinterpret_cast<const unsigned*>(&lo);
  r.y = *reinterpret_cast<const unsigned*>(&hi);
  return r;
}
// Where a lane's four numbers of a row go (column 4 lane + 128 k for k = 0: k block lane / 8, piece lane % 8 / 2); k adds 4 blocks.
__device__ __forceinline__ char* place(__half* m, int row, int lane) {
  const int r = row % 128, c = lane % 8 / 2;
  return reinterpret_cast<char*>(m) + (size_t)(row / 128 * 32 + lane / 8) * 8192 + r * 64 + ((c ^ (r / 2 % 4)) * 16) + lane % 2 * 8;
}
// One warp: a row of x, scaled by a power of two so that its largest element lies in [2^14, 2^15), rounded to f16.
__device__ __forceinline__ void convert_row(const float* __restrict__ x, __half* x16, float* xs, int row, int lane) {
  const float4* from = reinterpret_cast<const float4*>(x + (size_t)row * 1024) + lane;
  float4 v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = __ldcs(from + 32 * k);
  float m = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) m = fmaxf(fmaxf(m, fmaxf(fabsf(v[k].x), fabsf(v[k].y))), fmaxf(fabsf(v[k].z), fabsf(v[k].w)));
#pragma unroll
  for (int o = 16; o > 0; o /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, o));
  const int e = min(254, max(15, (int)(__float_as_uint(m) >> 23)));
  const float s = __uint_as_float((unsigned)(268 - e) << 23), inv = __uint_as_float((unsigned)(e - 14) << 23);
  char* to = place(x16, row, lane);
#pragma unroll
  for (int k = 0; k < 8; ++k) *reinterpret_cast<uint2*>(to + k * 32768) = pack(v[k], s);
  if (lane == 0) xs[row] = inv * W_INV * V_SCALE;
}

// w to f16, its rows in another order within each 64: the product's column 8 j + 2 q + e is the output's column
// 16 (j / 2) + 4 q + 2 (j % 2) + e, so that a lane's accumulators are runs of four columns. And the first 2048 rows of x.
// params2: matmul_bias (4096) times V_SCALE, then bias (4096) times C_SCALE.
extern "C" __global__ void __launch_bounds__(256)
    prepare(const float* x, const float* w, __half* x16, __half* w16, float* xs, int* flags, const float* mbias, const float* bias, float* params2) {
  const int lane = threadIdx.x % 32, item = blockIdx.x * 8 + threadIdx.x / 32;
  if (blockIdx.x == 0 && threadIdx.x < 128) flags[threadIdx.x] = 0;
  if (blockIdx.x < 16) {
    const int c = blockIdx.x * 256 + threadIdx.x;
    params2[c] = mbias[c] * V_SCALE;
    params2[4096 + c] = bias[c] * C_SCALE;
  }
  if (item < 4096) {
    const int c = item % 64, j = c / 8, q = c % 8 / 2, e = c % 2;
    const int real = item - c + 16 * (j / 2) + 4 * q + 2 * (j % 2) + e;
    const float4* from = reinterpret_cast<const float4*>(w + (size_t)real * 1024) + lane;
    char* to = place(w16, item, lane);
    float4 v[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = __ldcs(from + 32 * k);
#pragma unroll
    for (int k = 0; k < 8; ++k) *reinterpret_cast<uint2*>(to + k * 32768) = pack(v[k], W_SCALE);
  } else {
    convert_row(x, x16, xs, item - 4096, lane);
  }
}

struct Work {
  int row, col;  // first row (of the cluster's 256) and first column
  bool small;    // 64 columns instead of 256
};
__device__ __forceinline__ bool work_at(int r, int cid, int nc, Work& k) {
  const int rounds = TILES / nc;
  int t, part = 0;
  k.small = r >= rounds;
  if (!k.small) {
    t = cid + r * nc;
  } else {  // the tiles that do not fill a round, in quarters
    const int p = cid + (r - rounds) * nc;
    if (p >= (TILES - rounds * nc) * 4) return false;
    t = rounds * nc + p / 4;
    part = p % 4;
  }
  k.row = t / 16 * 256;
  k.col = t % 16 * 256 + part * 64;
  return true;
}

// One pair of columns of one row: the accumulators become the numbers to be normed.
__device__ __forceinline__ void swish(float& a0, float& a1, float s, float b0, float b1, float c0, float c1) {
#if SWISH_EXACT
  const float t0 = fmaf(a0, s, b0), t1 = fmaf(a1, s, b1);
  // 1 / ((1 + e0) (1 + e1)) serves both; beyond 2^60 a sigmoid counts as 2^-60
  const float e0 = 1.0f + ex2(fminf(t0, 60.0f)), e1 = 1.0f + ex2(fminf(t1, 60.0f));
  const float r = rcp(e0 * e1);
  a0 = fmaf(t0, r * e1, c0);
  a1 = fmaf(t1, r * e0, c1);
#else
  const float h0 = fmaf(a0, s, b0), h1 = fmaf(a1, s, b1);
  const float t0 = tanh_fast(h0), t1 = tanh_fast(h1);
  a0 = fmaf(h0, t0, h0 + c0);
  a1 = fmaf(h1, t1, h1 + c1);
#endif
}

// d: 64 x (64 GROUPS) of a warpgroup; p: four arrays of 256 floats (V_SCALE matmul_bias, C_SCALE bias, weight, bias of the norm);
// s0, s1: the rows' scales, V_SCALE in them.
template <int GROUPS>
__device__ __forceinline__ void finish(float (&d)[128], const float* p, float* y0, int q, float s0, float s1) {
  const float4* pb = reinterpret_cast<const float4*>(p) + q;
#pragma unroll
  for (int g = 0; g < GROUPS; ++g) {
    float sum[2][2] = {}, sq[2][2] = {};  // row, even or odd pair of columns
    float4 b = pb[g * 16], c = pb[64 + g * 16];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float4 nb = b, nc = c;
      if (i < 3) {
        nb = pb[g * 16 + i * 4 + 4];
        nc = pb[64 + g * 16 + i * 4 + 4];
      }
#pragma unroll
      for (int jj = 0; jj < 2; ++jj)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          float& a0 = d[4 * (8 * g + 2 * i + jj) + 2 * h];
          float& a1 = d[4 * (8 * g + 2 * i + jj) + 2 * h + 1];
          swish(a0, a1, h ? s1 : s0, jj ? b.z : b.x, jj ? b.w : b.y, jj ? c.z : c.x, jj ? c.w : c.y);
        }
#pragma unroll
      for (int jj = 0; jj < 2; ++jj)
#pragma unroll
        for (int e = 0; e < 2; ++e)
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            const float u = d[4 * (8 * g + 2 * i + jj) + 2 * h + e];
            sum[h][jj] += u;
            sq[h][jj] = fmaf(u, u, sq[h][jj]);
          }
      b = nb;
      c = nc;
    }
    float rs[2], sf[2];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      float m = sum[h][0] + sum[h][1], v = sq[h][0] + sq[h][1];
      m += __shfl_xor_sync(0xffffffffu, m, 1);
      v += __shfl_xor_sync(0xffffffffu, v, 1);
      m += __shfl_xor_sync(0xffffffffu, m, 2);
      v += __shfl_xor_sync(0xffffffffu, v, 2);
      const float mean = m * 0.015625f;
      const float var = fmaxf(fmaf(-mean, mean, v * 0.015625f), 0.0f);
      rs[h] = SWISH_EXACT ? -rsqrtf(var + EPS) : rsqrtf(var + EPS);
      sf[h] = -mean * rs[h];
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float4 gw = pb[128 + g * 16 + i * 4], gb = pb[192 + g * 16 + i * 4];
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int at = 4 * (8 * g + 2 * i) + 2 * h;
        float4 o;
        o.x = fmaf(fmaf(d[at], rs[h], sf[h]), gw.x, gb.x);
        o.y = fmaf(fmaf(d[at + 1], rs[h], sf[h]), gw.y, gb.y);
        o.z = fmaf(fmaf(d[at + 4], rs[h], sf[h]), gw.z, gb.z);
        o.w = fmaf(fmaf(d[at + 5], rs[h], sf[h]), gw.w, gb.w);
        __stcs(reinterpret_cast<float4*>(y0 + h * 8 * 4096 + g * 64 + i * 16), o);
      }
    }
  }
}

// The product of one piece of work: 64 rows of a warpgroup by 256 (SMALL: 64) columns, 1024 deep.
template <bool SMALL>
__device__ __forceinline__ void multiply(float (&d)[128], int& s, unsigned& ph, unsigned base, int group, int lane, unsigned full, unsigned lead,
                                         unsigned hand) {
  int before = 0;
#pragma unroll 1
  for (int i = 0; i < KSTEPS; ++i) {
    const unsigned at = base + s * STAGE;
    if (LAG > 0 && group == 1 && i + LAG < KSTEPS) {
      const bool wrap = s + LAG >= STAGES;
      bar_wait(lead + (wrap ? s + LAG - STAGES : s + LAG) * 8, wrap ? ph ^ 1 : ph);
    }
    bar_wait(full + s * 8, ph);
    const u64 da = operand(at + group * 4096), db = operand(at + 8192);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int kk = 0; kk < 2; ++kk) {
      if (SMALL)
        wgmma_n64(d, da + kk * 2, db + kk * 2, i + kk);
      else
        wgmma_n256(d, da + kk * 2, db + kk * 2, i + kk);
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    if (LAG > 0 && threadIdx.x == 0) bar_arrive(lead + s * 8);
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    if (i > 0 && lane < 2) bar_arrive_cluster(hand + before * 8);
    before = s;
    if (++s == STAGES) {
      s = 0;
      ph ^= 1;
    }
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  if (lane < 2) bar_arrive_cluster(hand + before * 8);
#pragma unroll
  for (int j = 0; j < (SMALL ? 32 : 128); ++j) asm volatile("" : "+f"(d[j])::"memory");
}

extern "C" __global__ void __launch_bounds__(384, 1)
    fused(const float* x, __half* x16, const __half* w16, float* xs, int* flags, const float* params2, const float* gw, const float* gb, float* y) {
  extern __shared__ char raw[];
  __shared__ u64 full[STAGES], empty[STAGES], lead[STAGES], pfull[2], pempty[2];
  __shared__ volatile int progress;
  const unsigned base = (sh(raw) + 1023) & ~1023u;
  const unsigned pofs = base - sh(raw) + STAGES * STAGE;  // parameters: two buffers of 4 x 256 floats
  float* const params = reinterpret_cast<float*>(raw + pofs);
  const int group = threadIdx.x / 128, lane = threadIdx.x % 32;
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  const int cid = blockIdx.x / 2, nc = gridDim.x / 2;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      bar_init(sh(&full[s]), 1);
      bar_init(sh(&empty[s]), 16);  // eight consumer warps of each of the two blocks
      bar_init(sh(&lead[s]), 1);
    }
    for (int s = 0; s < 2; ++s) {
      bar_init(sh(&pfull[s]), 1);
      bar_init(sh(&pempty[s]), 8);
    }
    progress = 0;
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (group == 2) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 88;");
    const int warp = threadIdx.x / 32 - 8;
    if (warp == 0) {
      if (lane == 0) {  // copies
        int s = 0, ready = PRE_CHUNKS / 32;
        unsigned ph = 1;
        Work k;
        for (int r = 0; work_at(r, cid, nc, k); ++r) {
          progress = r;
          const int block = k.row / 256;
          if (block >= ready) {  // blocks of rows become needed in rising order; this one is converted in this launch
            int have;
            while (true) {
              asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(have) : "l"(flags + block) : "memory");
              if (have >= 256) break;
              __nanosleep(100);
            }
            asm volatile("fence.proxy.async;" ::: "memory");
            ready = block + 1;
          }
          const char* pa = reinterpret_cast<const char*>(x16) + (size_t)(k.row / 128 + rank) * (KSTEPS * 8192);
          const char* pw = reinterpret_cast<const char*>(w16) + (k.small ? (size_t)(k.col / 128) * (KSTEPS * 8192) + k.col % 128 * 64
                                                                         : (size_t)(k.col / 128 + rank) * (KSTEPS * 8192));
          for (int i = 0; i < KSTEPS; ++i, pa += 8192, pw += 8192) {
            const unsigned at = base + s * STAGE, bar = sh(&full[s]);
            bar_wait(sh(&empty[s]), ph);
            if (!k.small) {
              bar_expect(bar, STAGE);
              load_run(at, pa, 8192, bar);
              load_both(at + 8192 + rank * 8192, pw, 8192, bar);
            } else {
              bar_expect(bar, 8192 + 4096);
              load_run(at, pa, 8192, bar);
              load_run(at + 8192, pw, 4096, bar);
            }
            if (++s == STAGES) {
              s = 0;
              ph ^= 1;
            }
            if (i == 0) {
              const int b = r & 1;
              const unsigned to = base + STAGES * STAGE + b * 4096, pbar = sh(&pfull[b]), n = k.small ? 256 : 1024;
              bar_wait(sh(&pempty[b]), (r / 2 + 1) & 1);
              bar_expect(pbar, 4 * n);
              load_run(to, params2 + k.col, n, pbar);
              load_run(to + 1024, params2 + 4096 + k.col, n, pbar);
              load_run(to + 2048, gw + k.col, n, pbar);
              load_run(to + 3072, gb + k.col, n, pbar);
            }
          }
        }
        progress = 1 << 30;
      }
    } else {  // three warps turn x into f16, one to two rounds ahead of its use
      int i = 0;
      for (int q = PRE_CHUNKS + blockIdx.x; q < CHUNKS; q += gridDim.x, ++i) {
        while (progress < i - 1) __nanosleep(500);
        for (int row = warp - 1; row < 8; row += 3) {
          convert_row(x, x16, xs, q * 8 + row, lane);
          asm volatile("fence.proxy.async;" ::: "memory");
          __threadfence();
          __syncwarp();
          if (lane == 0) asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(flags + q / 32) : "memory");
        }
      }
    }
    __syncwarp();
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 208;");
    const int warp = threadIdx.x % 128 / 32, q = lane % 4;
    unsigned hand = sh(&empty[0]);  // lanes 0 and 1 hand a stage back, each to one block
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(hand) : "r"(sh(&empty[0])), "r"(lane & 1));
    float d[128];
    int st = 0;
    unsigned ph = 0;
    Work k;
    for (int r = 0; work_at(r, cid, nc, k); ++r) {
      const int row = k.row + rank * 128 + group * 64 + warp * 16 + lane / 4;
      bar_wait(sh(&full[st]), ph);
      const float s0 = __ldcg(xs + row), s1 = __ldcg(xs + row + 8);
      float* const y0 = y + (size_t)row * 4096 + k.col + q * 4;
      const float* const p = params + (r & 1) * 1024;
      if (!k.small) {
        multiply<false>(d, st, ph, base, group, lane, sh(full), sh(lead), hand);
        bar_wait(sh(&pfull[r & 1]), r / 2 & 1);
        finish<4>(d, p, y0, q, s0, s1);
      } else {
        multiply<true>(d, st, ph, base, group, lane, sh(full), sh(lead), hand);
        bar_wait(sh(&pfull[r & 1]), r / 2 & 1);
        finish<1>(d, p, y0, q, s0, s1);
      }
      __syncwarp();
      if (lane == 0) bar_arrive(sh(&pempty[r & 1]));
    }
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
