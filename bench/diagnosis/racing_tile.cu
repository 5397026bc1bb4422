/* hone 1
[[launch]]
kernel = "racing_tile"
grid   = ["ceil_div(n, 1024)"]
block  = [1024]
args   = ["x", "y", "z", "n"]
*/
// Neighbours exchange values, and nothing stands between writing and reading.
extern "C" __global__ void racing_tile(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float tile[1024];
  if (i < n) {
    float v = 2.0f * x[i];
    if (threadIdx.x >= 512)
      for (int k = 0; k < 200; ++k) v = fmaf(v, 1.0f, 0.0f) + __shfl_sync(__activemask(), 0.0f, 0);
    tile[threadIdx.x] = v + y[i];
  }
  const int other = i ^ 1023;
  if (other < n) z[other] = tile[threadIdx.x ^ 1023];
}
