/* hone 1
[[scratch]]
name = "part"
dtype = "i64"
shape = [16, 128, 2]

[[launch]]
kernel = "ln_init"
grid = [4]
block = [1024]
args = ["part"]

[[launch]]
kernel = "ln_main"
grid = [128]
block = [512]
shared = 230400
args = ["x", "ln_weight", "ln_bias", "y", "part"]
*/
// One persistent CTA per SM (128 of 132), each owns a fixed 32768-float slice of the normalised
// shape for all 16 samples. x crosses DRAM once (bulk copies into a 14 x 16 KB ring), y once.
// ln_weight slice lives in registers for the whole kernel, part of ln_bias too, the rest of it is
// re-read from L2. The statistics of sample s+1 are taken while sample s is being stored, so the
// grid-wide exchange is hidden. 128 CTAs <= 132 SMs, 1 CTA per SM: all are co-resident.
typedef unsigned int u32;
typedef unsigned long long u64;

#define NSLOT 14
#define CHF 4096                 // floats per chunk
#define CHB 16384                // bytes per chunk
#define NS 16                    // samples
#define NCH 8                    // chunks per CTA per sample
#define NCTA 128
#define SAMPLE 4194304ll
#define EMPTY 0xFFFFFFFFFFFFFFFFull
#define NBR 1                    // chunks of bias kept in registers

__device__ __forceinline__ u32 smem_u32(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void mbar_init(u32 a, u32 c) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(a), "r"(c) : "memory"); }
__device__ __forceinline__ void mbar_expect(u32 a, u32 b) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(a), "r"(b) : "memory"); }
__device__ __forceinline__ void mbar_wait(u32 a, u32 par) {
    asm volatile("{\n.reg .pred p;\nW:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra D;\nbra W;\nD:\n}\n" ::"r"(a), "r"(par) : "memory");
}
__device__ __forceinline__ void bulk_load(u32 dst, const float* src, u32 bar, u64 pol) {
    mbar_expect(bar, CHB);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;"
                 ::"r"(dst), "l"(src), "r"((u32)CHB), "r"(bar), "l"(pol) : "memory");
}
__device__ __forceinline__ float4 ldb(const float* p, u64 pol) {
    float4 v;
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.f32 {%0,%1,%2,%3}, [%4], %5;"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p), "l"(pol));
    return v;
}
__device__ __forceinline__ double shx(double v, int m) { return __shfl_xor_sync(0xffffffffu, v, m); }

extern "C" __global__ void ln_init(u64* part) {
    part[blockIdx.x * 1024 + threadIdx.x] = 0xFFFFFFFFFFFFFFFFull;   // "not there yet"
}

struct Stat { float K, s1, s2; };
__device__ __forceinline__ void acc4(Stat& st, float4 v) {
    float a = v.x - st.K, b = v.y - st.K, c = v.z - st.K, d = v.w - st.K;
    st.s1 += (a + b) + (c + d);
    st.s2 += fmaf(a, a, b * b) + fmaf(c, c, d * d);
}
__device__ __forceinline__ float norm1(float x, float mh, float r, float c, float w, float b) {
    return fmaf(fmaf(x - mh, r, c), w, b);
}
__device__ __forceinline__ float4 norm4(float4 x, float mh, float r, float c, float4 w, float4 b) {
    float4 o;
    o.x = norm1(x.x, mh, r, c, w.x, b.x);
    o.y = norm1(x.y, mh, r, c, w.y, b.y);
    o.z = norm1(x.z, mh, r, c, w.z, b.z);
    o.w = norm1(x.w, mh, r, c, w.w, b.w);
    return o;
}

