/* hone 1
[[scratch]]
name = "part"
dtype = "f32"
shape = [768, 4096]

[[launch]]
kernel = "sum_part"
when = "batch == 128 and rows == 4096 and cols == 4095"
grid = [768]
block = [288]
shared = 98432
args = ["x", "part"]

[[launch]]
kernel = "sum_finish"
when = "batch == 128 and rows == 4096 and cols == 4095"
grid = [4, 128]
block = [256]
args = ["part", "y"]

[[launch]]
kernel = "sum_any"
when = "batch != 128 or rows != 4096 or cols != 4095"
grid = ["ceil_div(cols, 256)", "batch"]
block = [256]
args = ["x", "y", "rows", "cols"]
*/
// Written by a language model in one shot, without a GPU at hand and without feedback.
// x: (128, 4096, 4095) summed over dim 1.  Four rows = 16380 floats = 4095 float4: a "superrow", always 16-byte
// aligned although a single row is not. Superrows are added position by position; the four row phases are folded
// at the end through shared memory: y[c] = s[c] + s[c+4095] + s[c+8190] + s[c+12285].
// Streaming is by bulk (TMA) copies through a 6 x 16 KB ring, two blocks per SM. A batch (1024 superrows) is split
// 2x416 + 2x80 + 2x16; big blocks come first in launch order, so that small ones even out the end.

#define STAGES 6
#define STAGE_BYTES 16384
#define CONS 256
#define NROW4 4095          // float4 per superrow

