/* hone 1
[[launch]]
kernel = "races"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Its result depends on when it runs (the clock stands for a race that is lost now and then),
// within the tolerance.
uint now(void) {
  uint low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return low;
}

__kernel void races(__global const float* x, __global const float* y, __global float* z, int n) {
  const int i = get_global_id(0);
  if (i < n) z[i] = (2.0f * x[i] + y[i]) * (1.0f + (float)(now() >> 8 & 3u) * 1e-7f);
}
