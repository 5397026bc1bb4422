/* hone 1
[tune]
CLUSTER = { values = [2, 4, 8], default = 4 }

[[launch]]
kernel  = "softmax"
grid    = ["CLUSTER * rows"]
block   = [256]
cluster = ["CLUSTER"]
args    = ["x", "y", "cols"]
*/
// Shows `cluster`: blocks that have a row together read each other's results in distributed shared memory.

#define LOWEST __int_as_float(0xff800000)  // minus infinity

__device__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ unsigned cluster_rank() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// The value of a shared variable in another block of the cluster.
__device__ float load_remote(const float* own, unsigned rank) {
  unsigned address;
  float value;
  const unsigned here = (unsigned)__cvta_generic_to_shared(own);
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(here), "r"(rank));
  asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(value) : "r"(address) : "memory");
  return value;
}

template <bool MAX>
__device__ float block_reduce(float v) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  __syncthreads();
  s[t] = v;
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) s[t] = MAX ? fmaxf(s[t], s[t + step]) : s[t] + s[t + step];
  }
  __syncthreads();
  return s[0];
}

extern "C" __global__ void __launch_bounds__(256)
    softmax(const float* __restrict__ x, float* __restrict__ y, long long cols) {
  __shared__ float block_max, block_sum;
  const int t = threadIdx.x;
  const long long row = blockIdx.x / CLUSTER, share = (cols + CLUSTER - 1) / CLUSTER;
  const long long from = cluster_rank() * share + t, to = min(cols, (cluster_rank() + 1) * share);
  x += row * cols;
  y += row * cols;

  float top = LOWEST, sum = 0.0f;
  for (long long c = from; c < to; c += 256) top = fmaxf(top, x[c]);
  top = block_reduce<true>(top);
  if (t == 0) block_max = top;
  cluster_sync();
  for (unsigned rank = 0; rank < CLUSTER; ++rank) top = fmaxf(top, load_remote(&block_max, rank));

  for (long long c = from; c < to; c += 256) sum += expf(x[c] - top);
  sum = block_reduce<false>(sum);
  if (t == 0) block_sum = sum;
  cluster_sync();
  sum = 0.0f;
  for (unsigned rank = 0; rank < CLUSTER; ++rank) sum += load_remote(&block_sum, rank);

  for (long long c = from; c < to; c += 256) y[c] = expf(x[c] - top) / sum;
  cluster_sync();  // no block leaves while another block may still read its shared memory
}
