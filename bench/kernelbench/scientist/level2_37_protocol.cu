/* hone 1
[tune]
PRE = { values = [5, 6, 8, 16, 128], default = 6 }   # blocks of 256 rows of x that are converted by the first launch
LAG = { values = [0, 1, 2], default = 2 }            # stages that the second consumer starts behind the first

[[scratch]]
name  = "xp"
dtype = "u8"
shape = [32768, 2048]

[[scratch]]
name  = "wp"
dtype = "u8"
shape = [4096, 2048]

[[scratch]]
name  = "meta"
dtype = "f32"
shape = [32768, 2]

[[scratch]]
name  = "cols"
dtype = "f32"
shape = [16, 6, 256]

[[scratch]]
name  = "xq"
dtype = "u8"
shape = [32768, 4096]

[[scratch]]
name  = "wq"
dtype = "u8"
shape = [4096, 4096]

[[scratch]]
name  = "metaq"
dtype = "f32"
shape = [32768, 2]

[[scratch]]
name  = "colsq"
dtype = "f32"
shape = [16, 6, 256]

[[scratch]]
name  = "flags"
dtype = "i32"
shape = [1024]

[[scratch]]
name  = "verdict"
dtype = "i32"
shape = ["(4096 + 256 * PRE) / 8"]

[[scratch]]
name  = "list"
dtype = "i32"
shape = [32768]

[[tensormap]]
name    = "x_map"
tensor  = "xp"
box     = [128, 128]
swizzle = "128B"
l2      = "128B"

[[tensormap]]
name    = "w_map"
tensor  = "wp"
box     = [128, 128]
swizzle = "128B"
l2      = "128B"

[[tensormap]]
name    = "w_small"
tensor  = "wp"
box     = [32, 128]
swizzle = "128B"
l2      = "128B"

[[tensormap]]
name    = "xq_map"
tensor  = "xq"
box     = [128, 128]
swizzle = "128B"
l2      = "128B"

[[tensormap]]
name    = "wq_map"
tensor  = "wq"
box     = [128, 128]
swizzle = "128B"
l2      = "128B"

[[tensormap]]
name    = "wq_small"
tensor  = "wq"
box     = [32, 128]
swizzle = "128B"
l2      = "128B"

[[launch]]
kernel = "prepare"
grid   = ["(4096 + 256 * PRE) / 8"]
block  = [256]
args   = ["x", "matmul_weight", "matmul_bias", "bias", "group_norm_weight", "group_norm_bias", "xp", "wp", "meta", "cols", "flags", "verdict"]

[[launch]]
kernel  = "fused"
grid    = ["sm_count / 2 * 2"]
block   = [384]
cluster = [2]
shared  = "4 * 49152 + 2 * 6144 + 1024"
args    = ["x_map", "w_map", "w_small", "x", "xp", "meta", "cols", "flags", "verdict", "list", "y"]

[[launch]]                       # rows that the fixed-point way does not serve; nothing to do on ordinary inputs
kernel  = "fused_float"
grid    = ["sm_count / 2 * 2"]
block   = [384]
cluster = [2]
shared  = "4 * 49152 + 2 * 6144 + 1024"
args    = ["xq_map", "wq_map", "wq_small", "x", "matmul_weight", "matmul_bias", "bias", "group_norm_weight", "group_norm_bias", "xq", "wq", "metaq", "colsq", "flags", "list", "y"]
*/
#include <cuda.h>
#include <cuda_fp16.h>
typedef unsigned long long u64;

#define ROWS 32768
#define NCOL 4096
#define STAGES 4
#define STAGE 49152u    // bytes: a 128 rows x 128, then b 256 rows x 128
#define STEPS8 24       // s8: 8 steps x1 w1, 8 steps x1 w2, 8 steps x2 w1 (128 bytes of each packed row a step)
#define STEPS 32        // floating: 16 steps of e4m3 (corrections), then 16 of f16
#define TILES 2048      // (32768 / 256) * (4096 / 256), a cluster of two blocks each
#define LOG2E 1.4426950408889634f
#define FLOAT_ROWS 257  // flags: number of rows that go the floating way
#define FLOAT_ALL 258   // flags: all of them do
#define FLOAT_READY 512 // flags: rows packed in each block of 128 of the floating way
#define FLOAT_NEXT 768  // flags: its next row to pack, those of w first
#define FLOAT_W 784     // flags: rows of w packed in each block of 256

// ---------------------------------------------------------------- fixed-point packing
// A packed row has 2048 bytes: 1024 s8 x1, 1024 s8 x2. With t = 127 value / top: x1 = rint(t), x2 = rint(254 (t - x1)).
// 127 * 127 * 254 * sum(x w) / (top_x top_w) = 254 x1 w1 + x1 w2 + x2 w1 (+ x2 w2 / 254, left out).
// It serves a row whose errors stay far below the tolerance (top <= limit), and whose sums provably stay within 31 bits
// (sum of t^2 <= squares, by Cauchy and Schwarz); other rows are listed and done in floating slices by the last launch.
#define MAGIC 12582912.0f  // 1.5 * 2^23: t + MAGIC has rint(t) in its low bits
__device__ __forceinline__ unsigned low_bytes(float a, float b, float c, float d) {
  const unsigned ab = __byte_perm(__float_as_uint(a), __float_as_uint(b), 0x0040);
  const unsigned cd = __byte_perm(__float_as_uint(c), __float_as_uint(d), 0x0040);
  return __byte_perm(ab, cd, 0x5410);
}

