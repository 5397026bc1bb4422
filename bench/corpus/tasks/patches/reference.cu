/* hone 1
[[launch]]
kernel = "patches"
grid   = ["across", "down", "batch"]
block  = ["side", "side"]
args   = ["x", "y", "channels"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void patches(const float* x, HONE_REAL* y, int channels) {
  const long long side = blockDim.x, width = gridDim.x * side, height = gridDim.y * side;
  const long long patch = ((long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  for (int c = 0; c < channels; ++c) {
    const long long row = ((long long)blockIdx.z * channels + c) * height + blockIdx.y * side + threadIdx.y;
    y[((patch * channels + c) * side + threadIdx.y) * side + threadIdx.x] =
        x[row * width + blockIdx.x * side + threadIdx.x];
  }
}
