/* hone 1
where = ["CX * CW <= 4"]

[tune]
CX = { values = [1, 2, 4], default = 2 }     # blocks of a cluster that share a tile of weights (neighbouring rows of x)
CW = { values = [1, 2], default = 1 }        # blocks of a cluster that share a tile of x
PF = { values = [0, 8, 24], default = 8 }    # steps of 32 k by which weights are fetched into L2 before their copy

[[scratch]]
name  = "xh"
dtype = "f16"
shape = [1024, 8192]

[[tensormap]]
name    = "w_map"
tensor  = "linear_weight"
box     = [32, 32]
swizzle = "128B"

[[launch]]
kernel = "halve_x"
grid   = [2048]
block  = [256]
args   = ["x", "xh"]

[[launch]]
kernel  = "linear_gelu"
grid    = [128]
block   = [384]
cluster = ["CX * CW"]
shared  = 230400
args    = ["w_map", "xh", "linear_bias", "y"]
*/
// y^T = gelu((w x^T + b) / 10). w is wgmma's first operand and comes from registers: f32 tiles arrive by bulk copies, each
// thread reads its fragment, rounds it to f16 (TF32's 10 bits) and multiplies; no f16 copy of w is ever made.
// x is turned into f16 once, with the order of k within each 16 changed so that a thread's four k of w are adjacent, and laid out
// in the tiles that the product copies: 256 rows x 32 k, 16 KB in one piece, already swizzled.
// The fragments of w are built one step ahead, in two sets of registers, while the step before is being multiplied.
#include <cuda.h>
#include <cuda_fp16.h>
#define STAGES 7
#define STAGE 32768u  // bytes: w 128 x 32 f32 (128-byte swizzle), then x 256 x 32 f16 (rows of 64 bytes, 64-byte swizzle)
#define CL (CX * CW)
#define WROWS (128 / CX)  // rows of w's tile that this block fetches for the CX blocks that share it
#define STEPS 256     // of 32 k
typedef unsigned long long u64;

__device__ __forceinline__ unsigned sh(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void bar_init(unsigned bar, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory");
}
__device__ __forceinline__ void bar_expect(unsigned bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}
__device__ __forceinline__ void bar_arrive_rank(unsigned bar, unsigned rank) {
  asm volatile("{\n.reg .b32 a;\nmapa.shared::cluster.u32 a, %0, %1;\nmbarrier.arrive.shared::cluster.b64 _, [a];\n}" ::"r"(bar), "r"(rank)
               : "memory");
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
__device__ __forceinline__ void load_box_all(unsigned to, const CUtensorMap* map, int col, int row, unsigned bar, unsigned short mask) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
               ::"r"(to), "l"(map), "r"(col), "r"(row), "r"(bar), "h"(mask) : "memory");
}
__device__ __forceinline__ void prefetch_box(const CUtensorMap* map, int col, int row) {
  asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" ::"l"(map), "r"(col), "r"(row) : "memory");
}
__device__ __forceinline__ void load_run(unsigned to, const char* from, unsigned bytes, unsigned bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(to), "l"(from), "r"(bytes), "r"(bar) : "memory");
}
__device__ __forceinline__ void load_run_all(unsigned to, const char* from, unsigned bytes, unsigned bar, unsigned short mask) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
               ::"r"(to), "l"(from), "r"(bytes), "r"(bar), "h"(mask) : "memory");
}
__device__ __forceinline__ u64 operand64(unsigned at) {  // K-major, 64-byte swizzle, 512 bytes between groups of 8 rows
  return (u64)((at & 0x3ffff) >> 4) | (u64)1 << 16 | (u64)32 << 32 | 2ull << 62;
}
#define R8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
__device__ __forceinline__ void wgmma_n256(float (&d)[128], const unsigned* a, u64 b, int keep) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %133, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
      "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,"
      "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,"
      "%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,"
      "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,"
      "%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
      "}, {%128, %129, %130, %131}, %132, p, 1, 1, 0;\n}"
      : R8(0), R8(8), R8(16), R8(24), R8(32), R8(40), R8(48), R8(56), R8(64), R8(72), R8(80), R8(88), R8(96), R8(104), R8(112), R8(120)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(keep));
}
__device__ __forceinline__ void lds4(float (&v)[4], unsigned at) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]) : "r"(at) : "memory");
}
__device__ __forceinline__ unsigned pack(float lo, float hi) {  // volatile: stays where it is written, among the wgmma
  unsigned r;
  asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(hi), "f"(lo));
  return r;
}
// gelu(v) = max(v, 0) - |v| Q(|v|), Q the normal distribution's upper tail, log2 Q a polynomial: |error of Q| < 4e-7, and falling beyond.
__device__ __forceinline__ float gelu(float v) {
  const float a = fabsf(v);
  float p = fmaf(a, -0.0005188790964893997f, 0.007387327030301094f);
  p = fmaf(a, p, -0.05253829061985016f);
  p = fmaf(a, p, -0.4592764377593994f);
  p = fmaf(a, p, -1.15108323097229f);
  p = fmaf(a, p, -1.0000008344650269f);
  float q;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(q) : "f"(p));
  return fmaf(-a, q, fmaxf(v, 0.0f));
}

