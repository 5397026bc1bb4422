/* hone 1
[[launch]]
kernel = "codebook"
grid   = ["4 * sm_count"]
block  = [256]
args   = ["code", "book", "y", "n"]
*/
// Every block has the book in shared memory.

extern "C" __global__ void __launch_bounds__(256)
    codebook(const int* __restrict__ code, const float* __restrict__ book, float* __restrict__ y, long long n) {
  __shared__ float here[8192];
  for (int e = threadIdx.x; e < 8192; e += 256) here[e] = book[e];
  __syncthreads();
#pragma unroll 4
  for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) y[i] = here[code[i]];
}
