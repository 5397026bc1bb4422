/* hone 1
where = ["STAGES * BK * 896 + OUT * 512 <= 225280", "BK * STAGES >= 160", "TAIL + 2 <= STAGES", "LEAD + 2 <= STAGES"]

[tune]
BK     = { values = [32, 48], default = 32 }           # rows of dy and x in a stage
STAGES = { values = [4, 5, 6, 7], default = 6 }
OUT    = { values = [48, 96], default = 96 }           # rows of y in one bulk store
TAIL   = { values = [0, 2, 3, 4], default = 3 }        # last stages of a tile whose second half of products runs beside the stores of the first
LEAD   = { values = [0, 1, 2, 3, 4], default = 3 }     # stages that the first consumer group is ahead of the second
STREAM = { values = [0, 1], default = 1 }              # results leave the cache first
AHEAD  = { values = [128, 256], default = 128 }        # bytes that the second-level cache fetches for a copy

[[tensormap]]                    # y as experts * m rows
name    = "y_map"
tensor  = "y"
shape   = ["max(1, experts * m * (m % 192 == 0) * (n % 256 == 0))", "max(64, n * (m % 192 == 0) * (n % 256 == 0))"]
box     = ["OUT", 64]
swizzle = "128B"

[[scratch]]
name  = "ticket"
dtype = "i32"
shape = [32]

[[launch]]
kernel = "set_ticket"
when   = "m % 192 == 0 and n % 256 == 0 and experts <= 256"
grid   = [1]
block  = [32]
args   = ["ticket", "sm_count"]

[[launch]]                       # 192 x 256 outputs a tile; blocks stay and take tiles, longest expert first
kernel = "dw_tiles"
when   = "m % 192 == 0 and n % 256 == 0 and experts <= 256"
grid   = ["sm_count"]
block  = [384]
shared = "STAGES * BK * 896 + OUT * 512 + 1024"
args   = ["y_map", "dy", "x", "ends", "y", "ticket", "experts", "m", "n"]

[[launch]]                       # every other shape
kernel = "dw_any"
when   = "not (m % 192 == 0 and n % 256 == 0 and experts <= 256)"
grid   = ["ceil_div(n, 32)", "min(ceil_div(m, 32), 65535)", "min(experts, 65535)"]
block  = [256]
args   = ["dy", "x", "ends", "y", "experts", "m", "n"]
*/
#include <cuda.h>
#include <cuda_bf16.h>

#ifndef BK
#define BK 32
#define STAGES 6
#define OUT 96
#define TAIL 3
#define LEAD 3
#define STREAM 1
#define AHEAD 128
#endif

typedef unsigned long long u64;
typedef __nv_bfloat16 bf16;

#define SLICES (BK / 16)      // products of depth 16 in a stage
#define BLOCK64 (BK * 128)    // bytes of BK rows of 64 columns
#define STAGE (BK * 896)      // three such blocks of dy, then four of x
#define OUT_BYTES (OUT * 128) // one staging buffer: OUT rows of 64 columns of y, swizzled
#define MAX_EXPERTS 256

__device__ __forceinline__ unsigned sh(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void bar_init(unsigned bar, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory");
}
__device__ __forceinline__ void bar_arrive(unsigned bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
}
__device__ __forceinline__ void bar_arrive_copies(unsigned bar) {  // once all earlier cp.async of this thread have landed
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(bar) : "memory");
}
__device__ __forceinline__ void bar_wait(unsigned bar, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done) : "r"(bar), "r"(parity) : "memory");
}
// 16 bytes, or 16 zeros where size is 0
__device__ __forceinline__ void copy16(unsigned to, const void* from, unsigned size) {
#if AHEAD == 256
  asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(size) : "memory");
#else
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(size) : "memory");
#endif
}
__device__ __forceinline__ void store16(void* to, unsigned a, unsigned b, unsigned c, unsigned d) {
#if STREAM
  asm volatile("st.global.cs.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
#else
  asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
#endif
}
__device__ __forceinline__ void store_box(const CUtensorMap* map, int col, int row, unsigned from) {
#if STREAM
  u64 policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.L2::cache_hint [%0, {%1, %2}], [%3], %4;"
               ::"l"(map), "r"(col), "r"(row), "r"(from), "l"(policy) : "memory");
#else
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];"
               ::"l"(map), "r"(col), "r"(row), "r"(from) : "memory");