// x to f16 in tiles [4 blocks of 256 rows][256 steps of 32 k][256 rows][64 bytes]; in each group of 16 k: place 2 t + e holds
// k = 4 t + e, place 8 + 2 t + e holds k = 4 t + 2 + e (t < 4, e < 2); 16-byte piece c of row r stands at c ^ (r / 2 % 4).
extern "C" __global__ void __launch_bounds__(256) halve_x(const float* __restrict__ x, char* __restrict__ xh) {
  const int t = threadIdx.x & 3, lane = threadIdx.x & 31;
  const unsigned first = blockIdx.x * 1024u + threadIdx.x;
  float4 v[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) v[j] = __ldcs(reinterpret_cast<const float4*>(x) + first + j * 256);
  const int from = (lane & ~3) | (2 * t & 3);  // the four lanes of 16 k: lane t writes words 2 t, 2 t + 1 of lo0..lo3 hi0..hi3
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const unsigned lo = pack(v[j].x, v[j].y), hi = pack(v[j].z, v[j].w);
    const unsigned l0 = __shfl_sync(0xffffffffu, lo, from), l1 = __shfl_sync(0xffffffffu, lo, from + 1);
    const unsigned h0 = __shfl_sync(0xffffffffu, hi, from), h1 = __shfl_sync(0xffffffffu, hi, from + 1);
    const unsigned f = first + j * 256, row = f >> 11, k4 = f & 2047, r = row & 255;
    const unsigned piece = (k4 >> 2 & 1) * 2 + (t >> 1);
    const size_t to = ((size_t)(row >> 8) * 256 + (k4 >> 3)) * 16384 + r * 64 + ((piece ^ (r >> 1 & 3)) << 4) + (t & 1) * 8;
    *reinterpret_cast<uint2*>(xh + to) = t < 2 ? make_uint2(l0, l1) : make_uint2(h0, h1);
  }
}

