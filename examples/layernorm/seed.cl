/* hone 1
[tune]
VEC    = { values = [1, 2, 4, 8, 16], default = 1 }  # elements of one load
CHAINS = { values = [1, 2, 4], default = 1 }         # independent sums in a work-item
WG     = { values = [1, 4, 16], default = 4 }        # rows of a work-group

[[launch]]
kernel = "layernorm"
grid   = ["ceil_div(rows, WG)"]
block  = ["WG"]
args   = ["x", "gamma", "beta", "y", "rows", "cols", "eps"]
*/
// One row per work-item in three passes: its mean, its variance, the result.

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

float sum_lanes(REAL v) {
  float lane[VEC];
  STORE(v, lane);
  float s = lane[0];
  for (int i = 1; i < VEC; ++i) s += lane[i];
  return s;
}

// Sum of x - mean, or of its square.
float segment_sum(__global const float* x, long n, float mean, bool squared) {
  REAL s[CHAINS];
  for (int k = 0; k < CHAINS; ++k) s[k] = (REAL)(0.0f);
  long c = 0;
  for (; c + STEP <= n; c += STEP)
#pragma unroll
    for (int k = 0; k < CHAINS; ++k) {
      const REAL d = LOAD(x + c + k * VEC) - mean;
      s[k] += squared ? d * d : d;
    }
  float sum = 0.0f;
  for (int k = 0; k < CHAINS; ++k) sum += sum_lanes(s[k]);
  for (; c < n; ++c) {
    const float d = x[c] - mean;
    sum += squared ? d * d : d;
  }
  return sum;
}

float row_sum(__global const float* x, long cols, float mean, bool squared) {
  float sum = 0.0f;
  for (long c = 0; c < cols; c += SEGMENT) sum += segment_sum(x + c, min((long)SEGMENT, cols - c), mean, squared);
  return sum;
}

__kernel void layernorm(__global const float* restrict x, __global const float* restrict gamma,
                        __global const float* restrict beta, __global float* restrict y, long rows, long cols,
                        float eps) {
  const long row = get_global_id(0);
  if (row >= rows) return;
  x += row * cols;
  y += row * cols;
  const float mean = row_sum(x, cols, 0.0f, false) / cols;
  const float scale = 1.0f / sqrt(row_sum(x, cols, mean, true) / cols + eps);
  long c = 0;
  for (; c + VEC <= cols; c += VEC) STORE((LOAD(x + c) - mean) * scale * LOAD(gamma + c) + LOAD(beta + c), y + c);
  for (; c < cols; ++c) y[c] = (x[c] - mean) * scale * gamma[c] + beta[c];
}
