/* hone 1
[tune]
VEC    = { values = [1, 2, 4, 8, 16], default = 1 }    # elements of one load
CHAINS = { values = [1, 2, 4], default = 1 }           # independent sums in a work-item
WG     = { values = [16, 64, 256], default = 64 }
ITEMS  = { values = [64, 1024, 16384], default = 1024 }  # work-items altogether

[[scratch]]
name  = "partial"
dtype = "f32"
shape = ["ceil_div(ITEMS, WG) * WG"]

[[launch]]
kernel = "sum_parts"
grid   = ["ceil_div(ITEMS, WG)"]
block  = ["WG"]
args   = ["x", "partial", "n"]

[[launch]]
kernel = "sum_rest"
grid   = [1]
block  = [1]
args   = ["partial", "y", "ceil_div(ITEMS, WG) * WG"]
*/
// Every work-item sums one contiguous part of the vector; a single one adds up the parts.

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#if VEC == 1
#define REAL float
#define LOAD(p) (*(p))
#else
#define REAL PASTE(float, VEC)
#define LOAD(p) PASTE(vload, VEC)(0, p)
#endif
#define STEP (VEC * CHAINS)
#define BLOCK 1024  // a chain of additions is never longer than this: long ones lose digits

float sum_lanes(REAL v) {
  float lane[VEC];
#if VEC == 1
  lane[0] = v;
#else
  PASTE(vstore, VEC)(v, 0, lane);
#endif
  float s = 0;
  for (int i = 0; i < VEC; ++i) s += lane[i];
  return s;
}

float sum_of(__global const float* x, long n) {
  REAL chain[CHAINS];
  for (int c = 0; c < CHAINS; ++c) chain[c] = (REAL)0.0f;
  long i = 0;
  for (; i + STEP <= n; i += STEP)
#pragma unroll
    for (int c = 0; c < CHAINS; ++c) chain[c] += LOAD(x + i + c * VEC);
  float s = 0;
  for (int c = 0; c < CHAINS; ++c) s += sum_lanes(chain[c]);
  for (; i < n; ++i) s += x[i];
  return s;
}

__kernel void sum_parts(__global const float* restrict x, __global float* restrict partial, long n) {
  const long item = get_global_id(0), items = get_global_size(0);
  const long share = (n + items * BLOCK - 1) / (items * BLOCK) * BLOCK;
  const long from = min(item * share, n), to = min(from + share, n);
  float s = 0;
  for (long i = from; i < to; i += BLOCK) s += sum_of(x + i, min((long)BLOCK, to - i));
  partial[item] = s;
}

__kernel void sum_rest(__global const float* restrict partial, __global float* restrict y, int parts) {
  // In rows of 128, so that no chain is longer than parts / 128 + 128.
  float s = 0;
  for (int i = 0; i < parts; i += 128) {
    float t = 0;
    for (int j = i; j < min(i + 128, parts); ++j) t += partial[j];
    s += t;
  }
  y[0] = s;
}
