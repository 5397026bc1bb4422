/* hone 1
[[launch]]
kernel = "rmsnorm"
grid   = ["ceil_div(batch * height * width, 256)"]
block  = [256]
args   = ["x", "y", "batch", "features", "height * width", "eps"]
*/
// One thread per position of an image.
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void rmsnorm(const float* x, HONE_REAL* y, long long batch, long long features, long long area,
                                   float eps) {
  const long long i = blockIdx.x * 256LL + threadIdx.x, first = i / area * features * area + i % area;
  if (i >= batch * area) return;
  HONE_REAL sum = 0;
  for (long long f = 0; f < features; ++f) sum += (HONE_REAL)x[first + f * area] * x[first + f * area];
  const HONE_REAL scale = 1 / sqrt(sum / features + (HONE_REAL)eps);
  for (long long f = 0; f < features; ++f) y[first + f * area] = x[first + f * area] * scale;
}
