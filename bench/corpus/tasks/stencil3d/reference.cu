/* hone 1
[[launch]]
kernel = "stencil"
grid   = ["ceil_div(width, 128)", "height", "depth"]
block  = [128]
args   = ["x", "y", "depth", "height", "width", "own", "other"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

__device__ HONE_REAL at(const float* x, int d, int r, int c, int depth, int height, int width) {
  const bool inside = d >= 0 && d < depth && r >= 0 && r < height && c >= 0 && c < width;
  return inside ? x[((long long)d * height + r) * width + c] : 0.0f;
}

extern "C" __global__ void stencil(const float* x, HONE_REAL* y, int depth, int height, int width, float own,
                                   float other) {
  const int c = blockIdx.x * 128 + threadIdx.x, r = blockIdx.y, d = blockIdx.z;
  if (c >= width) return;
  HONE_REAL near = 0;
  for (int side = -1; side <= 1; side += 2)
    near += at(x, d + side, r, c, depth, height, width) + at(x, d, r + side, c, depth, height, width) +
            at(x, d, r, c + side, depth, height, width);
  y[((long long)d * height + r) * width + c] = own * at(x, d, r, c, depth, height, width) + other * near;
}
