/* hone 1
[[launch]]
kernel = "cityblock"
grid   = ["ceil_div(m, 128)", "ceil_div(n, 128)"]
block  = [256]
args   = ["a", "b", "y", "n", "m", "dims"]
*/
// A block computes a square of y from tiles of a and b in shared memory. How many elements of it a thread has is the
// matter.

#define SIDE 128                 // rows and columns of y that a block computes
#define DEEP 16                  // dimensions at a time
#define OWN 8                    // rows and columns that a thread computes
#define PAD 4                    // spreads the transposing stores over the banks
#define RUN (OWN < 4 ? OWN : 4)  // how many of them lie side by side
#define ACROSS (SIDE / OWN)
#define THREADS (ACROSS * ACROSS)

// Which row or column of the square the e-th of a thread is.
__device__ int place(int thread, int e) { return e / RUN * (ACROSS * RUN) + thread * RUN + e % RUN; }

__device__ void load(float (*tile)[SIDE + PAD], const float* rows, int first, int d0, int count, int dims) {
#pragma unroll
  for (int k = 0; k < SIDE * DEEP / THREADS; ++k) {
    const int e = threadIdx.x + k * THREADS, i = e / DEEP, d = e % DEEP;
    tile[d][i] = first + i < count && d0 + d < dims ? rows[(long long)(first + i) * dims + d0 + d] : 0.0f;
  }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    cityblock(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, int n, int m, int dims) {
  __shared__ __align__(16) float left[DEEP][SIDE + PAD], right[DEEP][SIDE + PAD];  // transposed
  const int tx = threadIdx.x % ACROSS, ty = threadIdx.x / ACROSS, i0 = blockIdx.y * SIDE, j0 = blockIdx.x * SIDE;
  float sum[OWN][OWN] = {};
  for (int d0 = 0; d0 < dims; d0 += DEEP) {
    load(left, a, i0, d0, n, dims);
    load(right, b, j0, d0, m, dims);
    __syncthreads();
#pragma unroll
    for (int d = 0; d < DEEP; ++d) {
      float p[OWN], q[OWN];
#pragma unroll
      for (int e = 0; e < OWN; ++e) {
        p[e] = left[d][place(ty, e)];
        q[e] = right[d][place(tx, e)];
      }
#pragma unroll
      for (int i = 0; i < OWN; ++i)
#pragma unroll
        for (int j = 0; j < OWN; ++j) sum[i][j] += fabsf(p[i] - q[j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < OWN; ++i)
#pragma unroll
    for (int j = 0; j < OWN; ++j) {
      const int row = i0 + place(ty, i), col = j0 + place(tx, j);
      if (row < n && col < m) y[(long long)row * m + col] = sum[i][j];
    }
}
