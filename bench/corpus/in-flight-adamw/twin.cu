/* hone 1
[[launch]]
kernel = "adamw"
grid   = ["8 * sm_count"]
block  = [256]
args   = ["p", "g", "m", "v", "p2", "m2", "v2", "n", "rate", "decay"]
*/
// Threads stride over the parameters. How many blocks there are for an SM is the matter.

extern "C" __global__ void __launch_bounds__(256)
    adamw(const float* __restrict__ p, const float* __restrict__ g, const float* __restrict__ m,
          const float* __restrict__ v, float* __restrict__ p2, float* __restrict__ m2, float* __restrict__ v2,
          long long n, float rate, float decay) {
#pragma unroll 1
  for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
    const float grad = g[i], old = p[i];
    const float first = 0.875f * m[i] + 0.125f * grad, second = 0.96875f * v[i] + 0.03125f * grad * grad;
    m2[i] = first;
    v2[i] = second;
    p2[i] = old - rate * (first / (sqrtf(second) + 0.0009765625f) + decay * old);
  }
}
