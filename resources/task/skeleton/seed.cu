/* hone 1
# The launch plan: how Hone launches the kernel below. There is no host code.
[tune]                                    # each name becomes a macro; `hone tune` searches the values
BLOCK = { values = [128, 256, 512], default = 256 }
ITEMS = { values = [1, 2, 4], default = 1 }

[[launch]]
kernel = "scale"
grid = ["ceil_div(n, BLOCK * ITEMS)"]     # blocks
block = ["BLOCK"]                         # threads in each
args = ["x", "y", "a", "b", "n"]          # tensors and scalars by name, integers as expressions
*/
extern "C" __global__ void scale(const float* __restrict__ x, float* __restrict__ y, float a, float b, int n) {
  const int first = blockIdx.x * BLOCK * ITEMS + threadIdx.x;
#pragma unroll
  for (int k = 0; k < ITEMS; ++k) {
    const int i = first + k * BLOCK;
    if (i < n) y[i] = a * x[i] + b;
  }
}
