/* hone 1
[tune]
AHEAD = { values = [6, 8, 12, 16], default = 8 }      # chunks of 16 channels that are fetched into L2 ahead of their use (4 a sample)

[[scratch]]
name  = "wh"
dtype = "f16"
shape = [73728]

[[scratch]]
name  = "stats"
dtype = "i64"
shape = [32768]

[[tensormap]]
name   = "y_map"
tensor = "y"
shape  = [16384, 15876]
box    = [16, 252]

[[launch]]
kernel = "prepare"
grid   = [288]
block  = [256]
args   = ["conv_weight", "wh", "stats"]

[[launch]]
kernel = "conv_inorm"
grid   = [126]
block  = [384]
cluster = [2]
shared = 220160
args   = ["x", "wh", "stats", "y_map"]
*/
#include <cuda.h>
#include <cuda_fp16.h>
typedef unsigned long long u64;

#define SAMPLES 128
#define PAIRS 63            // pairs of output rows; one cluster of two blocks each
#define W_BYTES 73728u      // half of the channels: 72 pieces of 8 k, each [64 channels][8 k] f16
#define CHUNK 16384u        // 16 input channels of four rows: [2 pieces of 8 channels][4 rows][128 pixels][8 channels] f16
#define SLOTS 5             // chunks in the ring (a sample has four): chunk i of the whole run lies in slot i % 5
#define CHUNKS (4 * SAMPLES)
#define STEP 262144         // floats between chunks: 16 channels of 128 x 128
#define OUT_PITCH 1008u     // staging: a channel's two rows (2 x 126 floats), dense as the tensor store wants them
#define OUT_WARP 16128u     // 16 channels
#define W_SCALE 256.0f
#define SUM_UNIT 4096.0f    // fixed point: sums in units of 1/4096, sums of squares in units of 1/64
#define SQ_UNIT 64.0f

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
__device__ __forceinline__ void bar_arrive_cluster(unsigned bar) {  // an address of the cluster's window
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(bar) : "memory");
}
__device__ __forceinline__ void bar_wait(unsigned bar, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done) : "r"(bar), "r"(parity) : "memory");
}
__device__ __forceinline__ unsigned map_rank(unsigned at, unsigned rank) {
  unsigned r;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(at), "r"(rank));
  return r;
}
__device__ __forceinline__ void bulk_load(unsigned to, const void* from, unsigned bytes, unsigned bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(to), "l"(from), "r"(bytes), "r"(bar) : "memory");
}
__device__ __forceinline__ void bulk_peer(unsigned to, unsigned from, unsigned bytes, unsigned bar) {  // to, bar: the peer's
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(to), "r"(from), "r"(bytes), "r"(bar) : "memory");
}
__device__ __forceinline__ void store_box(const CUtensorMap* map, int col, int row, unsigned from, u64 policy) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.L2::cache_hint [%0, {%1, %2}], [%3], %4;"
               ::"l"(map), "r"(col), "r"(row), "r"(from), "l"(policy) : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
__device__ __forceinline__ void fence_async_shared() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ __forceinline__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