// One warp packs one row. Returns whether the row is served well; top, mean (subtracted when CENTER) and sum of the row.
template <bool CENTER>
__device__ __forceinline__ bool pack_fixed(const float* __restrict__ src, unsigned char* __restrict__ dst, int lane, float& top, float& mean, float& sum) {
  float4 v[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = __ldcs(reinterpret_cast<const float4*>(src) + i * 32 + lane);
  float s[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) s[i] = (v[i].x + v[i].y) + (v[i].z + v[i].w);
  float total = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
#pragma unroll
  for (int o = 16; o > 0; o /= 2) total += __shfl_xor_sync(0xffffffffu, total, o);
  sum = total;
  mean = CENTER ? total * (1.0f / 1024.0f) : 0.0f;
  float most = 0.0f, squares = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (CENTER) { v[i].x -= mean; v[i].y -= mean; v[i].z -= mean; v[i].w -= mean; }
    most = fmaxf(most, fmaxf(fmaxf(fabsf(v[i].x), fabsf(v[i].y)), fmaxf(fabsf(v[i].z), fabsf(v[i].w))));
    squares += (v[i].x * v[i].x + v[i].y * v[i].y) + (v[i].z * v[i].z + v[i].w * v[i].w);
  }
#pragma unroll
  for (int o = 16; o > 0; o /= 2) {
    most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, o));
    squares += __shfl_xor_sync(0xffffffffu, squares, o);
  }
  top = fmaxf(most, 1e-30f);
  const float scale = 127.0f / top;
  unsigned* hi = reinterpret_cast<unsigned*>(dst);
  unsigned* lo = reinterpret_cast<unsigned*>(dst + 1024);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const float a = v[i].x * scale, b = v[i].y * scale, c = v[i].z * scale, d = v[i].w * scale;
    const float a1 = a + MAGIC, b1 = b + MAGIC, c1 = c + MAGIC, d1 = d + MAGIC;
    hi[i * 32 + lane] = low_bytes(a1, b1, c1, d1);
    const float a2 = (a - (a1 - MAGIC)) * 254.0f, b2 = (b - (b1 - MAGIC)) * 254.0f;
    const float c2 = (c - (c1 - MAGIC)) * 254.0f, d2 = (d - (d1 - MAGIC)) * 254.0f;
    lo[i * 32 + lane] = low_bytes(a2 + MAGIC, b2 + MAGIC, c2 + MAGIC, d2 + MAGIC);
  }
  const float norm2 = squares * scale * scale;  // uniform: 5.5e6, deviation 1.5e5
  // (2900 + 16) * (2600 + 16) * 254 + cross terms < 2^31
  return CENTER ? top <= 0.7f && norm2 <= 2900.0f * 2900.0f : top <= 0.04f && norm2 <= 2600.0f * 2600.0f;
}

// meta of a row: top and mean; top is negative when the row goes the floating way.
__device__ __forceinline__ bool pack_x(const float* x, unsigned char* xp, float* meta, int row, int lane) {
  float top, mean, sum;
  const bool good = pack_fixed<true>(x + (long long)row * 1024, xp + (long long)row * 2048, lane, top, mean, sum);
  if (lane == 0) reinterpret_cast<float2*>(meta)[row] = make_float2(good ? top : -top, mean);
  return good;
}

extern "C" __global__ void __launch_bounds__(256)
    prepare(const float* x, const float* w, const float* wb, const float* bias, const float* gw, const float* gb, unsigned char* xp,
            unsigned char* wp, float* meta, float* cols, int* flags, int* verdict) {
  const int lane = threadIdx.x % 32, r = blockIdx.x * 8 + threadIdx.x / 32;
  if (blockIdx.x == 0)
    for (int i = threadIdx.x; i < 1024; i += 256) flags[i] = i == 256 ? PRE * 256 : 0;
  bool good;
  if (r < NCOL) {
    float top, mean, sum;
    // Column 16 J + 4 q + 2 b + c of the output stands at 16 J + 8 b + 2 q + c of the product: a lane then holds four neighbours.
    const int p = (r & ~15) | (r & 2) << 2 | (r & 12) >> 1 | (r & 1);
    good = pack_fixed<false>(w + (long long)r * 1024, wp + (long long)p * 2048, lane, top, mean, sum);
    if (lane == 0) {  // all in units of -log2(e): u = -log2(e) z
      float* c = cols + (r / 256) * 1536 + r % 256;
      c[0] = -LOG2E * (512.0f / (127.0f * 127.0f * 254.0f)) * top;
      c[256] = -LOG2E * sum;
      c[512] = -LOG2E * wb[r];
      c[768] = -LOG2E * bias[r];
      c[1024] = -gw[r];
      c[1280] = gb[r];
    }
  } else {
    good = pack_x(x, xp, meta, r - NCOL, lane);
  }
  const int bad = __syncthreads_count(lane == 0 && !good);
  if (threadIdx.x == 0) verdict[blockIdx.x] = bad;  // bad rows among these eight
}

// ---------------------------------------------------------------- floating packing
// A packed row has 4096 bytes: 1024 e4m3, 1024 e4m3, 1024 f16. With t = value * scale, |t| < 2^14, h = f16(t):
//   x: e4m3(t / 64) | e4m3(64 (t - h)) | h        w: e4m3(64 (t - h)) | e4m3(t / 64) | h
// so that the e4m3 products have the very scale of the f16 products (2^28 relative to values below 1).
__device__ __forceinline__ unsigned e4m3x4(float a, float b, float c, float d) {
  unsigned short lo, hi;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(lo) : "f"(b), "f"(a));
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(hi) : "f"(d), "f"(c));
  return (unsigned)lo | (unsigned)hi << 16;
}

