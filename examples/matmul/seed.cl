/* hone 1
where = ["ROWS * VECS * VEC <= 256"]

[tune]
VEC  = { values = [4, 8, 16], default = 4 }      # elements of one load of b
ROWS = { values = [1, 2, 4, 8], default = 1 }    # of y that a work-item computes
VECS = { values = [1, 2, 4], default = 1 }       # vectors in each of them
WG   = { values = [4, 32], default = 4 }         # work-items of a group, one below the other: they share columns of b

[[launch]]
kernel = "matmul"
grid   = ["ceil_div(m, ROWS * WG)", "ceil_div(n, VECS * VEC)"]
block  = ["WG", 1]
args   = ["a", "b", "y", "m", "n", "k"]
*/
// A work-item computes ROWS rows and VECS vectors of columns of y; all of its sums stay in registers.

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define REAL PASTE(float, VEC)
#define LOAD(p) PASTE(vload, VEC)(0, p)
#define STORE(v, p) PASTE(vstore, VEC)(v, 0, p)
#define COLS (VECS * VEC)

__kernel void matmul(__global const float* restrict a, __global const float* restrict b, __global float* restrict y,
                     long m, long n, long k) {
  const long i0 = (long)get_global_id(0) * ROWS, j0 = (long)get_global_id(1) * COLS;
  if (i0 + ROWS <= m && j0 + COLS <= n) {
    REAL sum[ROWS][VECS];
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
#pragma unroll
      for (int j = 0; j < VECS; ++j) sum[i][j] = (REAL)(0.0f);
    for (long l = 0; l < k; ++l) {
      REAL right[VECS];
#pragma unroll
      for (int j = 0; j < VECS; ++j) right[j] = LOAD(b + l * n + j0 + j * VEC);
#pragma unroll
      for (int i = 0; i < ROWS; ++i) {
        const REAL left = (REAL)(a[(i0 + i) * k + l]);
#pragma unroll
        for (int j = 0; j < VECS; ++j) sum[i][j] = fma(left, right[j], sum[i][j]);
      }
    }
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
#pragma unroll
      for (int j = 0; j < VECS; ++j) STORE(sum[i][j], y + (i0 + i) * n + j0 + j * VEC);
  } else {
    for (long i = i0; i < min(i0 + ROWS, m); ++i)
      for (long j = j0; j < min(j0 + COLS, n); ++j) {
        float s = 0.0f;
        for (long l = 0; l < k; ++l) s = fma(a[i * k + l], b[l * n + j], s);
        y[i * n + j] = s;
      }
  }
}
