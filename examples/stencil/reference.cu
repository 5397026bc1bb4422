/* hone 1
[[launch]]
kernel = "stencil"
grid   = ["ceil_div(height * width, 256)"]
block  = [256]
args   = ["x", "w", "y", "height", "width"]
*/
// One thread per element of the grid.
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void stencil(const float* x, const float* w, HONE_REAL* y, long long height, long long width) {
  const long long at = blockIdx.x * 256LL + threadIdx.x, i = at / width, j = at % width;
  if (i >= height) return;
  HONE_REAL sum = 0;
  for (int u = 0; u < 5; ++u)
    for (int v = 0; v < 5; ++v) {
      const long long r = i + u - 2, c = j + v - 2;
      if (r >= 0 && r < height && c >= 0 && c < width) sum += (HONE_REAL)w[u * 5 + v] * x[r * width + c];
    }
  y[at] = sum;
}
