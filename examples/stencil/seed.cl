/* hone 1
[tune]
VEC  = { values = [1, 4, 8, 16], default = 1 }   # columns that a work-item computes
ROWS = { values = [1, 2, 4, 8], default = 1 }    # and rows; each element of x is loaded once for all of them
WG_X = { values = [4, 16, 64], default = 16 }    # work-items of a group along a row
WG_Y = { values = [1, 4], default = 4 }          # and down a column

[[launch]]
kernel = "stencil"
grid   = ["ceil_div(width, VEC * WG_X)", "ceil_div(height, ROWS * WG_Y)"]
block  = ["WG_X", "WG_Y"]
args   = ["x", "w", "y", "height", "width"]
*/
// A work-item computes ROWS rows of VEC columns; near the edge of the grid it falls back to one element at a time.

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#if VEC == 1
#define REAL float
#define LOAD(p) (*(p))
#define STORE(v, p) (*(p) = (v))
#else
#define REAL PASTE(float, VEC)
#define LOAD(p) PASTE(vload, VEC)(0, p)
#define STORE(v, p) PASTE(vstore, VEC)(v, 0, p)
#endif

float at_edge(__global const float* x, __global const float* w, long height, long width, long i, long j) {
  float sum = 0.0f;
  for (int u = 0; u < 5; ++u)
    for (int v = 0; v < 5; ++v) {
      const long r = i + u - 2, c = j + v - 2;
      if (r >= 0 && r < height && c >= 0 && c < width) sum = fma(w[u * 5 + v], x[r * width + c], sum);
    }
  return sum;
}

__kernel void stencil(__global const float* restrict x, __global const float* restrict w, __global float* restrict y,
                      long height, long width) {
  const long j0 = (long)get_global_id(0) * VEC, i0 = (long)get_global_id(1) * ROWS;
  if (i0 >= 2 && i0 + ROWS + 2 <= height && j0 >= 2 && j0 + VEC + 2 <= width) {
    REAL sum[ROWS];
#pragma unroll
    for (int i = 0; i < ROWS; ++i) sum[i] = (REAL)(0.0f);
#pragma unroll
    for (int r = 0; r < ROWS + 4; ++r) {
#pragma unroll
      for (int v = 0; v < 5; ++v) {
        const REAL in = LOAD(x + (i0 + r - 2) * width + j0 + v - 2);
#pragma unroll
        for (int i = 0; i < ROWS; ++i)
          if (r - i >= 0 && r - i < 5) sum[i] = fma((REAL)(w[(r - i) * 5 + v]), in, sum[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < ROWS; ++i) STORE(sum[i], y + (i0 + i) * width + j0);
  } else {
    for (long i = i0; i < min(i0 + ROWS, height); ++i)
      for (long j = j0; j < min(j0 + VEC, width); ++j) y[i * width + j] = at_edge(x, w, height, width, i, j);
  }
}