#endif
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
// Shared-memory operand with 128-byte swizzle: address, leading and stride offset in bytes.
__device__ __forceinline__ u64 operand(unsigned at, unsigned leading, unsigned stride) {
  return (u64)((at & 0x3ffff) >> 4) | (u64)(leading >> 4) << 16 | (u64)(stride >> 4) << 32 | 1ull << 62;
}
#define R8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define R32(i) R8(i), R8(i + 8), R8(i + 16), R8(i + 24)
// d = a b (+ d where add): in both operands k is the row, so both are transposed.
__device__ __forceinline__ void wgmma_n192(float (&d)[96], u64 a, u64 b, int add) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %98, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n192k16.f32.bf16.bf16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,"
      "%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,"
      "%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,"
      "%87,%88,%89,%90,%91,%92,%93,%94,%95}, "
      "%96, %97, p, 1, 1, 1, 1;\n}"
      : R32(0), R32(32), R32(64) : "l"(a), "l"(b), "r"(add));
}
#define WGMMA_FENCE asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define WGMMA_COMMIT asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WGMMA_WAIT(n) asm volatile("wgmma.wait_group.sync.aligned " #n ";" ::: "memory")
__device__ __forceinline__ void hold(float (&d)[96]) {  // no use of d moves across
#pragma unroll
  for (int i = 0; i < 96; ++i) asm volatile("" : "+f"(d[i])::"memory");
}
__device__ __forceinline__ unsigned pack(float lo, float hi) {
  unsigned r;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(hi), "f"(lo));
  return r;
}

struct Ring {  // a consumer's place in the ring of stages
  unsigned full0, empty0;
  int stage;
  unsigned parity;
  __device__ __forceinline__ void wait() const { bar_wait(full0 + 8 * stage, parity); }
  __device__ __forceinline__ void next() {
    if (++stage == STAGES) stage = 0, parity ^= 1;
  }
};

// 64 columns of y from a group's accumulators, turned round in shared memory, OUT rows at a time: two buffers by turns,
// each given away by a bulk store. Thread 0 of the group starts all stores of the group; its `put` is where they lie.
__device__ __forceinline__ void give(float (&d)[96], const CUtensorMap* map, int col, int row, unsigned put, int bar) {
  const bool starter = (threadIdx.x & 127) == 0;
#pragma unroll
  for (int c = 0; c < 192 / OUT; ++c) {
    const unsigned at = put + (c & 1) * OUT_BYTES;
    if (starter) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");  // the last store from this buffer has been read
    asm volatile("bar.sync %0, 128;" ::"r"(bar) : "memory");
#pragma unroll
    for (int j = 0; j < OUT / 16; ++j) {
      const float* v = d + c * (OUT / 2) + j * 8;
      asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at + j * 2048),
                   "r"(pack(v[0], v[1])), "r"(pack(v[2], v[3])), "r"(pack(v[4], v[5])), "r"(pack(v[6], v[7]))
                   : "memory");
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("bar.sync %0, 128;" ::"r"(bar) : "memory");
    if (starter) store_box(map, col, row + c * OUT, at);
  }
}

