/* hone 1
[[launch]]
kernel = "softmax"
grid   = ["rows"]
block  = [256]
args   = ["x", "y", "cols"]
*/
// One block per row, three passes over it.
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void softmax(const float* x, HONE_REAL* y, long long cols) {
  __shared__ HONE_REAL s[256];
  const int t = threadIdx.x;
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;

  HONE_REAL top = x[0];
  for (long long c = t; c < cols; c += 256) top = x[c] > top ? x[c] : top;
  s[t] = top;
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) s[t] = s[t + step] > s[t] ? s[t + step] : s[t];
  }
  __syncthreads();
  top = s[0];
  __syncthreads();

  HONE_REAL sum = 0;
  for (long long c = t; c < cols; c += 256) sum += exp((HONE_REAL)x[c] - top);
  s[t] = sum;
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) s[t] += s[t + step];
  }
  __syncthreads();
  for (long long c = t; c < cols; c += 256) y[c] = exp((HONE_REAL)x[c] - top) / s[0];
}
