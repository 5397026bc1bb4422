/* hone 1
[[launch]]
kernel = "attention"
grid   = ["seq", "heads"]
block  = [128]
args   = ["q", "k", "v", "y", "seq", "dim"]
*/
// One block per query. It finds the largest score, then takes 128 keys at a time: a thread has one key while weights
// are computed, and one dimension while they are used.
#ifndef HONE_REAL
#define HONE_REAL double
#endif

__device__ HONE_REAL score(const float* q, const float* k, long long dim) {
  HONE_REAL dot = 0;
  for (long long d = 0; d < dim; ++d) dot += (HONE_REAL)q[d] * (HONE_REAL)k[d];
  return dot / sqrt((HONE_REAL)dim);
}

extern "C" __global__ void attention(const float* q, const float* k, const float* v, HONE_REAL* y, long long seq,
                                     long long dim) {
  __shared__ HONE_REAL s[128];
  const int t = threadIdx.x;
  const long long i = blockIdx.x, head = blockIdx.y * seq * dim;
  q += head + i * dim;
  k += head;
  v += head;
  y += head + i * dim;

  HONE_REAL top = score(q, k, dim);
  for (long long j = t; j <= i; j += 128) {
    const HONE_REAL one = score(q, k + j * dim, dim);
    top = one > top ? one : top;
  }
  s[t] = top;
  for (int step = 64; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) s[t] = s[t + step] > s[t] ? s[t + step] : s[t];
  }
  __syncthreads();
  top = s[0];

  for (long long d = t; d < (dim + 127) / 128 * 128; d += 128) {
    HONE_REAL sum = 0, weights = 0;
    for (long long j0 = 0; j0 <= i; j0 += 128) {
      __syncthreads();
      s[t] = j0 + t <= i ? exp(score(q, k + (j0 + t) * dim, dim) - top) : (HONE_REAL)0;
      __syncthreads();
      for (int j = 0; j < 128 && j0 + j <= i; ++j) {
        weights += s[j];
        if (d < dim) sum += s[j] * v[(j0 + j) * dim + d];
      }
    }
    if (d < dim) y[d] = sum / weights;
  }
}
