/* hone 1
[[launch]]
kernel = "cumsum_rows"
when = "cols == 32768"
grid = ["rows"]
block = [256]
args = ["x", "y"]

[[launch]]
kernel = "cumsum_any"
when = "cols != 32768"
grid = ["rows"]
block = [32]
args = ["x", "y", "cols"]
*/
// Written by a language model in one shot, without a GPU at hand and without feedback.
// One block per row (32768 floats), 8 chunks of 4096 floats. Each element is read once and written once.
// Warp w owns 512 contiguous floats of a chunk (4 coalesced float4 per lane); the next chunk is prefetched
// into registers before the current one is scanned. One __syncthreads per chunk (double-buffered totals).

static __device__ __forceinline__ float4 ld_stream(const float4* p) {
    float4 v;
    asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
}

#define FULL 0xffffffffu

extern "C" __global__ void __launch_bounds__(256, 4)
cumsum_rows(const float* __restrict__ x, float* __restrict__ y)
{
    __shared__ __align__(16) float tot[2][8];
    const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    const size_t base = (size_t)blockIdx.x * 8192u + warp * 128 + lane;   // in float4
    const float4* xp = reinterpret_cast<const float4*>(x) + base;
    float4* yp = reinterpret_cast<float4*>(y) + base;

    float4 v[4], n[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) v[j] = ld_stream(xp + j * 32);

    float carry = 0.f;
#pragma unroll 1
    for (int c = 0; c < 8; ++c) {
        if (c < 7) {
#pragma unroll
            for (int j = 0; j < 4; ++j) n[j] = ld_stream(xp + (c + 1) * 1024 + j * 32);
        }
        float s[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            v[j].y += v[j].x; v[j].z += v[j].y; v[j].w += v[j].z;
            s[j] = v[j].w;
        }
#pragma unroll
        for (int d = 1; d < 32; d <<= 1) {
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                float t = __shfl_up_sync(FULL, s[j], d);
                if (lane >= d) s[j] += t;
            }
        }
        // exclusive offset of this lane inside the warp's 512 floats, and the warp total
        float e[4], pre = 0.f;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            float t = __shfl_up_sync(FULL, s[j], 1);
            e[j] = pre + (lane ? t : 0.f);
            pre += __shfl_sync(FULL, s[j], 31);
        }
        if (lane == 0) tot[c & 1][warp] = pre;
        __syncthreads();
        const float4 a = *reinterpret_cast<const float4*>(&tot[c & 1][0]);
        const float4 b = *reinterpret_cast<const float4*>(&tot[c & 1][4]);
        const float q[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
        float run = 0.f, mine = 0.f;
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            if (k == warp) mine = run;
            run += q[k];
        }
        mine += carry;
        carry += run;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const float o = mine + e[j];
            float4 r;
            r.x = v[j].x + o; r.y = v[j].y + o; r.z = v[j].z + o; r.w = v[j].w + o;
            __stcs(yp + c * 1024 + j * 32, r);
        }
        if (c < 7) {
#pragma unroll
            for (int j = 0; j < 4; ++j) v[j] = n[j];
        }
    }
}

// For every other shape; written afterwards, and not meant to be fast.
extern "C" __global__ void cumsum_any(const float* __restrict__ x, float* __restrict__ y, long long cols)
{
    const int lane = threadIdx.x;
    x += blockIdx.x * cols;
    y += blockIdx.x * cols;
    float carry = 0.f;
    for (long long c = lane; c < (cols + 31) / 32 * 32; c += 32) {
        float s = c < cols ? x[c] : 0.f;
        for (int d = 1; d < 32; d <<= 1) {
            const float t = __shfl_up_sync(FULL, s, d);
            if (lane >= d) s += t;
        }
        if (c < cols) y[c] = carry + s;
        carry += __shfl_sync(FULL, s, 31);
    }
}
