/* hone 1
# The launch plan: how Hone launches the kernel below. There is no host code.
[tune]                                    # each name becomes a macro; `hone tune` searches the values
BLOCK = { values = [64, 128, 256], default = 128 }
ITEMS = { values = [1, 4, 16], default = 4 }

[[launch]]
kernel = "scale"
grid = ["ceil_div(n, BLOCK * ITEMS)"]     # work-groups
block = ["BLOCK"]                         # work-items in each
args = ["x", "y", "a", "b", "n"]          # tensors and scalars by name, integers as expressions
*/
__kernel void scale(__global const float* restrict x, __global float* restrict y, float a, float b, int n) {
  const int first = (int)get_group_id(0) * BLOCK * ITEMS + (int)get_local_id(0);
  for (int k = 0; k < ITEMS; ++k) {
    const int i = first + k * BLOCK;
    if (i < n) y[i] = a * x[i] + b;
  }
}