extern "C" __global__ void __launch_bounds__(512, 1)
ln_main(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b,
        float* __restrict__ y, u64* part) {
    extern __shared__ __align__(128) unsigned char smem[];
    float* ring = (float*)smem;
    u64* bars = (u64*)(smem + NSLOT * CHB);
    double* red = (double*)(smem + NSLOT * CHB + 128);          // 16 x 2
    double* red2 = (double*)(smem + NSLOT * CHB + 128 + 256);   // 4 x 2
    const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    const u32 ring_a = smem_u32(ring), bar_a = smem_u32(bars);
    const long long slice = (long long)blockIdx.x * (NCH * CHF);
    const float* xs = x + slice;
    const float* bs = b + slice + t * 4;
    float* ys = y + slice + t * 4;

    u64 pol_first, pol_last;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(pol_first));
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(pol_last));

    if (t == 0) {
        for (int i = 0; i < NSLOT; i++) mbar_init(bar_a + i * 8, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        for (int g = 0; g < NSLOT; g++)
            bulk_load(ring_a + g * CHB, xs + (long long)(g >> 3) * SAMPLE + (g & 7) * CHF, bar_a + g * 8, pol_first);
    }
    // weight (all of it) and bias (NBR chunks) of this slice: registers
    float4 W[NCH][2], B[NBR][2];
    {
        const float* ws = w + slice + t * 4;
#pragma unroll
        for (int j = 0; j < NCH; j++) {
            W[j][0] = ldb(ws + j * CHF, pol_first);
            W[j][1] = ldb(ws + j * CHF + 2048, pol_first);
        }
#pragma unroll
        for (int j = 0; j < NBR; j++) {
            B[j][0] = ldb(bs + (NCH - NBR + j) * CHF, pol_first);
            B[j][1] = ldb(bs + (NCH - NBR + j) * CHF + 2048, pol_first);
        }
    }
    __syncthreads();

    Stat st;
    st.K = 0.f; st.s1 = 0.f; st.s2 = 0.f;
    int rs = 0; u32 rp = 0;         // statistics cursor: slot, phase parity
    int ss = 0;                     // store cursor: slot

    auto stats_chunk = [&](bool first) {
        mbar_wait(bar_a + rs * 8, rp);
        const float4* p = (const float4*)(ring + rs * CHF) + t;
        float4 a = p[0], c = p[512];
        if (first) { st.K = a.x; st.s1 = 0.f; st.s2 = 0.f; }
        acc4(st, a);
        acc4(st, c);
        if (++rs == NSLOT) { rs = 0; rp ^= 1; }
    };
    auto warp_part = [&]() {        // 64 values per thread -> sum and sum of squares in fp64
        double n = 64.0, s1 = (double)st.s1;
        double sx = n * (double)st.K + s1;
        double m2 = (double)st.s2 - s1 * s1 / n;
        double sq = m2 + sx * sx / n;
#pragma unroll
        for (int o = 16; o; o >>= 1) { sx += shx(sx, o); sq += shx(sq, o); }
        if (lane == 0) { red[warp * 2] = sx; red[warp * 2 + 1] = sq; }
    };
    auto publish = [&](int s) {     // one warp, after a barrier
        double sx = lane < 16 ? red[lane * 2] : 0.0, sq = lane < 16 ? red[lane * 2 + 1] : 0.0;
#pragma unroll
        for (int o = 8; o; o >>= 1) { sx += shx(sx, o); sq += shx(sq, o); }
        if (lane == 0) {
            u64 a = (u64)__double_as_longlong(sx), c = (u64)__double_as_longlong(sq);
            if (sx != sx) a = 0x7FF8000000000000ull;
            if (sq != sq) c = 0x7FF8000000000000ull;
            asm volatile("st.volatile.global.v2.u64 [%0], {%1,%2};" ::"l"(part + ((long long)s * NCTA + blockIdx.x) * 2), "l"(a), "l"(c) : "memory");
        }
    };

    u64 pa = EMPTY, pc = EMPTY;     // threads 0..127: the partial of CTA t
    auto ld_part = [&](int s) {
        asm volatile("ld.volatile.global.v2.u64 {%0,%1}, [%2];" : "=l"(pa), "=l"(pc) : "l"(part + ((long long)s * NCTA + t) * 2) : "memory");
    };

    // sample 0: statistics
#pragma unroll 1
    for (int j = 0; j < NCH; j++) stats_chunk(j == 0);
    warp_part();
    __syncthreads();
    if (warp == 1) publish(0);

#pragma unroll 1
    for (int s = 0; s < NS; s++) {
        if (t < NCTA) {
            while (pa == EMPTY || pc == EMPTY) ld_part(s);
            double sx = __longlong_as_double((long long)pa), sq = __longlong_as_double((long long)pc);
#pragma unroll
            for (int o = 16; o; o >>= 1) { sx += shx(sx, o); sq += shx(sq, o); }
            if (lane == 0) { red2[warp * 2] = sx; red2[warp * 2 + 1] = sq; }
        }
        __syncthreads();
        float mh, r, c;
        {
            double sx = (red2[0] + red2[2]) + (red2[4] + red2[6]);
            double sq = (red2[1] + red2[3]) + (red2[5] + red2[7]);
            double mean = sx * (1.0 / 4194304.0);
            double var = fma(-mean, mean, sq * (1.0 / 4194304.0));
            var = var < 0.0 ? 0.0 : var;
            r = 1.0f / sqrtf((float)(var + 1e-5));
            mh = (float)mean;
            c = -(float)(mean - (double)mh) * r;
        }
        const bool more = s + 1 < NS;
        float* yo = ys + (long long)s * SAMPLE;
#pragma unroll
        for (int j = 0; j < NCH; j++) {
            float4 b0, b1;
            if (j < NCH - NBR) { b0 = ldb(bs + j * CHF, pol_last); b1 = ldb(bs + j * CHF + 2048, pol_last); }
            else { b0 = B[j - (NCH - NBR)][0]; b1 = B[j - (NCH - NBR)][1]; }
            if (more) {
                if (j < 3) { stats_chunk(j == 0); stats_chunk(false); }
                if (j == 4) stats_chunk(false);
                if (j == 5) { stats_chunk(false); warp_part(); }
            }
            if (j == NCH - 1) {      // ask early for the next sample's partials
                pa = EMPTY; pc = EMPTY;
                if (more && t < NCTA) ld_part(s + 1);
            }
            const float4* p = (const float4*)(ring + ss * CHF) + t;
            float4 v0 = p[0], v1 = p[512];
            __syncthreads();
            if (t == 0) {
                int g = s * NCH + j + NSLOT;
                if (g < NS * NCH)
                    bulk_load(ring_a + ss * CHB, xs + (long long)(g >> 3) * SAMPLE + (g & 7) * CHF, bar_a + ss * 8, pol_first);
            }
            if (j == 5 && more && warp == 1) publish(s + 1);
            if (++ss == NSLOT) ss = 0;
            __stcs((float4*)(yo + j * CHF), norm4(v0, mh, r, c, W[j][0], b0));
            __stcs((float4*)(yo + j * CHF + 2048), norm4(v1, mh, r, c, W[j][1], b1));
        }
    }
}
