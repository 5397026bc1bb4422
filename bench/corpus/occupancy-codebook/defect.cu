/* hone 1
[[launch]]
kernel = "codebook"
grid   = ["6 * sm_count"]
block  = [64]
args   = ["code", "book", "y", "n"]
*/
// Every block has the book in shared memory, 32 KiB, so that an SM holds six of them. How many threads share a book is
// the matter.

extern "C" __global__ void __launch_bounds__(64)
    codebook(const int* __restrict__ code, const float* __restrict__ book, float* __restrict__ y, long long n) {
  __shared__ float here[8192];
  for (int e = threadIdx.x; e < 8192; e += blockDim.x) here[e] = book[e];
  __syncthreads();
#pragma unroll 1
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (long long)blockDim.x)
    y[i] = here[code[i]];
}
