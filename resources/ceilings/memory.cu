/* hone 1
# What this device's memory gives. Each launch is one way to ask for it, and the best of each kind
# counts: the kind is the kernel's name up to the first underscore. `n` counts vectors of 64 bytes.

[[launch]]
kernel = "read_four"
grid   = ["8 * sm_count"]
block  = [256]
args   = ["x", "y", "4 * n"]

[[launch]]
kernel = "read_four"
grid   = ["2 * sm_count"]
block  = [1024]
args   = ["x", "y", "4 * n"]

[[launch]]
kernel = "read_eight"
grid   = ["4 * sm_count"]
block  = [512]
args   = ["x", "y", "4 * n"]

[[launch]]
kernel = "read_once"
grid   = ["ceil_div(4 * n, 4 * 256)"]
block  = [256]
args   = ["x", "y", "4 * n"]

[[launch]]
kernel = "write_stripes"
grid   = ["8 * sm_count"]
block  = [256]
args   = ["y", "4 * n"]

[[launch]]
kernel = "write_once"
grid   = ["ceil_div(4 * n, 4 * 256)"]
block  = [256]
args   = ["y", "4 * n"]

[[launch]]
kernel = "copy_four"
grid   = ["8 * sm_count"]
block  = [256]
args   = ["x", "y", "4 * n"]

[[launch]]
kernel = "copy_four"
grid   = ["2 * sm_count"]
block  = [1024]
args   = ["x", "y", "4 * n"]

[[launch]]
kernel = "copy_once"
grid   = ["ceil_div(4 * n, 4 * 256)"]
block  = [256]
args   = ["x", "y", "4 * n"]

[[launch]]
kernel = "copy_plain"
grid   = ["ceil_div(4 * n, 4 * 512)"]
block  = [512]
args   = ["x", "y", "4 * n"]

[[launch]]
kernel = "copy_one"
grid   = ["ceil_div(4 * n, 512)"]
block  = [512]
args   = ["x", "y", "4 * n"]

[[launch]]
kernel = "copy_runs"
grid   = ["sm_count"]
block  = [1024]
args   = ["x", "y", "4 * n"]
*/

// Written only if the sum is this, which random data does not give and no compiler can rule out.
constexpr unsigned improbable = 0x12345678u;

__device__ inline uint4 both(uint4 a, uint4 b) {
  return make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w);
}

template <int deep>
__device__ inline void read(const uint4* x, uint4* y, long long n) {
  const long long step = (long long)gridDim.x * blockDim.x;
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  uint4 sum[deep] = {};
  for (; i + (deep - 1) * step < n; i += deep * step)
#pragma unroll
    for (int k = 0; k < deep; ++k) sum[k] = both(sum[k], __ldg(x + i + k * step));
  for (; i < n; i += step) sum[0] = both(sum[0], __ldg(x + i));
  for (int k = 1; k < deep; ++k) sum[0] = both(sum[0], sum[k]);
  if ((sum[0].x ^ sum[0].y ^ sum[0].z ^ sum[0].w) == improbable && sum[0].x == improbable)
    y[0] = sum[0];
}

extern "C" __global__ void read_four(const uint4* x, uint4* y, long long n) { read<4>(x, y, n); }
extern "C" __global__ void read_eight(const uint4* x, uint4* y, long long n) { read<8>(x, y, n); }

// As many blocks as it takes, each with four vectors a thread: new blocks keep the memory busy
// where others end.
extern "C" __global__ void read_once(const uint4* x, uint4* y, long long n) {
  const long long first = (long long)blockIdx.x * blockDim.x * 4 + threadIdx.x;
  uint4 sum = {};
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (first + k * blockDim.x < n) sum = both(sum, __ldg(x + first + k * blockDim.x));
  if ((sum.x ^ sum.y ^ sum.z ^ sum.w) == improbable && sum.x == improbable) y[0] = sum;
}

extern "C" __global__ void write_stripes(uint4* y, long long n) {
  const long long step = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    y[i] = make_uint4(i, i * 3, i * 5, i * 7);
}

extern "C" __global__ void write_once(uint4* y, long long n) {
  const long long first = (long long)blockIdx.x * blockDim.x * 4 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (const long long i = first + k * blockDim.x; i < n)
      y[i] = make_uint4(i, i * 3, i * 5, i * 7);
}

extern "C" __global__ void copy_four(const uint4* x, uint4* y, long long n) {
  const long long step = (long long)gridDim.x * blockDim.x;
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    const uint4 a = __ldcs(x + i), b = __ldcs(x + i + step), c = __ldcs(x + i + 2 * step),
                d = __ldcs(x + i + 3 * step);
    __stcs(y + i, a);
    __stcs(y + i + step, b);
    __stcs(y + i + 2 * step, c);
    __stcs(y + i + 3 * step, d);
  }
  for (; i < n; i += step) y[i] = x[i];
}

extern "C" __global__ void copy_once(const uint4* x, uint4* y, long long n) {
  const long long first = (long long)blockIdx.x * blockDim.x * 4 + threadIdx.x;
  uint4 kept[4];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (first + k * blockDim.x < n) kept[k] = __ldcs(x + first + k * blockDim.x);
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (first + k * blockDim.x < n) __stcs(y + first + k * blockDim.x, kept[k]);
}

// The same with the ordinary policy of the caches.
extern "C" __global__ void copy_plain(const uint4* x, uint4* y, long long n) {
  const long long first = (long long)blockIdx.x * blockDim.x * 4 + threadIdx.x;
  uint4 kept[4];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (first + k * blockDim.x < n) kept[k] = x[first + k * blockDim.x];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (first + k * blockDim.x < n) y[first + k * blockDim.x] = kept[k];
}

extern "C" __global__ void copy_one(const uint4* x, uint4* y, long long n) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

// Each block has a run of its own, so that reads and writes come in longer rows.
extern "C" __global__ void copy_runs(const uint4* x, uint4* y, long long n) {
  const long long begin = n * blockIdx.x / gridDim.x, end = n * (blockIdx.x + 1) / gridDim.x;
  long long i = begin + threadIdx.x;
  for (; i + 7 * blockDim.x < end; i += 8 * blockDim.x) {
    uint4 kept[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) kept[k] = x[i + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < 8; ++k) y[i + k * blockDim.x] = kept[k];
  }
  for (; i < end; i += blockDim.x) y[i] = x[i];
}
