/* hone 1
[tune]
VEC  = { values = [1, 4, 8, 16], default = 1 }              # elements that are scanned in one register
TILE = { values = [256, 1024, 4096, 16384], default = 256 } # elements of a work-item
WG   = { values = [1, 4, 16], default = 4 }

[[scratch]]
name  = "before"
dtype = "f32"
shape = ["ceil_div(n, TILE)"]

[[launch]]
kernel = "sum_tiles"
grid   = ["ceil_div(ceil_div(n, TILE), WG)"]
block  = ["WG"]
args   = ["x", "before", "n"]

[[launch]]
kernel = "scan_sums"
grid   = [1]
block  = [1]
args   = ["before", "ceil_div(n, TILE)"]

[[launch]]
kernel = "scan_tiles"
grid   = ["ceil_div(ceil_div(n, TILE), WG)"]
block  = ["WG"]
args   = ["x", "before", "y", "n"]
*/
// Each work-item sums a tile; one work-item scans the sums; each work-item scans its tile, starting from what came
// before.

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
#define BLOCK 256  // of a tile, summed by itself: long chains of additions lose digits

// The lanes' inclusive prefix sums: each step adds what lies 1, 2, 4 and 8 lanes to the left.
REAL scan_lanes(REAL v) {
#if VEC == 4
  v += (float4)(0.0f, v.s012);
  v += (float4)(0.0f, 0.0f, v.s01);
#elif VEC == 8
  v += (float8)(0.0f, v.s012, v.s3456);
  v += (float8)((float2)(0.0f), v.s0123, v.s45);
  v += (float8)((float4)(0.0f), v.s0123);
#elif VEC == 16
  v += (float16)(0.0f, v.s012, v.s3456, v.s789a, v.sbcde);
  v += (float16)((float2)(0.0f), v.s01234567, v.s89ab, v.scd);
  v += (float16)((float4)(0.0f), v.s01234567, v.s89ab);
  v += (float16)((float8)(0.0f), v.s01234567);
#endif
  return v;
}

float last_lane(REAL v) {
#if VEC == 1
  return v;
#elif VEC == 4
  return v.s3;
#elif VEC == 8
  return v.s7;
#else
  return v.sf;
#endif
}

float block_sum(__global const float* x, long n) {
  REAL s = (REAL)(0.0f);
  long i = 0;
  for (; i + VEC <= n; i += VEC) s += LOAD(x + i);
  float sum = last_lane(scan_lanes(s));
  for (; i < n; ++i) sum += x[i];
  return sum;
}

// Scans n elements and returns their sum; offset is added to the output only.
float block_scan(__global const float* x, __global float* y, long n, float offset) {
  float sum = 0.0f;
  long i = 0;
  for (; i + VEC <= n; i += VEC) {
    const REAL s = scan_lanes(LOAD(x + i)) + sum;
    STORE(s + offset, y + i);
    sum = last_lane(s);
  }
  for (; i < n; ++i) y[i] = offset + (sum += x[i]);
  return sum;
}

__kernel void sum_tiles(__global const float* restrict x, __global float* restrict before, long n) {
  const long tile = get_global_id(0), from = tile * TILE, to = min(from + TILE, n);
  if (from >= n) return;
  float sum = 0.0f;
  for (long i = from; i < to; i += BLOCK) sum += block_sum(x + i, min((long)BLOCK, to - i));
  before[tile] = sum;
}

// One running sum over many tiles: `lost` collects what each addition rounds away.
__kernel void scan_sums(__global float* restrict before, int tiles) {
  float sum = 0.0f, lost = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const float term = before[t] - lost;
    before[t] = sum;
    const float next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
}

__kernel void scan_tiles(__global const float* restrict x, __global const float* restrict before,
                         __global float* restrict y, long n) {
  const long tile = get_global_id(0), from = tile * TILE, to = min(from + TILE, n);
  if (from >= n) return;
  float offset = before[tile];
  for (long i = from; i < to; i += BLOCK) offset += block_scan(x + i, y + i, min((long)BLOCK, to - i), offset);
}