// One warp packs one row. Returns the inverse scale; mean (subtracted when CENTER) and sum of the row.
template <bool CENTER>
__device__ __forceinline__ float pack_row(const float* __restrict__ src, unsigned char* __restrict__ dst, int lane, float& mean, float& sum) {
  float4 v[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = __ldcs(reinterpret_cast<const float4*>(src) + i * 32 + lane);
  float s[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) s[i] = (v[i].x + v[i].y) + (v[i].z + v[i].w);
  float total = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
#pragma unroll
  for (int o = 16; o > 0; o /= 2) total += __shfl_xor_sync(0xffffffffu, total, o);
  sum = total;
  mean = CENTER ? total * (1.0f / 1024.0f) : 0.0f;
  float top = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (CENTER) { v[i].x -= mean; v[i].y -= mean; v[i].z -= mean; v[i].w -= mean; }
    top = fmaxf(top, fmaxf(fmaxf(fabsf(v[i].x), fabsf(v[i].y)), fmaxf(fabsf(v[i].z), fabsf(v[i].w))));
  }
#pragma unroll
  for (int o = 16; o > 0; o /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, o));
  // x: the largest element becomes exactly 2^14, so that an outlier has no low part; w: a power of two, exact.
  const int e = max(__float_as_int(top) >> 23, 30);  // top < 2^(e - 126)
  const float held = fmaxf(top, 1e-30f);
  const float scale = CENTER ? 16384.0f / held : __int_as_float((267 - e) << 23);
  unsigned* big = reinterpret_cast<unsigned*>(dst + (CENTER ? 0 : 1024));
  unsigned* small = reinterpret_cast<unsigned*>(dst + (CENTER ? 1024 : 0));
  uint2* half_part = reinterpret_cast<uint2*>(dst + 2048);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const float a = v[i].x * scale, b = v[i].y * scale, c = v[i].z * scale, d = v[i].w * scale;
    const __half2 h0 = __floats2half2_rn(a, b), h1 = __floats2half2_rn(c, d);
    const float2 f0 = __half22float2(h0), f1 = __half22float2(h1);
    big[i * 32 + lane] = e4m3x4(a * 0.015625f, b * 0.015625f, c * 0.015625f, d * 0.015625f);
    small[i * 32 + lane] = e4m3x4((a - f0.x) * 64.0f, (b - f0.y) * 64.0f, (c - f1.x) * 64.0f, (d - f1.y) * 64.0f);
    uint2 o;
    o.x = *reinterpret_cast<const unsigned*>(&h0);
    o.y = *reinterpret_cast<const unsigned*>(&h1);
    half_part[i * 32 + lane] = o;
  }
  return CENTER ? held * (1.0f / 16384.0f) : __int_as_float((e - 13) << 23);
}

__device__ __forceinline__ void pack_x_float(const float* x, unsigned char* xq, float* metaq, int from, int to, int lane) {
  float mean, sum;
  const float inv = pack_row<true>(x + (long long)from * 1024, xq + (long long)to * 4096, lane, mean, sum);
  if (lane == 0) reinterpret_cast<float2*>(metaq)[to] = make_float2(inv, mean);
}

__device__ __forceinline__ void pack_w_float(const float* w, const float* wb, const float* bias, const float* gw, const float* gb, unsigned char* wq,
                                             float* colsq, int r, int lane) {
  float mean, sum;
  const int p = (r & ~15) | (r & 2) << 2 | (r & 12) >> 1 | (r & 1);
  const float inv = pack_row<false>(w + (long long)r * 1024, wq + (long long)p * 4096, lane, mean, sum);
  if (lane == 0) {
    float* c = colsq + (r / 256) * 1536 + r % 256;
    c[0] = -LOG2E * inv;
    c[256] = -LOG2E * sum;
    c[512] = -LOG2E * wb[r];
    c[768] = -LOG2E * bias[r];
    c[1024] = -gw[r];
    c[1280] = gb[r];
  }
}

// ---------------------------------------------------------------- product
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
__device__ __forceinline__ void bar_arrive_at(unsigned bar, unsigned rank) {  // the same barrier in block rank of the cluster
  asm volatile("{\n.reg .b32 t;\nmapa.shared::cluster.u32 t, %0, %1;\nmbarrier.arrive.shared::cluster.b64 _, [t];\n}" ::"r"(bar), "r"(rank) : "memory");
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
__device__ __forceinline__ void load_run(unsigned to, const void* from, unsigned bytes, unsigned bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(to), "l"(from), "r"(bytes), "r"(bar) : "memory");
}
__device__ __forceinline__ u64 operand(unsigned at) {  // K-major, 128-byte swizzle
  return (u64)((at & 0x3ffff) >> 4) | (u64)1 << 16 | (u64)64 << 32 | 1ull << 62;
}
__device__ __forceinline__ float ex2(float a) {
  float r;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}
__device__ __forceinline__ float rcp(float a) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}
#define R8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
__device__ __forceinline__ void wgmma_f8(float (&d)[128], u64 a, u64 b, int keep) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,"
      "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,"
      "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129, p, 1, 1;\n}"
      : R8(0), R8(8), R8(16), R8(24), R8(32), R8(40), R8(48), R8(56), R8(64), R8(72), R8(80), R8(88), R8(96), R8(104), R8(112), R8(120)
      : "l"(a), "l"(b), "r"(keep));
}
__device__ __forceinline__ void wgmma_f16(float (&d)[128], u64 a, u64 b, int keep) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,"
      "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,"
      "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129, p, 1, 1, 0, 0;\n}"
      : R8(0), R8(8), R8(16), R8(24), R8(32), R8(40), R8(48), R8(56), R8(64), R8(72), R8(80), R8(88), R8(96), R8(104), R8(112), R8(120)
      : "l"(a), "l"(b), "r"(keep));
}
__device__ __forceinline__ void wgmma_f8(float (&d)[32], u64 a, u64 b, int keep) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, p, 1, 1;\n}"
      : R8(0), R8(8), R8(16), R8(24)
      : "l"(a), "l"(b), "r"(keep));
}
__device__ __forceinline__ void wgmma_f16(float (&d)[32], u64 a, u64 b, int keep) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, p, 1, 1, 0, 0;\n}"
      : R8(0), R8(8), R8(16), R8(24)
      : "l"(a), "l"(b), "r"(keep));
}