// One tile: the products of 64 columns of x (two such blocks for WIDE) and 192 of dy, over `slices` slices of 16 rows; then
// the results go to y. With WIDE and TAIL, the last TAIL stages are done for d first and then, as one group, for f, so that
// d is given away while those products of f are under way. A commit stands in one line of code with the last product before
// it: behind a loop or a branch it would cost a product of its own, and WGMMA_WAIT(1) would wait for all of f.
template <bool WIDE>
__device__ __forceinline__ void multiply(float (&d)[96], float (&f)[96], u64 a0, u64 b0, int slices, Ring& ring, bool first, int& lead,
                                         const CUtensorMap* map, int col, int row, unsigned put, int bar) {
  const bool split = WIDE && TAIL > 0 && slices > (TAIL - 1) * SLICES;  // there are TAIL stages at least
  int before = -1;
  const int mains = split ? (slices + SLICES - 1) / SLICES - TAIL : slices / SLICES;
#pragma unroll 1
  for (int i = mains; i > 0; --i) {
    ring.wait();
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    const u64 a = a0 + ring.stage * (STAGE / 16), b = b0 + ring.stage * (STAGE / 16);
    const int add = before >= 0;
    WGMMA_FENCE;
#pragma unroll
    for (int k = 0; k < SLICES; ++k) {
      wgmma_n192(d, a + k * 128, b + k * 128, k == 0 ? add : 1);
      if (WIDE) wgmma_n192(f, a + k * 128 + BLOCK64 / 16, b + k * 128, k == 0 ? add : 1);
    }
    WGMMA_COMMIT;
    WGMMA_WAIT(1);  // the stage before is read
    if (add && first) bar_arrive(ring.empty0 + 8 * before);
    before = ring.stage;
    ring.next();
    if (lead > 0 && --lead == 0) asm volatile("bar.arrive 4, 256;" ::: "memory");
  }
  const int start = ring.stage;  // the first stage of the tail
  if (split) {
    const int add = before >= 0, rest = slices - (mains + TAIL - 1) * SLICES;  // slices of the last stage: 1 to SLICES
#pragma unroll
    for (int t = 0; t < TAIL; ++t) {
      ring.wait();
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      const u64 a = a0 + ring.stage * (STAGE / 16), b = b0 + ring.stage * (STAGE / 16);
      if (t < TAIL - 1) {  // a whole stage, d
        WGMMA_FENCE;
#pragma unroll
        for (int k = 0; k < SLICES; ++k) wgmma_n192(d, a + k * 128, b + k * 128, t == 0 && k == 0 ? add : 1);
        WGMMA_COMMIT;
        if (t == 0) {
          WGMMA_WAIT(1);  // the stage before the tail is read
          if (add && first) bar_arrive(ring.empty0 + 8 * before);
        }
      } else {  // the last one
        int more = add;
#pragma unroll
        for (int k = 1; k < SLICES; ++k)
          if (k < rest) {  // its slices but the first, d and f
            WGMMA_FENCE;
            wgmma_n192(d, a + k * 128, b + k * 128, 1);
            wgmma_n192(f, a + k * 128 + BLOCK64 / 16, b + k * 128, more);
            WGMMA_COMMIT;
            more = 1;
          }
        WGMMA_FENCE;
        wgmma_n192(d, a, b, 1);
        WGMMA_COMMIT;
        WGMMA_FENCE;
#pragma unroll
        for (int q = 0; q < TAIL; ++q) {  // what is left of f in the stages of the tail
          const unsigned at = (start + q < STAGES ? start + q : start + q - STAGES) * (STAGE / 16);
#pragma unroll
          for (int k = 0; k < (q < TAIL - 1 ? SLICES : 1); ++k)
            wgmma_n192(f, a0 + (at + k * 128 + BLOCK64 / 16), b0 + (at + k * 128), q == 0 && k == 0 ? more : 1);
        }
        WGMMA_COMMIT;
      }
      ring.next();
      if (lead > 0 && --lead == 0) asm volatile("bar.arrive 4, 256;" ::: "memory");
    }
    WGMMA_WAIT(1);  // d is done; f is under way, and not to be touched
    hold(d);
    give(d, map, col, row, put, bar);
    WGMMA_WAIT(0);
    if (first) {  // the stages of the tail are read
#pragma unroll
      for (int q = 0; q < TAIL; ++q) bar_arrive(ring.empty0 + 8 * (start + q < STAGES ? start + q : start + q - STAGES));
    }
    hold(f);
    give(f, map, col + 64, row, put, bar);
  } else {
    const int rest = slices - mains * SLICES;  // slices of a last stage that is not full
    if (rest > 0) {
      ring.wait();
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      const u64 a = a0 + ring.stage * (STAGE / 16), b = b0 + ring.stage * (STAGE / 16);
      const int add = before >= 0;
#pragma unroll
      for (int r = 1; r < SLICES; ++r)
        if (rest == r) {
          WGMMA_FENCE;
#pragma unroll
          for (int k = 0; k < r; ++k) {
            wgmma_n192(d, a + k * 128, b + k * 128, k == 0 ? add : 1);
            if (WIDE) wgmma_n192(f, a + k * 128 + BLOCK64 / 16, b + k * 128, k == 0 ? add : 1);
          }
          WGMMA_COMMIT;
        }
      WGMMA_WAIT(1);
      if (add && first) bar_arrive(ring.empty0 + 8 * before);
      before = ring.stage;
      ring.next();
      if (lead > 0 && --lead == 0) asm volatile("bar.arrive 4, 256;" ::: "memory");
    }
    WGMMA_WAIT(0);
    if (first) bar_arrive(ring.empty0 + 8 * before);
    hold(d);
    if (WIDE) hold(f);
    give(d, map, col, row, put, bar);
    if (WIDE) give(f, map, col + 64, row, put, bar);
  }
}

