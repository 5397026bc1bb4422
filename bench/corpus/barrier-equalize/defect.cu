/* hone 1
[[launch]]
kernel = "equalize"
grid   = ["ceil_div(tiles, 32)"]
block  = [1024]
args   = ["x", "y", "tiles"]
*/
// A block has 32 tiles. All its threads take one tile after the other; its counts are summed up by the first of them.

__device__ uchar4 spread(uchar4 p, const int* upto) {
  return make_uchar4(upto[p.x] * 255 >> 12, upto[p.y] * 255 >> 12, upto[p.z] * 255 >> 12, upto[p.w] * 255 >> 12);
}

__device__ void count(uchar4 p, int* counts) {
  atomicAdd(counts + p.x, 1);
  atomicAdd(counts + p.y, 1);
  atomicAdd(counts + p.z, 1);
  atomicAdd(counts + p.w, 1);
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    equalize(const uchar4* __restrict__ x, uchar4* __restrict__ y, int tiles) {
  __shared__ int counts[256];
  const int t = threadIdx.x, first = blockIdx.x * 32;
  for (int tile = first; tile < tiles && tile < first + 32; ++tile) {
    const uchar4 p = x[tile * 1024LL + t];
    if (t < 256) counts[t] = 0;
    __syncthreads();
    count(p, counts);
    __syncthreads();
    if (t == 0) {
      int sum = 0;
      for (int grey = 0; grey < 256; ++grey) counts[grey] = sum += counts[grey];
    }
    __syncthreads();
    y[tile * 1024LL + t] = spread(p, counts);
    __syncthreads();
  }
}
