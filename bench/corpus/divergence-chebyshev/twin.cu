/* hone 1
[[launch]]
kernel = "chebyshev"
grid   = ["ceil_div(n, 2048)"]
block  = [256]
args   = ["x", "terms", "a", "y", "n"]
*/
// A block has 2048 elements, which threads take in the order of their numbers of terms: it sorts them by counting.

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
  __shared__ int start[256], sums[8];
  __shared__ unsigned short order[2048];
  __shared__ float value[2048];
  const int t = threadIdx.x, lane = t % 32;
  const long long first = blockIdx.x * 2048LL;
  const int size = n - first < 2048 ? (int)(n - first) : 2048;
  weight[t] = a[t];
  start[t] = 0;
  __syncthreads();
  for (int e = t; e < size; e += 256) atomicAdd(start + terms[first + e] - 1, 1);
  __syncthreads();
  const int own = start[t];
  int before = own;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, before, step);
    if (lane >= step) before += other;
  }
  if (lane == 31) sums[t / 32] = before;
  __syncthreads();
  before -= own;
  for (int w = 0; w < t / 32; ++w) before += sums[w];
  start[t] = before;
  __syncthreads();
  for (int e = t; e < size; e += 256) order[atomicAdd(start + terms[first + e] - 1, 1)] = e;
  __syncthreads();
#pragma unroll 1
  for (int l = t; l < size; l += 256) {
    const int e = order[l];
    value[e] = series(x[first + e], terms[first + e], weight);
  }
  __syncthreads();
  for (int e = t; e < size; e += 256) y[first + e] = value[e];
}