#define I8(i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3]), "+r"(d[i + 4]), "+r"(d[i + 5]), "+r"(d[i + 6]), "+r"(d[i + 7])
__device__ __forceinline__ void wgmma_s8(int (&d)[128], u64 a, u64 b, int keep) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129, p;\n}"
      : I8(0), I8(8), I8(16), I8(24), I8(32), I8(40), I8(48), I8(56), I8(64), I8(72), I8(80), I8(88), I8(96), I8(104), I8(112), I8(120)
      : "l"(a), "l"(b), "r"(keep));
}
__device__ __forceinline__ void wgmma_s8(int (&d)[32], u64 a, u64 b, int keep) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.s8 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, p;\n}"
      : I8(0), I8(8), I8(16), I8(24)
      : "l"(a), "l"(b), "r"(keep));
}

#define WG_FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define WG_COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WG_WAIT(n) asm volatile("wgmma.wait_group.sync.aligned " #n ";" ::: "memory")

__device__ __forceinline__ void release(unsigned bar, int lane) {  // a stage goes back to both producers
  if (lane < 2) bar_arrive_at(bar, lane);
}

__device__ __forceinline__ float quad(float s) {
  s += __shfl_xor_sync(0xffffffffu, s, 1);
  return s + __shfl_xor_sync(0xffffffffu, s, 2);
}

// Fixed point, the 24 steps of one tile: 64 rows x 2 R columns for this warpgroup; a at at + group * 8192, b at at + 16384.
template <int R>
__device__ __forceinline__ void products8(int (&d)[R], int& it, unsigned base, unsigned full, unsigned empty, int group, int lane,
                                          const float* meta, int row, float2& m0, float2& m1) {
#pragma unroll 1
  for (int k = 0; k < STEPS8 / 3; ++k, ++it) {  // x1 w1
    const int s = it % STAGES;
    const unsigned at = base + s * STAGE;
    if (LAG > 0 && group == 0 && it == LAG) asm volatile("bar.arrive 1, 256;" ::: "memory");
    bar_wait(full + s * 8, it / STAGES & 1);
    WG_FENCE();
#pragma unroll
    for (int kk = 0; kk < 4; ++kk) wgmma_s8(d, operand(at + group * 8192 + kk * 32), operand(at + 16384 + kk * 32), k > 0 || kk > 0);
    WG_COMMIT();
    WG_WAIT(1);
    if (k > 0) release(empty + (it - 1) % STAGES * 8, lane);
  }
  WG_WAIT(0);
  release(empty + (it - 1) % STAGES * 8, lane);
  m0 = __ldcg(reinterpret_cast<const float2*>(meta) + row);  // ready: the packed rows have been seen
  m1 = __ldcg(reinterpret_cast<const float2*>(meta) + row + 8);
#pragma unroll
  for (int i = 0; i < R; ++i) d[i] = d[i] * 254 + 256;  // 256: the rounding of the shift by 9 in the end
#pragma unroll 1
  for (int k = 0; k < STEPS8 / 3 * 2; ++k, ++it) {  // x1 w2, then x2 w1
    const int s = it % STAGES;
    const unsigned at = base + s * STAGE;
    bar_wait(full + s * 8, it / STAGES & 1);
    WG_FENCE();
#pragma unroll
    for (int kk = 0; kk < 4; ++kk) wgmma_s8(d, operand(at + group * 8192 + kk * 32), operand(at + 16384 + kk * 32), 1);
    WG_COMMIT();
    WG_WAIT(1);
    if (k > 0) release(empty + (it - 1) % STAGES * 8, lane);
  }
  WG_WAIT(0);
  release(empty + (it - 1) % STAGES * 8, lane);
}

// Fixed point to -log2(e) z, swish, bias.
__device__ __forceinline__ float gated8(int a, float top, float mu, float c, float ws, float b, float bi) {
  const float f = __int_as_float((a >> 9) + 0x4B400000) - MAGIC;
  const float u = fmaf(f, top * c, fmaf(mu, ws, b));
  return fmaf(u, rcp(1.0f + ex2(u)), bi);
}

