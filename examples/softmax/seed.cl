/* hone 1
[tune]
VEC    = { values = [1, 2, 4, 8, 16], default = 1 }  # elements of one load
CHAINS = { values = [1, 2, 4], default = 1 }         # independent maxima and sums in a work-item
KEEP   = { values = [0, 1], default = 0 }            # 1: the exponentials wait in y for the sum; 0: computed twice
WG     = { values = [1, 4, 16], default = 4 }        # rows of a work-group

[[launch]]
kernel = "softmax"
grid   = ["ceil_div(rows, WG)"]
block  = ["WG"]
args   = ["x", "y", "rows", "cols"]
*/
// One row per work-item in three passes: its maximum, the sum of the exponentials, the quotients.

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
#define STEP (VEC * CHAINS)
#define SEGMENT (64 * STEP)  // of a row, summed by itself: long chains of additions lose digits

float max_lane(REAL v) {
  float lane[VEC];
  STORE(v, lane);
  float m = lane[0];
  for (int i = 1; i < VEC; ++i) m = fmax(m, lane[i]);
  return m;
}

float sum_lanes(REAL v) {
  float lane[VEC];
  STORE(v, lane);
  float s = lane[0];
  for (int i = 1; i < VEC; ++i) s += lane[i];
  return s;
}

float row_max(__global const float* x, long cols) {
  REAL m[CHAINS];
  for (int k = 0; k < CHAINS; ++k) m[k] = (REAL)(-INFINITY);
  long c = 0;
  for (; c + STEP <= cols; c += STEP)
#pragma unroll
    for (int k = 0; k < CHAINS; ++k) m[k] = fmax(m[k], LOAD(x + c + k * VEC));
  float top = max_lane(m[0]);
  for (int k = 1; k < CHAINS; ++k) top = fmax(top, max_lane(m[k]));
  for (; c < cols; ++c) top = fmax(top, x[c]);
  return top;
}

float segment_sum(__global const float* x, __global float* y, long cols, float top) {
  REAL s[CHAINS];
  for (int k = 0; k < CHAINS; ++k) s[k] = (REAL)(0.0f);
  long c = 0;
  for (; c + STEP <= cols; c += STEP)
#pragma unroll
    for (int k = 0; k < CHAINS; ++k) {
      const REAL e = exp(LOAD(x + c + k * VEC) - top);
      if (KEEP) STORE(e, y + c + k * VEC);
      s[k] += e;
    }
  float sum = 0;
  for (int k = 0; k < CHAINS; ++k) sum += sum_lanes(s[k]);
  for (; c < cols; ++c) {
    const float e = exp(x[c] - top);
    if (KEEP) y[c] = e;
    sum += e;
  }
  return sum;
}

__kernel void softmax(__global const float* restrict x, __global float* restrict y, long rows, long cols) {
  const long row = get_global_id(0);
  if (row >= rows) return;
  x += row * cols;
  y += row * cols;
  const float top = row_max(x, cols);
  float sum = 0;
  for (long c = 0; c < cols; c += SEGMENT) sum += segment_sum(x + c, y + c, min((long)SEGMENT, cols - c), top);
  const float scale = 1.0f / sum;
  long c = 0;
  for (; c + VEC <= cols; c += VEC) {
    const REAL e = KEEP ? LOAD(y + c) : exp(LOAD(x + c) - top);
    STORE(e * scale, y + c);
  }
  for (; c < cols; ++c) y[c] = (KEEP ? y[c] : exp(x[c] - top)) * scale;
}
