/* hone 1
[[launch]]
kernel = "add_panel"
repeat = "ceil_div(k, 256)"
grid   = ["ceil_div(m, 32)", "ceil_div(n, 16)"]
block  = [8, 1]
args   = ["a", "b", "y", "m", "n", "k", "256 * iteration", "min(k, 256 * (iteration + 1))"]
*/
// Shows `repeat` and `iteration`: a launch for every 256 columns of a. The first sets y, the others add to it.

__kernel void add_panel(__global const float* restrict a, __global const float* restrict b, __global float* restrict y,
                        long m, long n, long k, long from, long to) {
  const long i0 = (long)get_global_id(0) * 4, j0 = (long)get_global_id(1) * 16;
  if (i0 + 4 <= m && j0 + 16 <= n) {
    float16 sum[4];
    for (int i = 0; i < 4; ++i) sum[i] = from > 0 ? vload16(0, y + (i0 + i) * n + j0) : (float16)(0.0f);
    for (long l = from; l < to; ++l) {
      const float16 right = vload16(0, b + l * n + j0);
      for (int i = 0; i < 4; ++i) sum[i] = fma((float16)(a[(i0 + i) * k + l]), right, sum[i]);
    }
    for (int i = 0; i < 4; ++i) vstore16(sum[i], 0, y + (i0 + i) * n + j0);
  } else {
    for (long i = i0; i < min(i0 + 4, m); ++i)
      for (long j = j0; j < min(j0 + 16, n); ++j) {
        float sum = from > 0 ? y[i * n + j] : 0.0f;
        for (long l = from; l < to; ++l) sum = fma(a[i * k + l], b[l * n + j], sum);
        y[i * n + j] = sum;
      }
  }
}
