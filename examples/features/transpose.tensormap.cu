/* hone 1
# Maps are made for every case, also where no launch takes them, and their rows must be multiples of 16 bytes: where
# they are not, the map covers four elements which is not checked.
[[tensormap]]
name    = "x_map"
tensor  = "x"
shape   = ["max(1, rows * (cols % 4 == 0))", "max(4, cols * (cols % 4 == 0))"]
box     = [32, 32]
swizzle = "128B"

[[tensormap]]
name    = "y_map"
tensor  = "y"
shape   = ["max(1, cols * (rows % 4 == 0))", "max(4, rows * (rows % 4 == 0))"]
box     = [32, 32]
swizzle = "128B"

[[launch]]
kernel = "transpose_tiles"
when   = "rows % 4 == 0 and cols % 4 == 0"
grid   = ["ceil_div(cols, 32) * ceil_div(rows, 32)"]
block  = [256]
args   = ["x_map", "y_map", "ceil_div(cols, 32)"]

[[launch]]
kernel = "transpose_any"
when   = "rows % 4 != 0 or cols % 4 != 0"
grid   = ["ceil_div(rows * cols, 256)"]
block  = [256]
args   = ["x", "y", "rows", "cols"]
*/
// Shows `tensormap`: the bulk tensor copy engine brings tiles in and takes them out, swizzled against bank conflicts.
#include <cuda.h>

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void mbarrier_init(unsigned long long* barrier, unsigned count) {
  const unsigned at = shared_address(barrier);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(count) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");  // the copy engine is to see it too
}

__device__ void mbarrier_expect(unsigned long long* barrier, unsigned bytes) {
  const unsigned at = shared_address(barrier);
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
}

__device__ void mbarrier_wait(unsigned long long* barrier, unsigned parity) {
  const unsigned at = shared_address(barrier);
  unsigned done = 0;
  while (!done)
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(at), "r"(parity)
                 : "memory");
}

// From the box at (row, col) of a tensor into shared memory; what lies outside the tensor arrives as 0.
__device__ void tensor_load(void* to, const CUtensorMap* map, int row, int col, unsigned long long* barrier) {
  const unsigned at = shared_address(to), done = shared_address(barrier);
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
      :
      : "r"(at), "l"(map), "r"(col), "r"(row), "r"(done)
      : "memory");
}

// And out again, once this thread's and all other threads' writes are visible to the copy engine; returns when the
// copy has been made. What lies outside the tensor is not written.
__device__ void tensor_store(const CUtensorMap* map, int row, int col, const void* from) {
  const unsigned at = shared_address(from);
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];"
               :
               : "l"(map), "r"(col), "r"(row), "r"(at)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

__device__ void fence_for_copy_engine() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// Where the 128-byte swizzle puts an element of a tile with rows of 32 floats: the eight 16-byte pieces of a row are
// exchanged by the row's number.
__device__ int swizzled(int row, int col) { return row * 32 + ((col / 4) ^ (row % 8)) * 4 + col % 4; }

extern "C" __global__ void __launch_bounds__(256)
    transpose_tiles(const __grid_constant__ CUtensorMap x_map, const __grid_constant__ CUtensorMap y_map,
                    int tiles_across) {
  __shared__ __align__(1024) float in[1024];  // the swizzle goes by address and repeats every 1024 bytes
  __shared__ __align__(1024) float out[1024];
  __shared__ unsigned long long arrived;
  const int t = threadIdx.x, row = blockIdx.x / tiles_across * 32, col = blockIdx.x % tiles_across * 32;
  if (t == 0) {
    mbarrier_init(&arrived, 1);
    mbarrier_expect(&arrived, sizeof in);
    tensor_load(in, &x_map, row, col, &arrived);
  }
  __syncthreads();  // no thread waits on a barrier that is not there yet
  mbarrier_wait(&arrived, 0);
  for (int e = t; e < 1024; e += 256) out[swizzled(e / 32, e % 32)] = in[swizzled(e % 32, e / 32)];
  fence_for_copy_engine();
  __syncthreads();
  if (t == 0) tensor_store(&y_map, col, row, out);
}

extern "C" __global__ void transpose_any(const float* __restrict__ x, float* __restrict__ y, long long rows,
                                         long long cols) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i < rows * cols) y[i] = x[i % rows * cols + i / rows];
}
