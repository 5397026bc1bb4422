/* hone 1
[[launch]]
kernel = "too_much_shared"
grid   = ["ceil_div(n, 128)"]
block  = [128]
shared = 300000
args   = ["x", "y", "z", "n"]
*/
// No block can have as much shared memory.
extern "C" __global__ void too_much_shared(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  extern __shared__ float tile[];
  tile[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) z[i] = 2.0f * tile[threadIdx.x] + y[i];
}
