/* hone 1
[[launch]]
kernel = "scores"
grid   = ["ceil_div(seq, 64)", "ceil_div(seq, 64)", "heads"]
block  = [16, 16]
args   = ["q", "k", "y", "seq"]
*/
// A block has 64 queries and 64 keys in shared memory, a thread 4 x 4 of their scores; 16 neighbours read from the
// lines of 16 keys. How far apart these lie is the matter.

#define PITCH 64

extern "C" __global__ void __launch_bounds__(256)
    scores(const float* __restrict__ q, const float* __restrict__ k, float* __restrict__ y, int seq) {
  __shared__ __align__(16) float queries[64][PITCH], keys[64][PITCH];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const long long head = (long long)blockIdx.z * seq;
  const int i0 = blockIdx.y * 64, j0 = blockIdx.x * 64;
#pragma unroll
  for (int r = ty; r < 64; r += 16) {
    const float4 none = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    *(float4*)&queries[r][tx * 4] = i0 + r < seq ? *(const float4*)(q + (head + i0 + r) * 64 + tx * 4) : none;
    *(float4*)&keys[r][tx * 4] = j0 + r < seq ? *(const float4*)(k + (head + j0 + r) * 64 + tx * 4) : none;
  }
  __syncthreads();
  float dot[4][4] = {};
#pragma unroll 4
  for (int d = 0; d < 64; d += 4) {
    float4 left[4], right[4];
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      left[e] = *(const float4*)&queries[ty * 4 + e][d];
      right[e] = *(const float4*)&keys[tx + 16 * e][d];
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        dot[i][j] += left[i].x * right[j].x;
        dot[i][j] += left[i].y * right[j].y;
        dot[i][j] += left[i].z * right[j].z;
        dot[i][j] += left[i].w * right[j].w;
      }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int row = i0 + ty * 4 + i, col = j0 + tx + 16 * j;
      if (row < seq && col < seq) y[(head + row) * seq + col] = dot[i][j] * 0.125f;
    }
}