// d[8 J + 4 b + 2 h + c]: row h * 8 of this lane, column 16 J + 4 q + 2 b + c; a group of the norm is four J's over a quad.
#define AS(i) __int_as_float(d[i])
#define PUT(i, v) d[i] = __float_as_int(v)
template <int R>
__device__ __forceinline__ void finish8(int (&d)[R], const float4* par, float2 m0, float2 m1, float* out) {
#pragma unroll
  for (int g = 0; g < R / 32; ++g) {
    float s0 = 0.0f, s1 = 0.0f;
#pragma unroll
    for (int J = 4 * g; J < 4 * g + 4; ++J) {
      const float4 c = par[4 * J], ws = par[64 + 4 * J], b = par[128 + 4 * J], bi = par[192 + 4 * J];
      const int e = 8 * J;
      PUT(e, gated8(d[e], m0.x, m0.y, c.x, ws.x, b.x, bi.x));
      PUT(e + 1, gated8(d[e + 1], m0.x, m0.y, c.y, ws.y, b.y, bi.y));
      PUT(e + 4, gated8(d[e + 4], m0.x, m0.y, c.z, ws.z, b.z, bi.z));
      PUT(e + 5, gated8(d[e + 5], m0.x, m0.y, c.w, ws.w, b.w, bi.w));
      PUT(e + 2, gated8(d[e + 2], m1.x, m1.y, c.x, ws.x, b.x, bi.x));
      PUT(e + 3, gated8(d[e + 3], m1.x, m1.y, c.y, ws.y, b.y, bi.y));
      PUT(e + 6, gated8(d[e + 6], m1.x, m1.y, c.z, ws.z, b.z, bi.z));
      PUT(e + 7, gated8(d[e + 7], m1.x, m1.y, c.w, ws.w, b.w, bi.w));
      s0 += (AS(e) + AS(e + 1)) + (AS(e + 4) + AS(e + 5));
      s1 += (AS(e + 2) + AS(e + 3)) + (AS(e + 6) + AS(e + 7));
    }
    const float mean0 = quad(s0) * 0.015625f, mean1 = quad(s1) * 0.015625f;
    float v0 = 0.0f, v1 = 0.0f;
#pragma unroll
    for (int i = 32 * g; i < 32 * g + 32; i += 4) {
      PUT(i, AS(i) - mean0);
      PUT(i + 1, AS(i + 1) - mean0);
      PUT(i + 2, AS(i + 2) - mean1);
      PUT(i + 3, AS(i + 3) - mean1);
      v0 = fmaf(AS(i), AS(i), v0);
      v1 = fmaf(AS(i + 2), AS(i + 2), v1);
      v0 = fmaf(AS(i + 1), AS(i + 1), v0);
      v1 = fmaf(AS(i + 3), AS(i + 3), v1);
    }
    const float eps = 1e-5f * LOG2E * LOG2E;  // in the units of u
    const float r0 = rsqrtf(fmaf(quad(v0), 0.015625f, eps)), r1 = rsqrtf(fmaf(quad(v1), 0.015625f, eps));
#pragma unroll
    for (int J = 4 * g; J < 4 * g + 4; ++J) {
      const float4 ga = par[256 + 4 * J], be = par[320 + 4 * J];
      const int e = 8 * J;
      __stcs(reinterpret_cast<float4*>(out + 16 * J), make_float4(fmaf(AS(e), r0 * ga.x, be.x), fmaf(AS(e + 1), r0 * ga.y, be.y),
                                                                  fmaf(AS(e + 4), r0 * ga.z, be.z), fmaf(AS(e + 5), r0 * ga.w, be.w)));
      __stcs(reinterpret_cast<float4*>(out + 16 * J + 8 * NCOL), make_float4(fmaf(AS(e + 2), r1 * ga.x, be.x), fmaf(AS(e + 3), r1 * ga.y, be.y),
                                                                             fmaf(AS(e + 6), r1 * ga.z, be.z), fmaf(AS(e + 7), r1 * ga.w, be.w)));
    }
  }
}

// Floating, the 32 steps of one tile: 64 rows x 2 R columns for this warpgroup; a at at + group * 8192, b at at + 16384.
template <int R>
__device__ __forceinline__ void products(float (&d)[R], int& it, unsigned base, unsigned full, unsigned empty, int group, int lane,
                                         const float* meta, int row, float2& m0, float2& m1) {
#pragma unroll 1
  for (int k = 0; k < STEPS / 2; ++k, ++it) {  // corrections: x lo(w), then lo(x) w
    const int s = it % STAGES;
    const unsigned at = base + s * STAGE;
    if (LAG > 0 && group == 0 && it == LAG) asm volatile("bar.arrive 1, 256;" ::: "memory");
    bar_wait(full + s * 8, it / STAGES & 1);
    WG_FENCE();
#pragma unroll
    for (int kk = 0; kk < 4; ++kk) wgmma_f8(d, operand(at + group * 8192 + kk * 32), operand(at + 16384 + kk * 32), k > 0 || kk > 0);
    WG_COMMIT();
    WG_WAIT(1);
    if (k > 0) release(empty + (it - 1) % STAGES * 8, lane);
  }
  WG_WAIT(0);
  release(empty + (it - 1) % STAGES * 8, lane);
  m0 = __ldcg(reinterpret_cast<const float2*>(meta) + row);  // ready: the packed rows have been seen
  m1 = __ldcg(reinterpret_cast<const float2*>(meta) + row + 8);
#pragma unroll 1
  for (int k = 0; k < STEPS / 2; ++k, ++it) {  // hi(x) hi(w)
    const int s = it % STAGES;
    const unsigned at = base + s * STAGE;
    bar_wait(full + s * 8, it / STAGES & 1);
    WG_FENCE();
#pragma unroll
    for (int kk = 0; kk < 4; ++kk) wgmma_f16(d, operand(at + group * 8192 + kk * 32), operand(at + 16384 + kk * 32), 1);
    WG_COMMIT();
    WG_WAIT(1);
    if (k > 0) release(empty + (it - 1) % STAGES * 8, lane);
  }
  WG_WAIT(0);
  release(empty + (it - 1) % STAGES * 8, lane);
}

