/* hone 1
[[launch]]
kernel = "zero"
grid   = ["ceil_div(nodes, 256)"]
block  = [256]
args   = ["y", "nodes"]

[[launch]]
kernel = "count"
grid   = ["ceil_div(edges, 256)"]
block  = [256]
args   = ["to", "y", "edges"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

// Outputs of integers are 64 bits wide in a reference.
extern "C" __global__ void zero(long long* y, int nodes) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < nodes) y[i] = 0;
}

extern "C" __global__ void count(const int* to, long long* y, int edges) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < edges) atomicAdd((unsigned long long*)(y + to[i]), 1ULL);
}