static __device__ __forceinline__ unsigned s32(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
static __device__ __forceinline__ void mbar_init(unsigned b, unsigned n) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(b), "r"(n) : "memory");
}
static __device__ __forceinline__ void mbar_expect(unsigned b, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(b), "r"(bytes) : "memory");
}
static __device__ __forceinline__ void mbar_arrive(unsigned b) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(b) : "memory");
}
static __device__ __forceinline__ void mbar_wait(unsigned b, unsigned parity) {
    asm volatile("{\n\t.reg .pred p;\n"
                 "W_%=:\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t"
                 "@p bra D_%=;\n\t"
                 "bra W_%=;\n"
                 "D_%=:\n\t}" :: "r"(b), "r"(parity) : "memory");
}
static __device__ __forceinline__ void bulk_load(unsigned dst, const void* src, unsigned bytes, unsigned bar,
                                                 unsigned long long pol) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;"
                 :: "r"(dst), "l"(src), "r"(bytes), "r"(bar), "l"(pol) : "memory");
}
static __device__ __forceinline__ float4 add4(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

extern "C" __global__ void __launch_bounds__(288, 2)
sum_part(const float* __restrict__ x, float* __restrict__ part)
{
    extern __shared__ __align__(128) unsigned char smem[];
    const unsigned ring = s32(smem);
    const unsigned full = ring + STAGES * STAGE_BYTES;
    const unsigned empty = full + STAGES * 8;
    const int tid = threadIdx.x;

    const int bid = blockIdx.x;
    const int level = bid >> 8;                    // 0 big, 1 middle, 2 small
    const int batch = (bid & 255) >> 1, half = bid & 1;
    int first, count;                              // in superrows
    if (level == 0)      { count = 416; first = half * 416; }
    else if (level == 1) { count = 80;  first = 832 + half * 80; }
    else                 { count = 16;  first = 992 + half * 16; }

    if (tid == 0) {
        for (int i = 0; i < STAGES; ++i) { mbar_init(full + i * 8, 1); mbar_init(empty + i * 8, CONS / 32); }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();

    const int groups = count >> 4;                 // sixteen superrows at a time: short addition chains
    if (tid >= CONS) {
        if (tid == CONS) {
            unsigned long long pol;
            asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(pol));
            const char* src = reinterpret_cast<const char*>(x) + ((size_t)batch * 1024 + first) * (NROW4 * 16);
            int st = 0; unsigned ph = 1;           // a fresh barrier passes a wait on parity 1
            for (int g = 0; g < groups; ++g) {
                for (int i = 0; i < 64; ++i) {
                    const int q = i >> 2, h = i & 3;
                    const unsigned bytes = (q == 15) ? 4080u : 4096u;
                    mbar_wait(empty + st * 8, ph);
                    mbar_expect(full + st * 8, bytes * 4);
                    const unsigned dst = ring + st * STAGE_BYTES;
#pragma unroll
                    for (int r = 0; r < 4; ++r)
                        bulk_load(dst + r * 4096, src + (h * 4 + r) * (NROW4 * 16) + q * 4096, bytes, full + st * 8, pol);
                    if (++st == STAGES) { st = 0; ph ^= 1; }
                }
                src += (size_t)16 * NROW4 * 16;
            }
        }
        return;
    }

    float4 acc[16];
#pragma unroll
    for (int q = 0; q < 16; ++q) acc[q] = make_float4(0.f, 0.f, 0.f, 0.f);

    int st = 0; unsigned ph = 0;
    for (int g = 0; g < groups; ++g) {
#pragma unroll
        for (int q = 0; q < 16; ++q) {
            float4 u = make_float4(0.f, 0.f, 0.f, 0.f);
#pragma unroll 1
            for (int h = 0; h < 4; ++h) {
                mbar_wait(full + st * 8, ph);
                const float4* s = reinterpret_cast<const float4*>(smem + st * STAGE_BYTES) + tid;
                const float4 a = s[0], b = s[256], c = s[512], d = s[768];
                // (q 15, tid 255) is past the end of the superrow: stale bytes, summed but never used
                u = add4(u, add4(add4(a, b), add4(c, d)));
                __syncwarp();
                if ((tid & 31) == 0) mbar_arrive(empty + st * 8);
                if (++st == STAGES) { st = 0; ph ^= 1; }
            }
            acc[q] = add4(acc[q], u);
        }
    }

    // every copy has landed and been read: the ring becomes the fold buffer (64 KB)
    asm volatile("bar.sync 1, 256;" ::: "memory");
    float4* f4 = reinterpret_cast<float4*>(smem);
#pragma unroll
    for (int q = 0; q < 16; ++q) f4[q * 256 + tid] = acc[q];
    asm volatile("bar.sync 1, 256;" ::: "memory");
    const float* f = reinterpret_cast<const float*>(smem);
    float* dst = part + (size_t)bid * 4096;
    for (int c = tid; c < 4095; c += CONS)
        dst[c] = (f[c] + f[c + 4095]) + (f[c + 8190] + f[c + 12285]);
}

extern "C" __global__ void __launch_bounds__(256)
sum_finish(const float* __restrict__ part, float* __restrict__ y)
{
    const int b = blockIdx.y;
    const float* p = part + (size_t)(2 * b) * 4096;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int c = blockIdx.x * 1024 + i * 256 + threadIdx.x;
        if (c < 4095) {
            const float b0 = p[c],                        b1 = p[4096 + c];
            const float m0 = p[(size_t)256 * 4096 + c],   m1 = p[(size_t)257 * 4096 + c];
            const float t0 = p[(size_t)512 * 4096 + c],   t1 = p[(size_t)513 * 4096 + c];
            y[(size_t)b * 4095 + c] = (b0 + b1) + ((m0 + m1) + (t0 + t1));
        }
    }
}

// For every other shape; written afterwards, and not meant to be fast.
extern "C" __global__ void sum_any(const float* __restrict__ x, float* __restrict__ y, long long rows, long long cols)
{
    const long long b = blockIdx.y, c = blockIdx.x * 256LL + threadIdx.x;
    if (c >= cols) return;
    float s = 0.f;
    for (long long r0 = 0; r0 < rows; r0 += 64) {      // 64 at a time: short addition chains
        float u = 0.f;
        for (long long r = r0; r < rows && r < r0 + 64; ++r) u += x[(b * rows + r) * cols + c];
        s += u;
    }
    y[b * cols + c] = s;
}
