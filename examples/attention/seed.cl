/* hone 1
[tune]
VEC  = { values = [4, 8, 16], default = 4 }          # elements of one load
ROWS = { values = [1, 2, 4], default = 1 }           # queries of a work-item, which share the keys they load
KEYS = { values = [1, 4, 8, 16], default = 1 }       # keys between two looks at the running maximum
WG   = { values = [1, 8], default = 8 }

[[launch]]
kernel = "attention_64"
when   = "dim == 64"
grid   = ["ceil_div(seq, ROWS * WG)", "heads"]
block  = ["WG", 1]
args   = ["q", "k", "v", "y", "seq"]

[[launch]]
kernel = "attention_any"
when   = "dim != 64"
grid   = ["seq", "heads"]
block  = [1, 1]
args   = ["q", "k", "v", "y", "seq", "dim"]
*/
// A work-item goes once over the keys that its queries see. It keeps the largest score so far and sums relative to
// it, and scales them down when a larger one comes.

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define REAL PASTE(float, VEC)
#define LOAD(p) PASTE(vload, VEC)(0, p)
#define STORE(v, p) PASTE(vstore, VEC)(v, 0, p)
#define DIM 64
#define PARTS (DIM / VEC)

float sum_lanes(REAL v) {
#if VEC == 16
  const float8 a = v.lo + v.hi;
  const float4 b = a.lo + a.hi;
#elif VEC == 8
  const float4 b = v.lo + v.hi;
#else
  const float4 b = v;
#endif
  return (b.x + b.z) + (b.y + b.w);
}

__kernel void attention_64(__global const float* restrict q, __global const float* restrict k,
                           __global const float* restrict v, __global float* restrict y, long seq) {
  const long head = (long)get_global_id(1) * seq * DIM, i0 = (long)get_global_id(0) * ROWS;
  if (i0 >= seq) return;
  q += head;
  k += head;
  v += head;
  REAL query[ROWS][PARTS], sum[ROWS][PARTS];
  float top[ROWS], weights[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const long i = min(i0 + r, seq - 1);  // past the end: computed, not written
    top[r] = -INFINITY;
    weights[r] = 0.0f;
#pragma unroll
    for (int p = 0; p < PARTS; ++p) {
      query[r][p] = LOAD(q + i * DIM + p * VEC) * 0.125f;  // 1 / sqrt(64)
      sum[r][p] = (REAL)(0.0f);
    }
  }
  for (long j0 = 0; j0 <= min(i0 + ROWS, seq) - 1; j0 += KEYS) {
    float score[ROWS][KEYS];
#pragma unroll
    for (int j = 0; j < KEYS; ++j) {
      const long key = min(j0 + j, seq - 1);
      REAL dot[ROWS];
#pragma unroll
      for (int r = 0; r < ROWS; ++r) dot[r] = (REAL)(0.0f);
#pragma unroll
      for (int p = 0; p < PARTS; ++p) {
        const REAL part = LOAD(k + key * DIM + p * VEC);
#pragma unroll
        for (int r = 0; r < ROWS; ++r) dot[r] = fma(query[r][p], part, dot[r]);
      }
#pragma unroll
      for (int r = 0; r < ROWS; ++r) score[r][j] = j0 + j <= i0 + r ? sum_lanes(dot[r]) : -INFINITY;
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      float higher = top[r];
#pragma unroll
      for (int j = 0; j < KEYS; ++j) higher = fmax(higher, score[r][j]);
      const float shrink = exp(top[r] - higher);  // 0 the first time
      top[r] = higher;
      weights[r] *= shrink;
#pragma unroll
      for (int j = 0; j < KEYS; ++j) {
        score[r][j] = exp(score[r][j] - higher);
        weights[r] += score[r][j];
      }
#pragma unroll
      for (int p = 0; p < PARTS; ++p) sum[r][p] *= shrink;
    }
#pragma unroll
    for (int j = 0; j < KEYS; ++j) {
      const long key = min(j0 + j, seq - 1);
#pragma unroll
      for (int p = 0; p < PARTS; ++p) {
        const REAL part = LOAD(v + key * DIM + p * VEC);
#pragma unroll
        for (int r = 0; r < ROWS; ++r) sum[r][p] = fma((REAL)(score[r][j]), part, sum[r][p]);
      }
    }
  }
#pragma unroll
  for (int r = 0; r < ROWS; ++r)
    if (i0 + r < seq)
#pragma unroll
      for (int p = 0; p < PARTS; ++p) STORE(sum[r][p] / weights[r], y + head + (i0 + r) * DIM + p * VEC);
}

// For any dim: the sums live in y.
__kernel void attention_any(__global const float* restrict q, __global const float* restrict k,
                            __global const float* restrict v, __global float* restrict y, long seq, long dim) {
  const long head = (long)get_global_id(1) * seq * dim, i = get_global_id(0);
  q += head + i * dim;
  y += head + i * dim;
  const float scale = 1.0f / sqrt((float)dim);
  float top = -INFINITY, weights = 0.0f;
  for (long d = 0; d < dim; ++d) y[d] = 0.0f;
  for (long j = 0; j <= i; ++j) {
    float dot = 0.0f;
    for (long d = 0; d < dim; ++d) dot = fma(q[d], k[head + j * dim + d], dot);
    const float higher = fmax(top, dot * scale);
    const float shrink = exp(top - higher), weight = exp(dot * scale - higher);
    top = higher;
    weights = weights * shrink + weight;
    for (long d = 0; d < dim; ++d) y[d] = y[d] * shrink + weight * v[head + j * dim + d];
  }
  for (long d = 0; d < dim; ++d) y[d] /= weights;
}
