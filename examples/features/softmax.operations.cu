/* hone 1
# A kernel behind an operation of torch's, which trusted host code calls.
[[scratch]]
name  = "top"
dtype = "f32"
shape = ["rows", 1]

[[launch]]
op   = "aten.amax"
args = ["x", [1], true]
out  = "top"

[[launch]]
kernel = "normalised"
grid   = ["rows"]
block  = [256]
args   = ["x", "top", "y", "cols"]
*/
extern "C" __global__ void normalised(const float* x, const float* top, float* y, long long cols) {
  __shared__ float parts[256];
  const long long row = blockIdx.x;
  const float most = top[row];
  float sum = 0;
  for (long long c = threadIdx.x; c < cols; c += 256) sum += expf(x[row * cols + c] - most);
  parts[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
  }
  __syncthreads();
  for (long long c = threadIdx.x; c < cols; c += 256) y[row * cols + c] = expf(x[row * cols + c] - most) / parts[0];
}