extern "C" __global__ void set_ticket(int* ticket, int first) {
  if (threadIdx.x == 0) *ticket = first;
}

extern "C" __global__ void __launch_bounds__(384, 1)
    dw_tiles(const __grid_constant__ CUtensorMap y_map, const bf16* __restrict__ dy, const bf16* __restrict__ x,
             const long long* __restrict__ ends, bf16* __restrict__ y, int* __restrict__ ticket, int experts, int m, int n) {
  extern __shared__ char raw[];
  __shared__ u64 full[STAGES], empty[STAGES];
  __shared__ int4 info[STAGES];  // of a tile, in its first stage: expert (-1: no more), rows, first row of y, first column + blocks of 64
  __shared__ int size_of[MAX_EXPERTS];                                                  // by expert
  __shared__ int list_id[MAX_EXPERTS], list_from[MAX_EXPERTS], list_rows[MAX_EXPERTS];  // longest first
  __shared__ int next_item[2];
  __shared__ int plan[8];

  const unsigned base = (sh(raw) + 1023) & ~1023u;
  const unsigned full0 = sh(full), empty0 = sh(empty);
  const int tid = threadIdx.x, lane = tid & 31;
  const int group = __shfl_sync(0xffffffffu, tid >> 7, 0), warp = __shfl_sync(0xffffffffu, (tid >> 5) & 3, 0);

  if (tid == 0) {
    for (int s = 0; s < STAGES; ++s) {
      bar_init(full0 + 8 * s, 129);  // the copies of each producer thread, and the note in info
      bar_init(empty0 + 8 * s, 8);   // each consumer warp
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("prefetch.tensormap [%0];" ::"l"(&y_map) : "memory");
  }
  int from = 0, size = 0;
  if (tid < experts) {
    from = tid == 0 ? 0 : (int)ends[tid - 1];
    size = (int)ends[tid] - from;
    size_of[tid] = size;
  }
  const int used = __syncthreads_count(size > 0);  // experts that have rows
  if (tid == 383) {  // the order of work, the same in every block
    const int blocks = gridDim.x, per_m = m / 192, per = per_m * (n >> 8), tiles = used * per;
    const long long total = ends[experts - 1], fair = total * per / blocks;  // rows times tiles for each block
    // Experts so long that one tile of theirs nears a block's fair share are cut into halves or quarters of tiles.
    const int limit = (int)min(fair * 9 / 10, 0x7fffffffll);
    int big = 0, longest = 0;
#pragma unroll 8
    for (int e = 0; e < experts; ++e) {
      const int other = size_of[e];
      big += other > limit;
      longest = max(longest, other);
    }
    const int big_pieces = longest * 10ll > fair * 18 ? 4 : 2;
    // So is what is left of whole rounds of tiles, if that fits one round.
    const int rest = big > 0 ? 0 : tiles % blocks, pieces = 4 * rest <= blocks ? 4 : 2 * rest <= blocks ? 2 : 1;
    plan[0] = per;
    plan[1] = per_m;
    plan[2] = big * per * big_pieces;                                    // items before this one are parts of big experts' tiles
    plan[3] = big_pieces;
    plan[4] = big * per * (big_pieces - 1) + tiles - rest;               // items from here on are parts of the last tiles
    plan[5] = pieces;
    plan[6] = big * per * (big_pieces - 1) + tiles - rest + rest * pieces;  // all items
    // Zeros of experts without rows: 2 KiB at a time, so often after each step that they end before the products do.
    const long long zeros = (long long)(experts - used) * (m >> 5) * (n >> 5), steps = total / BK * per;
    plan[7] = (int)min(4 * zeros / (3 * steps + 1) + 1, 1000ll);
  }
  if (tid < experts) {
    int rank = 0;
#pragma unroll 8
    for (int e = 0; e < experts; ++e) {
      const int other = size_of[e];
      rank += other > size || (other == size && e < tid);
    }
    list_id[rank] = tid;
    list_from[rank] = from;
    list_rows[rank] = size;
  }
  __syncthreads();

  if (group == 2) {  // producers
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    const int ptid = tid & 127;
    const int row = 4 * warp + (lane >> 3), col = (lane & 7) * 8;  // this thread's row of 16, and column of 64
    const unsigned to = base + row * 128 + (((lane & 7) ^ (row & 7)) << 4);
    int zero_rank = used, zero_at = blockIdx.x;
    auto zeros = [&]() {
      const int parts = (m >> 5) * (n >> 5);
      while (zero_at >= parts && zero_rank < experts) zero_at -= parts, ++zero_rank;
      if (zero_rank >= experts) return;
      store16(y + ((long long)list_id[zero_rank] * parts + zero_at) * 1024 + ptid * 8, 0, 0, 0, 0);
      zero_at += gridDim.x;
    };
    int item = blockIdx.x, stage = 0, turn = 0;
    unsigned parity = 1;  // passes at once in the first round
    while (item < plan[6]) {
      int fetched = 0;
      if (ptid == 0) fetched = atomicAdd(ticket, 1);
      // The tile, and which part of it: wide blocks of 64 columns of x.
      int tile = item - plan[2], part = 0, wide = 4;
      if (tile < 0) {
        const int cut = plan[3];
        tile = item / cut;
        part = item - tile * cut;
        wide = 4 / cut;
      } else {
        tile += plan[2] / plan[3];
        const int over = item - plan[4];
        if (over >= 0) {
          const int cut = plan[5], t = over / cut;
          tile += t - over;
          part = over - t * cut;
          wide = 4 / cut;
        }
      }
      const int per = plan[0], per_m = plan[1];
      const int rank = tile / per, in = tile - rank * per;
      const int across = in / per_m;
      const int m0 = (in - across * per_m) * 192, n0 = across * 256 + part * wide * 64;
      const int rows = list_rows[rank];
      const bf16* a = dy + (long long)(list_from[rank] + row) * m + m0 + col;
      const bf16* b = x + (long long)(list_from[rank] + row) * n + n0 + col;
      bool head = ptid == 0;
#pragma unroll 1
      for (int left = rows; left > 0; left -= BK) {
        bar_wait(empty0 + 8 * stage, parity);
        const unsigned at = to + stage * STAGE;
        if (head) {
          info[stage] = make_int4(list_id[rank], rows, m0, n0 | wide);
          head = false;
        }
#pragma unroll
        for (int i = 0; i < SLICES; ++i) {
          const unsigned bytes = i * 16 + row < left ? 16 : 0;  // zeros behind the expert's end
#pragma unroll
          for (int j = 0; j < 3; ++j) copy16(at + i * 2048 + j * BLOCK64, a + 64 * j, bytes);
          copy16(at + i * 2048 + 3 * BLOCK64, b, bytes);
          if (wide > 1) copy16(at + i * 2048 + 4 * BLOCK64, b + 64, bytes);
          if (wide > 2) {
            copy16(at + i * 2048 + 5 * BLOCK64, b + 128, bytes);
            copy16(at + i * 2048 + 6 * BLOCK64, b + 192, bytes);
          }
          a += 16 * (long long)m;
          b += 16 * (long long)n;
        }
        bar_arrive_copies(full0 + 8 * stage);
        if (ptid == 0) bar_arrive(full0 + 8 * stage);
        if (++stage == STAGES) stage = 0, parity ^= 1;
        if (zero_rank < experts)
          for (int i = plan[7]; i > 0; --i) zeros();
      }
      if (ptid == 0) next_item[turn] = fetched;
      asm volatile("bar.sync 1, 128;" ::: "memory");
      item = next_item[turn];
      turn ^= 1;
    }
    bar_wait(empty0 + 8 * stage, parity);
    if (ptid == 0) {
      info[stage] = make_int4(-1, 0, 0, 0);
      bar_arrive(full0 + 8 * stage);
    }
    bar_arrive(full0 + 8 * stage);
    while (zero_rank < experts) zeros();
    asm volatile("cp.async.wait_all;" ::: "memory");
  } else {  // consumers: 128 columns of y each
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    float d[96], f[96];
#pragma unroll
    for (int i = 0; i < 96; ++i) d[i] = f[i] = 0.0f;
    const u64 x0 = operand(base + 3 * BLOCK64, BLOCK64, 1024), dy0 = operand(base, BLOCK64, 1024);
    const int turned = (lane >> 4) * 8 + (lane & 7);  // row of 16 that this lane names for stmatrix
    const unsigned put = base + STAGES * STAGE + group * (2 * OUT_BYTES) + turned * 128 +
                         (((2 * warp + ((lane >> 3) & 1)) ^ (lane & 7)) << 4);
    Ring ring{full0, empty0, 0, 0};
    int lead = group == 0 ? LEAD : 0;
    if (LEAD > 0 && group == 1) asm volatile("bar.sync 4, 256;" ::: "memory");
    while (true) {
      ring.wait();
      const int4 what = info[ring.stage];
      const int e = __shfl_sync(0xffffffffu, what.x, 0), rows = __shfl_sync(0xffffffffu, what.y, 0),
                m0 = __shfl_sync(0xffffffffu, what.z, 0), w = __shfl_sync(0xffffffffu, what.w, 0);
      if (e < 0) break;
      const int wide = w & 7, slices = (rows + 15) >> 4;
      const int row = e * m + m0, col = w & ~7;  // of y as experts * m rows
      if (wide == 4) {
        multiply<true>(d, f, x0 + group * (2 * BLOCK64 / 16), dy0, slices, ring, lane == 0, lead, &y_map, col + group * 128, row, put,
                       2 + group);
      } else if (group < wide) {
        multiply<false>(d, f, x0 + group * (BLOCK64 / 16), dy0, slices, ring, lane == 0, lead, &y_map, col + group * 64, row, put,
                        2 + group);
      } else {  // nothing to do here: hand the stages back
        for (int left = slices; left > 0; left -= SLICES) {
          ring.wait();
          __syncwarp();
          if (lane == 0) bar_arrive(empty0 + 8 * ring.stage);
          ring.next();
        }
      }
    }
    if (lead > 0) asm volatile("bar.arrive 4, 256;" ::: "memory");
    if ((tid & 127) == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

// Any shape: 32 x 32 outputs a block, in single precision.
extern "C" __global__ void __launch_bounds__(256)
    dw_any(const bf16* __restrict__ dy, const bf16* __restrict__ x, const long long* __restrict__ ends, bf16* __restrict__ y,
           int experts, long long m, long long n) {
  __shared__ float p[32][33], q[32][33];
  const int c = threadIdx.x & 31, r = threadIdx.x >> 5;
  const long long n0 = blockIdx.x * 32ll;
  for (long long e = blockIdx.z; e < experts; e += gridDim.z) {
    const long long from = e == 0 ? 0 : ends[e - 1], to = ends[e];
    for (long long m0 = blockIdx.y * 32ll; m0 < m; m0 += gridDim.y * 32ll) {
      float sum[4] = {};
      for (long long k0 = from; k0 < to; k0 += 32) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const int k = r + 8 * i;
          const bool in = k0 + k < to;
          p[k][c] = in && m0 + c < m ? __bfloat162float(dy[(k0 + k) * m + m0 + c]) : 0.0f;
          q[k][c] = in && n0 + c < n ? __bfloat162float(x[(k0 + k) * n + n0 + c]) : 0.0f;
        }
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 32; ++k)
#pragma unroll
          for (int i = 0; i < 4; ++i) sum[i] = fmaf(p[k][r + 8 * i], q[k][c], sum[i]);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
        if (m0 + r + 8 * i < m && n0 + c < n) y[(e * m + m0 + r + 8 * i) * n + n0 + c] = __float2bfloat16(sum[i]);
    }
  }
}
