/* hone 1
[[launch]]
kernel = "matmul"
grid   = ["ceil_div(m, 1 * 32)", "ceil_div(n, 1 * 16)"]
block  = [32, 1]
args   = ["a", "b", "y", "m", "n", "k"]
*/
// A row and one vector of columns of y for each work-item, in registers.

#define ROWS 1
#define VECS 1

__kernel void matmul(__global const float* restrict a, __global const float* restrict b, __global float* restrict y,
                     long m, long n, long k) {
  const long i0 = (long)get_global_id(0) * ROWS, j0 = (long)get_global_id(1) * VECS * 16;
  if (i0 + ROWS <= m && j0 + VECS * 16 <= n) {
    float16 sum[ROWS][VECS];
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
#pragma unroll
      for (int j = 0; j < VECS; ++j) sum[i][j] = 0.0f;
    for (long l = 0; l < k; ++l)
#pragma unroll
      for (int j = 0; j < VECS; ++j) {
        const float16 right = vload16(0, b + l * n + j0 + 16 * j);
#pragma unroll
        for (int i = 0; i < ROWS; ++i) sum[i][j] = fma((float16)(a[(i0 + i) * k + l]), right, sum[i][j]);
      }
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
#pragma unroll
      for (int j = 0; j < VECS; ++j) vstore16(sum[i][j], 0, y + (i0 + i) * n + j0 + 16 * j);
  } else {
    for (long i = i0; i < min(i0 + ROWS, m); ++i)
      for (long j = j0; j < min(j0 + VECS * 16, n); ++j) {
        float s = 0.0f;
        for (long l = 0; l < k; ++l) s = fma(a[i * k + l], b[l * n + j], s);
        y[i * n + j] = s;
      }
  }
}