__device__ __forceinline__ float gated(float a, float rs, float mu, float c, float ws, float b, float bi) {
  const float u = fmaf(a, rs * c, fmaf(mu, ws, b));  // -log2(e) z
  return fmaf(u, rcp(1.0f + ex2(u)), bi);
}
// d[8 J + 4 b + 2 h + c]: row h * 8 of this lane, column 16 J + 4 q + 2 b + c; a group of the norm is four J's over a quad.
template <int R>
__device__ __forceinline__ void finish(float (&d)[R], const float4* par, float2 m0, float2 m1, float* out0, float* out1) {
#pragma unroll
  for (int g = 0; g < R / 32; ++g) {
    float s0 = 0.0f, s1 = 0.0f;
#pragma unroll
    for (int J = 4 * g; J < 4 * g + 4; ++J) {
      const float4 c = par[4 * J], ws = par[64 + 4 * J], b = par[128 + 4 * J], bi = par[192 + 4 * J];
      float* e = d + 8 * J;
      e[0] = gated(e[0], m0.x, m0.y, c.x, ws.x, b.x, bi.x);
      e[1] = gated(e[1], m0.x, m0.y, c.y, ws.y, b.y, bi.y);
      e[4] = gated(e[4], m0.x, m0.y, c.z, ws.z, b.z, bi.z);
      e[5] = gated(e[5], m0.x, m0.y, c.w, ws.w, b.w, bi.w);
      e[2] = gated(e[2], m1.x, m1.y, c.x, ws.x, b.x, bi.x);
      e[3] = gated(e[3], m1.x, m1.y, c.y, ws.y, b.y, bi.y);
      e[6] = gated(e[6], m1.x, m1.y, c.z, ws.z, b.z, bi.z);
      e[7] = gated(e[7], m1.x, m1.y, c.w, ws.w, b.w, bi.w);
      s0 += (e[0] + e[1]) + (e[4] + e[5]);
      s1 += (e[2] + e[3]) + (e[6] + e[7]);
    }
    const float mean0 = quad(s0) * 0.015625f, mean1 = quad(s1) * 0.015625f;
    float v0 = 0.0f, v1 = 0.0f;
#pragma unroll
    for (int i = 32 * g; i < 32 * g + 32; i += 4) {
      d[i] -= mean0;
      d[i + 1] -= mean0;
      d[i + 2] -= mean1;
      d[i + 3] -= mean1;
      v0 = fmaf(d[i], d[i], v0);
      v1 = fmaf(d[i + 2], d[i + 2], v1);
      v0 = fmaf(d[i + 1], d[i + 1], v0);
      v1 = fmaf(d[i + 3], d[i + 3], v1);
    }
    const float eps = 1e-5f * LOG2E * LOG2E;  // in the units of u
    const float r0 = rsqrtf(fmaf(quad(v0), 0.015625f, eps)), r1 = rsqrtf(fmaf(quad(v1), 0.015625f, eps));
#pragma unroll
    for (int J = 4 * g; J < 4 * g + 4; ++J) {
      const float4 ga = par[256 + 4 * J], be = par[320 + 4 * J];
      const float* e = d + 8 * J;
      if (out0) __stcs(reinterpret_cast<float4*>(out0 + 16 * J),
             make_float4(fmaf(e[0], r0 * ga.x, be.x), fmaf(e[1], r0 * ga.y, be.y), fmaf(e[4], r0 * ga.z, be.z), fmaf(e[5], r0 * ga.w, be.w)));
      if (out1) __stcs(reinterpret_cast<float4*>(out1 + 16 * J),
             make_float4(fmaf(e[2], r1 * ga.x, be.x), fmaf(e[3], r1 * ga.y, be.y), fmaf(e[6], r1 * ga.z, be.z), fmaf(e[7], r1 * ga.w, be.w)));
    }
  }
}

