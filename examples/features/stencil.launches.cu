/* hone 1
[[launch]]
kernel = "inside"
when   = "height > 4 and width > 4"
grid   = ["ceil_div(width - 4, 256)", "height - 4"]
block  = [256]
args   = ["x", "w", "y", "width"]

[[launch]]
kernel = "edge"
grid   = ["ceil_div(min(4, height) * width + (height - min(4, height)) * min(4, width), 256)"]
block  = [256]
args   = ["x", "w", "y", "height", "width"]
*/
// Shows two launches that share the work: cells two away from the edge need no care, the rest is done one by one.

extern "C" __global__ void inside(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
                                  long long width) {
  const long long i = blockIdx.y + 2, j = blockIdx.x * 256LL + threadIdx.x + 2;
  if (j >= width - 2) return;
  float sum = 0.0f;
  for (int u = 0; u < 5; ++u)
    for (int v = 0; v < 5; ++v) sum += w[u * 5 + v] * x[(i + u - 2) * width + j + v - 2];
  y[i * width + j] = sum;
}

// Cell e of the edge: first the two rows at the top and the two at the bottom, then two cells at both ends of the
// others.
extern "C" __global__ void edge(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
                                long long height, long long width) {
  const long long e = blockIdx.x * 256LL + threadIdx.x, rows = min(4LL, height), cols = min(4LL, width),
                  first = rows * width;
  const long long r = e < first ? e / width : 2 + (e - first) / cols, c = e < first ? e % width : (e - first) % cols;
  const long long i = e >= first || r < 2 ? r : height - rows + r, j = e < first || c < 2 ? c : width - cols + c;
  if (i >= height) return;
  float sum = 0.0f;
  for (long long u = max(0LL, 2 - i); u < min(5LL, height + 2 - i); ++u)
    for (long long v = max(0LL, 2 - j); v < min(5LL, width + 2 - j); ++v)
      sum += w[u * 5 + v] * x[(i + u - 2) * width + j + v - 2];
  y[i * width + j] = sum;
}
