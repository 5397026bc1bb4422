/* hone 1
[[launch]]
kernel = "rmsnorm"
when = "features == 64 and height * width == 262144"
grid = [1024, "batch"]
block = [256]
args = ["x", "y"]

[[launch]]
kernel = "rmsnorm_any"
when = "features != 64 or height * width != 262144"
grid = ["ceil_div(batch * height * width, 256)"]
block = [256]
args = ["x", "y", "batch", "features", "height * width", "eps"]
*/
// Written by a language model in one shot, without a GPU at hand and without feedback.
// RMSNorm over dim 1 of (112, 64, 512*512). A CTA owns 256 positions x 64 features (64 KB) in registers:
// 64 columns of float4 x 4 groups of 16 features. One read, one write, two barriers. 3 CTAs per SM.
#define F      64
#define HW     262144
#define GROUPS 4
#define PER    (F / GROUPS)
#define COLS   64
#define EPS    1e-5f

// 1/sqrt(a) for a >= EPS: approximation and one Newton step (a = inf keeps 0, so x / inf = 0 as in the reference)
static __device__ __forceinline__ float rs(float a) {
  float r = rsqrtf(a);
  float e = fmaf(-a * r, r, 1.0f);
  return r == 0.f ? r : fmaf(0.5f * r, e, r);
}

extern "C" __global__ void __launch_bounds__(256, 3)
rmsnorm(const float* __restrict__ x, float* __restrict__ y) {
  __shared__ __align__(16) float red[GROUPS][COLS * 4];
  const int col = threadIdx.x & (COLS - 1), g = threadIdx.x >> 6;
  const size_t off = ((size_t)blockIdx.y * F + g * PER) * HW + (size_t)blockIdx.x * (COLS * 4) + col * 4;
  const float4* src = (const float4*)(x + off);
  float4* dst = (float4*)(y + off);
  float4 v[PER];
#pragma unroll
  for (int i = 0; i < PER; ++i) v[i] = __ldcs(src + i * (HW / 4));
  float4 s = make_float4(0.f, 0.f, 0.f, 0.f);
#pragma unroll
  for (int i = 0; i < PER; ++i) {
    s.x = fmaf(v[i].x, v[i].x, s.x);
    s.y = fmaf(v[i].y, v[i].y, s.y);
    s.z = fmaf(v[i].z, v[i].z, s.z);
    s.w = fmaf(v[i].w, v[i].w, s.w);
  }
  *(float4*)&red[g][col * 4] = s;
  __syncthreads();
  const int t = threadIdx.x;            // one position per thread: 256 of each
  const float sum = (red[0][t] + red[1][t]) + (red[2][t] + red[3][t]);
  red[0][t] = rs(fmaf(sum, 1.0f / F, EPS));   // only this thread reads column t in this phase
  __syncthreads();
  const float4 r = *(const float4*)&red[0][col * 4];
#pragma unroll
  for (int i = 0; i < PER; ++i) {
    float4 o = v[i];
    o.x *= r.x; o.y *= r.y; o.z *= r.z; o.w *= r.w;
    __stcs(dst + i * (HW / 4), o);
  }
}

// For every other shape; written afterwards, and not meant to be fast.
extern "C" __global__ void rmsnorm_any(const float* __restrict__ x, float* __restrict__ y, long long batch, long long features,
                                       long long area, float eps) {
  const long long i = blockIdx.x * 256LL + threadIdx.x, at = i / area * features * area + i % area;
  if (i >= batch * area) return;
  float sum = 0.f;
  for (long long f = 0; f < features; ++f) sum += x[at + f * area] * x[at + f * area];
  const float r = 1.f / sqrtf(sum / features + eps);
  for (long long f = 0; f < features; ++f) y[at + f * area] = x[at + f * area] * r;
}