// Work of a cluster: whole tiles (256 rows x 256 columns) as long as every cluster has one, then quarters (256 x 64) of the rest.
extern "C" __global__ void __launch_bounds__(384, 1)
    fused(const __grid_constant__ CUtensorMap x_map, const __grid_constant__ CUtensorMap w_map, const __grid_constant__ CUtensorMap w_small,
          const float* x, unsigned char* xp, float* meta, const float* cols, int* flags, const int* verdict, int* list,
          float* y) {
  extern __shared__ char raw[];
  __shared__ u64 full_bars[STAGES], empty_bars[STAGES], pfull_bars[2], pempty_bars[2];
  const unsigned base = (sh(raw) + 1023) & ~1023u;
  const unsigned params = base + STAGES * STAGE;
  const char* params_at = raw + (params - sh(raw));
  const unsigned full = sh(full_bars), empty = sh(empty_bars), pfull = sh(pfull_bars), pempty = sh(pempty_bars);
  const int group = threadIdx.x / 128, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned rank_;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank_));
  const int rank = (int)rank_;
  const int first = blockIdx.x / 2, stride = gridDim.x / 2;
  const int whole = TILES / stride * stride, quarters = (TILES - whole) * 4;


  {  // Do these inputs suit the fixed-point way? All blocks see the same counts of the first launch.
    __shared__ int found[2];
    if (threadIdx.x < 2) found[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < (NCOL + 256 * PRE) / 8; i += 384) {
      const int bad = verdict[i];
      if (bad) atomicAdd(found + (i >= NCOL / 8), bad);
    }
    __syncthreads();
    const bool all = found[0] > 0 || found[1] > 256 * PRE / 6;
    if (blockIdx.x == 0 && threadIdx.x == 0) flags[FLOAT_ALL] = all;
    if (all) return;
    if (blockIdx.x == 0 && found[1] > 0)
      for (int i = threadIdx.x; i < 256 * PRE; i += 384)
        if (meta[2 * i] < 0.0f) list[atomicAdd(flags + FLOAT_ROWS, 1)] = i;
  }
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      bar_init(full + s * 8, 1);    // the own producer's expect
      bar_init(empty + s * 8, 16);  // each consumer warp of both blocks
    }
    for (int s = 0; s < 2; ++s) {
      bar_init(pfull + s * 8, 1);
      bar_init(pempty + s * 8, 8);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");

  if (group == 2) {
    if (warp == 8) {
      if (lane == 0) {  // producer
        int it = 0, local = 0;
        for (int i = first; i < whole + quarters; i += stride, ++local) {
          const bool big = i < whole;
          const int t = big ? i : whole + (i - whole) / 4, sub = big ? 0 : (i - whole) % 4;
          const int m0 = t / 16 * 256 + rank * 128, nb = t % 16;
          if (t / 16 >= PRE) {  // rows that are packed while this kernel runs
            const int* flag = flags + m0 / 128;
            int ready;
            for (;;) {
              asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(ready) : "l"(flag) : "memory");
              if (ready >= 128) break;
              __nanosleep(100);
            }
            asm volatile("fence.proxy.async;" ::: "memory");
          }
          const int pb = local & 1;
          bar_wait(pempty + pb * 8, (local / 2 + 1) & 1);
          bar_expect(pfull + pb * 8, 6144);
          load_run(params + pb * 6144, cols + nb * 1536, 6144, pfull + pb * 8);
          for (int k = 0; k < STEPS8; ++k, ++it) {
            const int s = it % STAGES;
            const unsigned at = base + s * STAGE, bar = full + s * 8;
            bar_wait(empty + s * 8, (it / STAGES + 1) & 1);
            const int xc = k < 8 ? k * 128 : (k - 8) * 128;                // x1 | x1 | x2
            const int wc = k < 16 ? k * 128 : (k - 16) * 128;              // w1 | w2 | w1
            bar_expect(bar, big ? 49152 : 24576);
            load_box(at, &x_map, xc, m0, bar);
            if (big)
              load_box_both(at + 16384 + rank * 16384, &w_map, wc, nb * 256 + rank * 128, bar);
            else
              load_box_both(at + 16384 + rank * 4096, &w_small, wc, nb * 256 + sub * 64 + rank * 32, bar);
          }
        }
      }
    } else {  // three warps pack the rows of later tiles
      for (;;) {
        int row = 0;
        if (lane == 0) row = atomicAdd(flags + 256, 4);
        row = __shfl_sync(0xffffffffu, row, 0);
        if (row >= ROWS) break;
        for (int i = 0; i < 4; ++i)
          if (!pack_x(x, xp, meta, row + i, lane) && lane == 0) list[atomicAdd(flags + FLOAT_ROWS, 1)] = row + i;
        asm volatile("fence.proxy.async;" ::: "memory");
        __threadfence();
        __syncwarp();
        if (lane == 0) asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(flags + row / 128), "r"(4) : "memory");
      }
    }
    __syncwarp();
  } else {  // consumers: 64 rows each
    const int q = lane % 4;
    const int row_in = rank * 128 + group * 64 + (warp % 4) * 16 + lane / 4;
    int it = 0, local = 0, i = first;
    if (LAG > 0 && group == 1) asm volatile("bar.sync 1, 256;" ::: "memory");
    {
      int d[128] = {};
      for (; i < whole; i += stride, ++local) {
        const int row = i / 16 * 256 + row_in, pb = local & 1;
        float2 m0, m1;
        products8(d, it, base, full, empty, group, lane, meta, row, m0, m1);
        bar_wait(pfull + pb * 8, local / 2 & 1);
        finish8(d, reinterpret_cast<const float4*>(params_at + pb * 6144) + q, m0, m1, y + (long long)row * NCOL + i % 16 * 256 + 4 * q);
        __syncwarp();
        if (lane == 0) bar_arrive(pempty + pb * 8);
      }
    }
    {
      int d[32] = {};
      for (; i < whole + quarters; i += stride, ++local) {
        const int t = whole + (i - whole) / 4, sub = (i - whole) % 4;
        const int row = t / 16 * 256 + row_in, pb = local & 1;
        float2 m0, m1;
        products8(d, it, base, full, empty, group, lane, meta, row, m0, m1);
        bar_wait(pfull + pb * 8, local / 2 & 1);
        finish8(d, reinterpret_cast<const float4*>(params_at + pb * 6144) + sub * 16 + q, m0, m1,
               y + (long long)row * NCOL + t % 16 * 256 + sub * 64 + 4 * q);
        __syncwarp();
        if (lane == 0) bar_arrive(pempty + pb * 8);
      }
    }
  }
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

__device__ __forceinline__ void wait_for(const int* counter, int least) {
  int ready;
  for (;;) {
    asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(ready) : "l"(counter) : "memory");
    if (ready >= least) break;
    __nanosleep(100);
  }
}

