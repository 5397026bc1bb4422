/* hone 1
[[launch]]
kernel = "smooth"
grid   = ["ceil_div(n, 16 * 1 * 16)"]
block  = [16]
args   = ["x", "y", "n"]
*/
// A vector of 16 elements for each work-item: every step waits for the one before it.

#define VECS 1

float16 some_of(__global const float* x, long i, long n) {
  if (i + 16 <= n) return vload16(0, x + i);
  float all[16];
  for (int e = 0; e < 16; ++e) all[e] = i + e < n ? x[i + e] : 0.0f;
  return vload16(0, all);
}

void keep(float16 v, __global float* y, long i, long n) {
  if (i + 16 <= n) {
    vstore16(v, 0, y + i);
    return;
  }
  float all[16];
  vstore16(v, 0, all);
  for (int e = 0; e < 16 && i + e < n; ++e) y[i + e] = all[e];
}

__kernel void smooth(__global const float* restrict x, __global float* restrict y, long n) {
  const long first = (long)get_global_id(0) * 16 * VECS;
  float16 v[VECS];
#pragma unroll
  for (int k = 0; k < VECS; ++k) v[k] = some_of(x, first + 16 * k, n);
#pragma nounroll
  for (int step = 0; step < 128; ++step) {
#pragma unroll
    for (int k = 0; k < VECS; ++k) v[k] = fma(v[k], (float16)(127.0f / 128), (float16)(1.0f / 64));
  }
#pragma unroll
  for (int k = 0; k < VECS; ++k) keep(v[k], y, first + 16 * k, n);
}
