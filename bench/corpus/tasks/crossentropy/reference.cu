/* hone 1
[[launch]]
kernel = "crossentropy"
grid   = ["rows"]
block  = [32]
args   = ["x", "right", "y", "classes"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void crossentropy(const float* x, const int* right, HONE_REAL* y, int classes) {
  const float* row = x + (long long)blockIdx.x * classes;
  HONE_REAL top = row[0], sum = 0;
  for (int c = threadIdx.x; c < classes; c += 32) top = row[c] > top ? row[c] : top;
  for (int o = 16; o > 0; o /= 2) {
    const HONE_REAL other = __shfl_xor_sync(0xffffffffu, top, o);
    top = other > top ? other : top;
  }
  for (int c = threadIdx.x; c < classes; c += 32) sum += exp((HONE_REAL)row[c] - top);
  for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
  if (threadIdx.x == 0) y[blockIdx.x] = top + log(sum) - row[right[blockIdx.x]];
}