// The same for n listed rows (or all), in floating slices: row i of the product is row list[i] of x and y.
extern "C" __global__ void __launch_bounds__(384, 1)
    fused_float(const __grid_constant__ CUtensorMap x_map, const __grid_constant__ CUtensorMap w_map, const __grid_constant__ CUtensorMap w_small,
          const float* x, const float* w, const float* wb, const float* bias, const float* gw, const float* gb, unsigned char* xp,
          unsigned char* wp, float* meta, float* cols, int* flags, const int* list, float* y) {
  const bool all = flags[FLOAT_ALL] != 0;
  const int n = all ? ROWS : flags[FLOAT_ROWS];
  if (n == 0) return;
  extern __shared__ char raw[];
  __shared__ u64 full_bars[STAGES], empty_bars[STAGES], pfull_bars[2], pempty_bars[2];
  const unsigned base = (sh(raw) + 1023) & ~1023u;
  const unsigned params = base + STAGES * STAGE;
  const char* params_at = raw + (params - sh(raw));
  const unsigned full = sh(full_bars), empty = sh(empty_bars), pfull = sh(pfull_bars), pempty = sh(pempty_bars);
  const int group = threadIdx.x / 128, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned rank_;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank_));
  const int rank = (int)rank_;
  const int first = blockIdx.x / 2, stride = gridDim.x / 2;
  const int tiles = (n + 255) / 256 * 16, whole = tiles / stride * stride, quarters = (tiles - whole) * 4;

  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      bar_init(full + s * 8, 1);    // the own producer's expect
      bar_init(empty + s * 8, 16);  // each consumer warp of both blocks
    }
    for (int s = 0; s < 2; ++s) {
      bar_init(pfull + s * 8, 1);
      bar_init(pempty + s * 8, 8);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");

  if (group == 2) {
    if (warp == 8) {
      if (lane == 0) {  // producer
        int it = 0, local = 0;
        for (int i = first; i < whole + quarters; i += stride, ++local) {
          const bool big = i < whole;
          const int t = big ? i : whole + (i - whole) / 4, sub = big ? 0 : (i - whole) % 4;
          const int m0 = t / 16 * 256 + rank * 128, nb = t % 16;
          wait_for(flags + FLOAT_W + nb, 256);
          wait_for(flags + FLOAT_READY + m0 / 128, min(128, n - m0));
          asm volatile("fence.proxy.async;" ::: "memory");
          const int pb = local & 1;
          bar_wait(pempty + pb * 8, (local / 2 + 1) & 1);
          bar_expect(pfull + pb * 8, 6144);
          load_run(params + pb * 6144, cols + nb * 1536, 6144, pfull + pb * 8);
          for (int k = 0; k < STEPS; ++k, ++it) {
            const int s = it % STAGES;
            const unsigned at = base + s * STAGE, bar = full + s * 8;
            bar_wait(empty + s * 8, (it / STAGES + 1) & 1);
            bar_expect(bar, big ? 49152 : 24576);
            load_box(at, &x_map, k * 128, m0, bar);
            if (big)
              load_box_both(at + 16384 + rank * 16384, &w_map, k * 128, nb * 256 + rank * 128, bar);
            else
              load_box_both(at + 16384 + rank * 4096, &w_small, k * 128, nb * 256 + sub * 64 + rank * 32, bar);
          }
        }
      }
    } else {  // three warps pack the rows of w, then those of x
      for (;;) {
        int row = 0;
        if (lane == 0) row = atomicAdd(flags + FLOAT_NEXT, 4);
        row = __shfl_sync(0xffffffffu, row, 0);
        if (row >= NCOL + n) break;
        int* counter;
        if (row < NCOL) {
          for (int i = row; i < row + 4; ++i) pack_w_float(w, wb, bias, gw, gb, wp, cols, i, lane);
          counter = flags + FLOAT_W + row / 256;
        } else {
          row -= NCOL;
          for (int i = row; i < min(row + 4, n); ++i) pack_x_float(x, xp, meta, all ? i : list[i], i, lane);
          counter = flags + FLOAT_READY + row / 128;
        }
        asm volatile("fence.proxy.async;" ::: "memory");
        __threadfence();
        __syncwarp();
        if (lane == 0) asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(counter), "r"(4) : "memory");
      }
    }
    __syncwarp();
  } else {  // consumers: 64 rows each
    const int q = lane % 4;
    const int row_in = rank * 128 + group * 64 + (warp % 4) * 16 + lane / 4;
    int it = 0, local = 0, i = first;
    if (LAG > 0 && group == 1 && first < whole + quarters) asm volatile("bar.sync 1, 256;" ::: "memory");  // the first group has work, too
    {
      float d[128] = {};
      for (; i < whole; i += stride, ++local) {
        const int row = i / 16 * 256 + row_in, pb = local & 1;
        float2 m0, m1;
        products(d, it, base, full, empty, group, lane, meta, row, m0, m1);
        bar_wait(pfull + pb * 8, local / 2 & 1);
        const int at0 = row < n ? (all ? row : list[row]) : -1, at1 = row + 8 < n ? (all ? row + 8 : list[row + 8]) : -1;
        float* to = y + i % 16 * 256 + 4 * q;
        finish(d, reinterpret_cast<const float4*>(params_at + pb * 6144) + q, m0, m1, at0 < 0 ? nullptr : to + (long long)at0 * NCOL,
               at1 < 0 ? nullptr : to + (long long)at1 * NCOL);
        __syncwarp();
        if (lane == 0) bar_arrive(pempty + pb * 8);
      }
    }
    {
      float d[32] = {};
      for (; i < whole + quarters; i += stride, ++local) {
        const int t = whole + (i - whole) / 4, sub = (i - whole) % 4;
        const int row = t / 16 * 256 + row_in, pb = local & 1;
        float2 m0, m1;
        products(d, it, base, full, empty, group, lane, meta, row, m0, m1);
        bar_wait(pfull + pb * 8, local / 2 & 1);
        const int at0 = row < n ? (all ? row : list[row]) : -1, at1 = row + 8 < n ? (all ? row + 8 : list[row + 8]) : -1;
        float* to = y + t % 16 * 256 + sub * 64 + 4 * q;
        finish(d, reinterpret_cast<const float4*>(params_at + pb * 6144) + sub * 16 + q, m0, m1, at0 < 0 ? nullptr : to + (long long)at0 * NCOL,
               at1 < 0 ? nullptr : to + (long long)at1 * NCOL);
        __syncwarp();
        if (lane == 0) bar_arrive(pempty + pb * 8);
      }
    }
  }
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}