// Shared-memory operand without swizzle, K-major: 8 rows of 16 bytes lie together (128 bytes),
// groups of 8 rows 128 bytes apart (stride offset), the next 8 k `leading` bytes apart.
__device__ __forceinline__ u64 operand(unsigned at, unsigned leading) {
  return (u64)((at & 0x3ffff) >> 4) | (u64)(leading >> 4) << 16 | (u64)(128 >> 4) << 32;
}
#define R8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define R32(i) R8(i), R8(i + 8), R8(i + 16), R8(i + 24)
__device__ __forceinline__ void wgmma_n256(float (&d)[128], u64 a, u64 b, int add) {
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
      : R32(0), R32(32), R32(64), R32(96) : "l"(a), "l"(b), "r"(add));
}
__device__ __forceinline__ void hold(float (&d)[128]) {
#pragma unroll
  for (int i = 0; i < 128; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

// A sum over all clusters and the number of clusters in one 64-bit word, so that no fence and no counter is needed:
// every cluster adds 2^57 + v, with v a rounded integer, |v| <= 2^49; after k of them (word + 2^56) >> 57 is k, the rest the sum.
#define ONE (1ull << 57)
#define HALF (1ull << 56)
__device__ __forceinline__ unsigned word_count(u64 w) { return (unsigned)((w + HALF) >> 57); }
__device__ __forceinline__ double word_sum(u64 w) { return (double)(long long)(w - PAIRS * ONE); }

// Sum and sum of squares of this thread's columns of one of its channels (h).
__device__ __forceinline__ void own_sums(const float (&d)[128], int h, float& sum, float& sq) {
  float s[4] = {0.0f, 0.0f, 0.0f, 0.0f}, t[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll
  for (int j = 0; j < 32; ++j)
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      const float v = d[4 * j + 2 * h + e];
      const int k = (j & 1) * 2 + e;
      s[k] += v;
      t[k] = fmaf(v, v, t[k]);
    }
  sum = (s[0] + s[1]) + (s[2] + s[3]);
  sq = (t[0] + t[1]) + (t[2] + t[3]);
}
// The four lanes of a quad hold parts of channels 2 i and 2 i + 1 (i = lane / 4); the quad's totals end as
// q = 0: sum of 2 i, q = 1: squares of 2 i, q = 2: sum of 2 i + 1, q = 3: squares of 2 i + 1, which is word `lane` of the warp's 32.
__device__ __forceinline__ void add_stats(const float (&d)[128], int q, u64* to) {
  float a0, b0, a1, b1;
  own_sums(d, 0, a0, b0);
  own_sums(d, 1, a1, b1);
  const bool odd = q & 1, high = q & 2;
  const float r0 = (odd ? b0 : a0) + __shfl_xor_sync(0xffffffffu, odd ? a0 : b0, 1);
  const float r1 = (odd ? b1 : a1) + __shfl_xor_sync(0xffffffffu, odd ? a1 : b1, 1);
  const float r = (high ? r1 : r0) + __shfl_xor_sync(0xffffffffu, high ? r0 : r1, 2);
  const float v = fmaxf(fminf(r * (odd ? SQ_UNIT : SUM_UNIT), 562949953421312.0f), -562949953421312.0f);
  atomicAdd(to, ONE + (u64)__float2ll_rn(v));
}

// Normalizes this thread's part of one channel into the staging row.
__device__ __forceinline__ void stage_rows(const float (&d)[128], int h, float scale, float shift, int q, unsigned to) {
#pragma unroll
  for (int j = 0; j < 32; ++j) {
    const float v0 = fmaf(d[4 * j + 2 * h], scale, shift), v1 = fmaf(d[4 * j + 2 * h + 1], scale, shift);
    if ((j & 15) != 15 || q < 3)  // columns 126 and 127 of either row do not exist
      asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(to + (j >> 4) * 504 + (j & 15) * 32), "f"(v0), "f"(v1) : "memory");
  }
}

// One warp's share of a chunk: one input row, 128 pixels, 8 channels; a lane has pixels 4 lane .. 4 lane + 3: v[4 c + p].
__device__ __forceinline__ void load_part(float (&v)[32], const float* from) {
#pragma unroll
  for (int c = 0; c < 8; ++c)
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v[4 * c]), "=f"(v[4 * c + 1]), "=f"(v[4 * c + 2]), "=f"(v[4 * c + 3]) : "l"(from + c * 16384));
}
// h[4 j + e]: channels 2 e, 2 e + 1 of pixel (j + turn) & 3 of the lane's four.
__device__ __forceinline__ void pack_part(unsigned (&h)[16], const float (&v)[32], int turn) {
  unsigned a[16], b[16];
#pragma unroll
  for (int p = 0; p < 4; ++p)
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const __half2 t = __floats2half2_rn(v[8 * e + p], v[8 * e + 4 + p]);
      a[4 * p + e] = *reinterpret_cast<const unsigned*>(&t);
    }
#pragma unroll
  for (int i = 0; i < 16; ++i) b[i] = (turn & 1) ? a[(i + 4) & 15] : a[i];
#pragma unroll
  for (int i = 0; i < 16; ++i) h[i] = (turn & 2) ? b[(i + 8) & 15] : b[i];
}
// to: the lane's 64 bytes. In step j eight neighbouring lanes write units 4 (l % 2) + (j + l / 2) % 4 modulo 8: no bank conflicts.
__device__ __forceinline__ void store_part(const unsigned (&h)[16], unsigned to, int turn) {
#pragma unroll
  for (int j = 0; j < 4; ++j)
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};"
                 ::"r"(to + ((j + turn) & 3) * 16), "r"(h[4 * j]), "r"(h[4 * j + 1]), "r"(h[4 * j + 2]), "r"(h[4 * j + 3]) : "memory");
}