// 384 threads: a quarter of the multiprocessor has 16384 registers and three warps, so 168 each at the launch; setmaxnreg then gives
// the two warpgroups that multiply 240 each (of a quarter: 2 x 240 + 24 <= 512).
extern "C" __global__ void __launch_bounds__(384, 1)
    linear_gelu(const __grid_constant__ CUtensorMap w_map, const char* __restrict__ xh, const float* __restrict__ bias,
                float* __restrict__ y) {
  extern __shared__ char raw[];
  __shared__ u64 full[STAGES], empty[STAGES];
  const unsigned base = (sh(raw) + 1023) & ~1023u;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int rank = blockIdx.x % CL, cluster = blockIdx.x / CL, rx = rank % CX, rw = rank / CX;
  const int xb = cluster % (4 / CX) * CX + rx;   // 256 rows of x
  const int wt = cluster / (4 / CX) * CW + rw;   // 128 rows of w: tiles wt and wt + 32
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      bar_init(sh(&full[s]), 1);
      bar_init(sh(&empty[s]), 8 * CL);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");

  if (warp >= 8) {  // ---- copies: one thread of the third warpgroup
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x == 256) {
      const unsigned short wmask = (unsigned short)(((1 << CX) - 1) << (rw * CX));
      const unsigned short xmask = (unsigned short)((CW == 2 ? (1 | 1 << CX) : 1) << rx);
      int s = 0;
      unsigned ph = 1;
      for (int n = 0; n < 2 * STEPS; ++n) {
        const int i = n % STEPS, row = (wt + n / STEPS * 32) * 128, col = i * 32;
        const unsigned at = base + s * STAGE, bar = sh(&full[s]);
        if (PF > 0 && xb < CX && n + PF < 2 * STEPS) {  // one cluster of those that read this tile
          const int f = n + PF;
          const int frow = (wt + f / STEPS * 32) * 128 + rx * WROWS, fcol = f % STEPS * 32;
#pragma unroll
          for (int b = 0; b < WROWS; b += 32) prefetch_box(&w_map, fcol, frow + b);
        }
        bar_wait(sh(&empty[s]), ph);
        bar_expect(bar, STAGE);
#pragma unroll
        for (int b = 0; b < WROWS; b += 32) {
          if (CX == 1)
            load_box(at + b * 128, &w_map, col, row + b, bar);
          else
            load_box_all(at + (rx * WROWS + b) * 128, &w_map, col, row + rx * WROWS + b, bar, wmask);
        }
        const char* x_tile = xh + ((size_t)xb * STEPS + i) * 16384;
        if (CW == 1)
          load_run(at + 16384, x_tile, 16384, bar);
        else
          load_run_all(at + 16384 + rw * 8192, x_tile + rw * 8192, 8192, bar, xmask);
        if (++s == STAGES) s = 0, ph ^= 1;
      }
    }
  } else {  // ---- products: two warpgroups of 64 rows of w x 256 rows of x
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    const int g = lane >> 2, q = lane & 3;
    // Row of the tile behind fragment row g + 8 h: 2 R + h, where R exchanges the lower two bits of g. Then the eight lanes of
    // each phase of a 16-byte read hit all banks, and a thread's two rows are neighbours in y.
    const int row = warp * 16 + 2 * ((g & 4) | (g & 1) << 1 | (g >> 1 & 1));
    const unsigned o0 = row * 128 + ((q ^ (row & 7)) << 4), o1 = (row + 1) * 128 + ((q ^ (row + 1 & 7)) << 4);
    float d[128];
    unsigned fa[8], fb[8];  // fragments of even and of odd steps
    int s = 0, back = 0;    // this step's slot, that of the step before
    unsigned ph = 0;
    auto fetch = [&](unsigned (&f)[8]) {  // w of the step in slot s: waits for the slot, x's part with it
      bar_wait(sh(&full[s]), ph);
      const unsigned at = base + s * STAGE;
      float v0[4], v1[4], v2[4], v3[4];
      lds4(v0, at + o0);
      lds4(v1, at + o1);
      lds4(v2, at + (o0 ^ 64));
      lds4(v3, at + (o1 ^ 64));
      f[0] = pack(v0[0], v0[1]);
      f[1] = pack(v1[0], v1[1]);
      f[2] = pack(v0[2], v0[3]);
      f[3] = pack(v1[2], v1[3]);
      f[4] = pack(v2[0], v2[1]);
      f[5] = pack(v3[0], v3[1]);
      f[6] = pack(v2[2], v2[3]);
      f[7] = pack(v3[2], v3[3]);
    };
    auto step = [&](unsigned (&f)[8], unsigned (&next)[8], int later, bool more) {
      const u64 b = operand64(base + s * STAGE + 16384);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      wgmma_n256(d, f, b, later);
      wgmma_n256(d, f + 4, b + 2, 1);
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");  // the step before is done: its slot and `next` are free
      if (later && lane < CL) bar_arrive_rank(sh(&empty[back]), lane);
      back = s;
      if (++s == STAGES) s = 0, ph ^= 1;
      if (more) fetch(next);
    };
    fetch(fa);
#pragma unroll 1
    for (int t = 0; t < 2; ++t) {
#pragma unroll 1
      for (int i = 0; i < STEPS; i += 2) {
        step(fa, fb, i > 0, true);
        step(fb, fa, 1, t == 0 || i + 2 < STEPS);  // over the tile's end: the next tile's first fragments wait in fa
      }
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      if (lane < CL) bar_arrive_rank(sh(&empty[back]), lane);
      const int col = (wt + t * 32) * 128 + row;
      const float b0 = 0.1f * bias[col], b1 = 0.1f * bias[col + 1];
      float* to = y + (long long)(xb * 256 + 2 * q) * 8192 + col;
#pragma unroll
      for (int j = 0; j < 32; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) {  // d[4 j + 2 h + e]: row of w + h, row 8 j + 2 q + e of x
          float2 o;
          o.x = gelu(fmaf(d[4 * j + e], 0.1f, b0));
          o.y = gelu(fmaf(d[4 * j + 2 + e], 0.1f, b1));
          __stcs(reinterpret_cast<float2*>(to + (8 * j + e) * 8192), o);
        }
    }
  }
  __syncwarp();
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}
