/* hone 1
[[launch]]
kernel = "chebyshev"
grid   = ["ceil_div(n, 2048)"]
block  = [256]
args   = ["x", "terms", "a", "y", "n"]
*/
// A block has 2048 elements, which threads take in the order in which they lie.

// cos(k acos c) is the real part of a number on the unit circle that is turned by acos c again and again.
__device__ float series(float c, int terms, const float* a) {
  const float s = sqrtf((1.0f - c) * (1.0f + c));
  float re = 1.0f, im = 0.0f, sum = 0.0f;
#pragma unroll 4
  for (int k = 0; k < terms; ++k) {
    sum += a[k] * re;
    const float turned = re * c - im * s;
    im = re * s + im * c;
    re = turned;
  }
  return sum;
}

extern "C" __global__ void __launch_bounds__(256)
    chebyshev(const float* __restrict__ x, const int* __restrict__ terms, const float* __restrict__ a,
              float* __restrict__ y, long long n) {
  __shared__ float weight[256];
  const int t = threadIdx.x;
  const long long first = blockIdx.x * 2048LL;
  weight[t] = a[t];
  __syncthreads();
#pragma unroll 1
  for (int e = t; e < 2048 && first + e < n; e += 256) y[first + e] = series(x[first + e], terms[first + e], weight);
}