// Weights as wgmma wants them: wh[channel / 64][(3 r + s) * 8 + c / 8][row][c % 8], scaled; sums to zero.
// Row 16 w + i + 8 h of the product is channel 16 w + 2 i + h: a thread's two channels are neighbours, and staging has no bank conflicts.
extern "C" __global__ void __launch_bounds__(256) prepare(const float* __restrict__ w, __half* wh, u64* stats) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < 73728) {
    const int part = i / 36864, at = i - part * 36864;
    const int piece = at >> 9, row = (at >> 3) & 63, c = (piece & 7) * 8 + (at & 7);
    const int ch = part * 64 + (row & 48) + (row & 7) * 2 + ((row >> 3) & 1);
    wh[i] = __float2half_rn(w[(ch * 64 + c) * 9 + (piece >> 3)] * W_SCALE);
  }
  if (i < 32768) stats[i] = 0;
}

extern "C" __global__ void __launch_bounds__(384, 1)
    conv_inorm(const float* __restrict__ x, const __half* wh, u64* stats, const __grid_constant__ CUtensorMap y_map) {
  extern __shared__ __align__(128) char raw[];
  __shared__ u64 full[SLOTS], empty[SLOTS], turn[2], stage_free[4], wready;
  const unsigned wbase = sh(raw), ring = wbase + W_BYTES, staging = ring + SLOTS * CHUNK;
  const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  const int pair = blockIdx.x >> 1, rank = blockIdx.x & 1;  // output rows 2 pair, 2 pair + 1; channels 64 rank ...
  if (threadIdx.x == 0) {
    for (int s = 0; s < SLOTS; ++s) {
      bar_init(sh(&full[s]), 4);   // the local converter warps, each expecting the 2048 bytes of the peer's same warp
      bar_init(sh(&empty[s]), 8);  // four consumer warps of both blocks
    }
    bar_init(sh(&turn[0]), 4);
    bar_init(sh(&turn[1]), 4);
    for (int s = 0; s < 4; ++s) bar_init(sh(&stage_free[s]), 1);
    bar_init(sh(&wready), 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  cluster_sync();

  if (warp < 8) {  // two consumer warpgroups, samples taken in turn
    const int g = warp >> 2, w4 = warp & 3, q = lane & 3;
    const unsigned stage = staging + w4 * OUT_WARP;
    const unsigned mine = stage + (lane >> 2) * (2 * OUT_PITCH) + q * 8;  // channels 2 (lane / 4) and the next
    const u64 wdesc = operand(wbase, 1024), rdesc = operand(ring, 8192);
    const unsigned empties = map_rank(sh(&empty[0]), lane & 1);  // lane 0: rank 0's, lane 1: rank 1's
    const int ch = rank * 64 + w4 * 16;                          // the warp's 16 channels
    u64 policy;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    bar_wait(sh(&wready), 0);
    for (int n = g; n < SAMPLES; n += 2) {
      float d[128];
      if (n > 0) bar_wait(sh(&turn[g]), ((n - 1) >> 1) & 1);  // the other group has issued the products of sample n - 1
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const unsigned i = 4 * n + k, slot = i % SLOTS;
        bar_wait(sh(&full[slot]), (i / SLOTS) & 1);
        const u64 b = rdesc + (u64)(slot * (CHUNK / 16));
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int r = 0; r < 3; ++r)
#pragma unroll
          for (int s = 0; s < 3; ++s)  // weights: piece (3 r + s) * 8 + 2 k, 64 units of 16 bytes each; input: row r is 128 units on
            wgmma_n256(d, wdesc + (u64)(((r * 3 + s) * 8 + 2 * k) * 64), b + (u64)(r * 128 + s), (k | r | s) != 0);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        if (k == 0) {
          if (n >= 2 && lane == 0) {  // this group's stores of sample n - 2 have left the staging rows: the other group may write there
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
            bar_arrive(sh(&stage_free[w4]));
          }
          __syncwarp();
        } else {
          asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
          if (lane < 2) bar_arrive_cluster(empties + (i - 1) % SLOTS * 8);
          __syncwarp();
        }
      }
      if (lane == 0) bar_arrive(sh(&turn[g ^ 1]));
      __syncwarp();
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      hold(d);
      if (lane < 2) bar_arrive_cluster(empties + (unsigned)(4 * n + 3) % SLOTS * 8);

      if (q == 3) {  // columns 126, 127 of both rows do not exist
        d[60] = d[61] = d[62] = d[63] = 0.0f;
        d[124] = d[125] = d[126] = d[127] = 0.0f;
      }
      u64* st = stats + (n * 128 + ch) * 2;
      add_stats(d, q, st + lane);
      if (n > 0) bar_wait(sh(&stage_free[w4]), (n - 1) & 1);  // while the sums travel
      u64 w;  // lane 2 i: the sum of channel i of the warp's 16, lane 2 i + 1: its sum of squares
      do {
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(w) : "l"(st + lane) : "memory");
      } while (!__all_sync(0xffffffffu, word_count(w) == PAIRS));
      const double own = word_sum(w) * (lane & 1 ? 1.0 / (64.0 * 15876.0) : 1.0 / (4096.0 * 15876.0));
      const double other = __shfl_xor_sync(0xffffffffu, own, 1);
      const double mean = lane & 1 ? other : own;
      const float var = fmaxf((float)fma(-mean, mean, lane & 1 ? own : other), 0.0f);
      const float scale = (0.5f / W_SCALE) * rsqrtf(fmaf(var, 1.0f / 65536.0f, 1e-5f));
      const float shift = -(float)mean * scale;
      const int from = lane & 28;  // lane 2 c has channel c: 4 i for channel 2 i, 4 i + 2 for channel 2 i + 1
      const float scale0 = __shfl_sync(0xffffffffu, scale, from), shift0 = __shfl_sync(0xffffffffu, shift, from);
      const float scale1 = __shfl_sync(0xffffffffu, scale, from + 2), shift1 = __shfl_sync(0xffffffffu, shift, from + 2);
      stage_rows(d, 0, scale0, shift0, q, mine);
      stage_rows(d, 1, scale1, shift1, q, mine + OUT_PITCH);
      fence_async_shared();
      __syncwarp();
      if (lane == 0) store_box(&y_map, pair * 252, n * 128 + ch, stage, policy);
      __syncwarp();
    }
    if (lane == 0) {
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      bar_arrive(sh(&stage_free[w4]));
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    __syncwarp();
  } else {  // four warps that convert input rows 2 rank, 2 rank + 1 of the four, for both blocks
    const int cw = warp - 8, t = threadIdx.x - 256, peer = rank ^ 1;
    if (t == 0) {
      bar_expect(sh(&wready), W_BYTES);
      for (int i = 0; i < 9; ++i) bulk_load(wbase + i * 8192, wh + rank * 36864 + i * 4096, 8192, sh(&wready));
    }
    __syncwarp();
    const int row0 = 2 * pair + 2 * rank;
    const float* from = x + (cw >> 1) * 131072 + (row0 + (cw & 1)) * 128 + lane * 4;  // piece cw / 2, row cw % 2
    const float* fetch = x + (t >> 3) * 16384 + row0 * 128 + (t & 7) * 32;        // line t of the 128 of a chunk
    const bool fetches = rank == 1 || pair == 0;                                  // rank 0's rows are those of rank 1 of the pair before
    const unsigned part = ring + (cw >> 1) * 8192 + (2 * rank + (cw & 1)) * 2048;
    const unsigned part_peer = map_rank(part, peer), full_peer = map_rank(sh(&full[0]), peer);
    const int rot = (lane >> 1) & 3;
    unsigned slot = 0, phase = 1;
    float va[32], vb[32];
    load_part(va, from);
    load_part(vb, from + STEP);
    if (fetches)
      for (int i = 2; i < AHEAD; ++i) asm volatile("prefetch.global.L2 [%0];" ::"l"(fetch + i * STEP));
    fetch += AHEAD * STEP;
    for (int it = 0; it < CHUNKS; it += 2) {
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const int i = it + e;
        from += STEP;  // now chunk i + 1
        unsigned h[16];
        if (fetches && i + AHEAD < CHUNKS) asm volatile("prefetch.global.L2 [%0];" ::"l"(fetch));
        fetch += STEP;
        pack_part(h, e == 0 ? va : vb, rot);
        if (i + 2 < CHUNKS) load_part(e == 0 ? va : vb, from + STEP);
        bar_wait(sh(&empty[slot]), phase);
        store_part(h, part + slot * CHUNK + lane * 64, rot);
        fence_async_shared();
        __syncwarp();
        if (lane == 0) {
          bar_expect(sh(&full[slot]), 2048);
          bulk_peer(part_peer + slot * CHUNK, part + slot * CHUNK, 2048, full_peer + slot * 8);
        }
        __syncwarp();
        if (++slot == SLOTS) {
          slot = 0;
          phase ^= 1;
        }
      }
    }
  }
  __syncwarp();
  cluster_sync();
}
