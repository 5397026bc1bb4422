/* hone 1
where = ["BLOCK / SPLIT >= 16"]

[tune]
BLOCK = { values = [64, 128, 256], default = 64 }
SPLIT = { values = [1, 2, 4, 8], default = 1 }       # threads that share a query
TILE  = { values = [16, 32, 64], default = 16 }      # keys in shared memory at a time
KEYS  = { values = [1, 4, 8], default = 1 }          # keys between two looks at the running maximum

[[launch]]
kernel = "attention_64"
when   = "dim == 64"
grid   = ["heads", "ceil_div(seq, BLOCK / SPLIT)"]
block  = ["BLOCK"]
args   = ["q", "k", "v", "y", "seq"]

[[launch]]
kernel = "attention_any"
when   = "dim != 64"
grid   = ["seq", "heads"]
block  = [32]
args   = ["q", "k", "v", "y", "seq", "dim"]
*/
// SPLIT threads have a query: each holds every SPLITth group of four of its dimensions. They go once over the keys
// the query sees, which the block brings into shared memory, keep the largest score so far and sums relative to it,
// and scale these down when a larger one comes.

#define DIM 64
#define PARTS (DIM / 4 / SPLIT)
#define QUERIES (BLOCK / SPLIT)
#define LOWEST __int_as_float(0xff800000)  // minus infinity

extern "C" __global__ void __launch_bounds__(BLOCK)
    attention_64(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
                 float* __restrict__ y, long long seq) {
  __shared__ float4 keys[TILE][DIM / 4], values[TILE][DIM / 4];
  const int t = threadIdx.x, part0 = t % SPLIT;
  const long long head = blockIdx.x * seq * DIM;
  const long long first = (gridDim.y - 1 - blockIdx.y) * (long long)QUERIES;  // the longest first
  const long long i = first + t / SPLIT, last = min(first + QUERIES, seq) - 1;
  float4 query[PARTS], sum[PARTS];
  float top = LOWEST, weights = 0.0f;
#pragma unroll
  for (int p = 0; p < PARTS; ++p) {
    const long long row = i < seq ? i : seq - 1;  // past the end: computed, not written
    query[p] = ((const float4*)(q + head + row * DIM))[p * SPLIT + part0];
    sum[p] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  }
  for (long long j0 = 0; j0 <= last; j0 += TILE) {
    __syncthreads();
    for (int e = t; e < TILE * (DIM / 4); e += BLOCK) {
      const int j = e / (DIM / 4), p = e % (DIM / 4);
      const long long row = j0 + j < seq ? j0 + j : seq - 1;
      keys[j][p] = ((const float4*)(k + head + row * DIM))[p];
      values[j][p] = ((const float4*)(v + head + row * DIM))[p];
    }
    __syncthreads();
    for (int j1 = 0; j1 < TILE; j1 += KEYS) {
      float score[KEYS], higher = top;
#pragma unroll
      for (int j = 0; j < KEYS; ++j) {
        float dot = 0.0f;
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
          const float4 a = query[p], b = keys[j1 + j][p * SPLIT + part0];
          dot += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
        }
#pragma unroll
        for (int o = 1; o < SPLIT; o *= 2) dot += __shfl_xor_sync(0xffffffffu, dot, o);
        score[j] = j0 + j1 + j <= i ? dot * 0.125f : LOWEST;  // 1 / sqrt(64)
        higher = fmaxf(higher, score[j]);
      }
      // The first key of all is seen by every query, so `higher` is finite from here on.
      const float shrink = expf(top - higher);
      top = higher;
      weights *= shrink;
#pragma unroll
      for (int p = 0; p < PARTS; ++p) {
        sum[p].x *= shrink;
        sum[p].y *= shrink;
        sum[p].z *= shrink;
        sum[p].w *= shrink;
      }
#pragma unroll
      for (int j = 0; j < KEYS; ++j) {
        const float weight = expf(score[j] - higher);
        weights += weight;
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
          const float4 b = values[j1 + j][p * SPLIT + part0];
          sum[p].x += weight * b.x;
          sum[p].y += weight * b.y;
          sum[p].z += weight * b.z;
          sum[p].w += weight * b.w;
        }
      }
    }
  }
  if (i >= seq) return;
  const float scale = 1.0f / weights;
#pragma unroll
  for (int p = 0; p < PARTS; ++p)
    ((float4*)(y + head + i * DIM))[p * SPLIT + part0] =
        make_float4(sum[p].x * scale, sum[p].y * scale, sum[p].z * scale, sum[p].w * scale);
}

// For any dim: a warp has a query, a lane every 32nd dimension, and the sums live in y.
extern "C" __global__ void attention_any(const float* __restrict__ q, const float* __restrict__ k,
                                         const float* __restrict__ v, float* y, long long seq, long long dim) {
  const long long i = blockIdx.x, head = blockIdx.y * seq * dim;
  const int lane = threadIdx.x;
  q += head + i * dim;
  y += head + i * dim;
  const float scale = 1.0f / sqrtf((float)dim);
  float top = LOWEST, weights = 0.0f;
  for (long long d = lane; d < dim; d += 32) y[d] = 0.0f;
  for (long long j = 0; j <= i; ++j) {
    float dot = 0.0f;
    for (long long d = lane; d < dim; d += 32) dot += q[d] * k[head + j * dim + d];
    for (int o = 16; o > 0; o /= 2) dot += __shfl_xor_sync(0xffffffffu, dot, o);
    const float higher = fmaxf(top, dot * scale);
    const float shrink = expf(top - higher), weight = expf(dot * scale - higher);
    top = higher;
    weights = weights * shrink + weight;
    for (long long d = lane; d < dim; d += 32) y[d] = y[d] * shrink + weight * v[head + j * dim + d];
  }
  for (long long d = lane; d < dim; d += 32) y[d] /= weights;
}
