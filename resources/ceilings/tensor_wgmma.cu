/* hone 1
# What the tensor cores of Hopper give: warpgroups that issue the largest products (64 x 256 x 32
# bytes) over random operands in shared memory, with accumulators in registers and nothing from the
# outside. It is the rate of issue, under the power limit that such data meet; a real product, which
# also has to move its operands, reaches less. The tunable named after a kernel says how many
# operations one thread does in one of its `rounds`.

[tune]
bf16_wgmma_ops = { values = [32768], default = 32768 }   # 2 * 64 * 256 * 16 * 8 / 128
f16_wgmma_ops  = { values = [32768], default = 32768 }
tf32_wgmma_ops = { values = [16384], default = 16384 }   # 2 * 64 * 256 * 8 * 8 / 128
# There is no wgmma for doubles.
f64_mma_ops    = { values = [2048], default = 2048 }     # 2 * 16 * 8 * 16 * 16 / 32

[[launch]]
kernel = "bf16_wgmma"
grid   = ["sm_count"]
block  = [256]
shared = "96 * 1024 + 1024"
args   = ["y", "rounds"]

[[launch]]
kernel = "f16_wgmma"
grid   = ["sm_count"]
block  = [256]
shared = "96 * 1024 + 1024"
args   = ["y", "rounds"]

[[launch]]
kernel = "tf32_wgmma"
grid   = ["sm_count"]
block  = [256]
shared = "96 * 1024 + 1024"
args   = ["y", "rounds"]

[[launch]]
kernel = "f64_mma"
grid   = ["2 * sm_count"]
block  = [256]
args   = ["y", "rounds"]
*/
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Two stages: for each of two warpgroups a tile of 64 rows, for both together one of 256, each row
// 128 bytes, swizzled by 128 bytes.
constexpr unsigned a_bytes = 64 * 128, b_bytes = 256 * 128, stage_bytes = 2 * a_bytes + b_bytes;

__device__ inline unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

// In (-1, 1), as products are usually fed: zeros would draw less power and flatter the device.
__device__ inline float random_value(unsigned index) { return (float)(int)mixed(index) * 0x1p-31f; }

__device__ inline void store(char* to, unsigned index, __nv_bfloat16) {
  reinterpret_cast<__nv_bfloat162*>(to)[index] =
      __floats2bfloat162_rn(random_value(2 * index), random_value(2 * index + 1));
}
__device__ inline void store(char* to, unsigned index, __half) {
  reinterpret_cast<__half2*>(to)[index] =
      __floats2half2_rn(random_value(2 * index), random_value(2 * index + 1));
}
__device__ inline void store(char* to, unsigned index, float) {
  reinterpret_cast<float*>(to)[index] = random_value(index);
}

// Start address, leading and stride offsets in units of 16 bytes; 1024 bytes from one group of 8
// rows to the next; 128-byte swizzle.
__device__ inline unsigned long long descriptor(unsigned address) {
  return (unsigned long long)((address & 0x3ffff) >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

#define R8(i)                                                                                 \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
      "+f"(d[i + 6]), "+f"(d[i + 7])
#define R32(i) R8(i), R8(i + 8), R8(i + 16), R8(i + 24)
#define WGMMA(types, transposes)                                                                  \
  asm volatile(                                                                                   \
      "wgmma.mma_async.sync.aligned." types                                                       \
      " {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%" \
      "24,%25,%26,%27,%28,%29,%30,%31,"                                                           \
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%" \
      "54,%55,%56,%57,%58,%59,%60,%61,"                                                           \
      "%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%" \
      "84,%85,%86,%87,%88,%89,%90,%91,"                                                           \
      "%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%"  \
      "111,%112,%113,%114,%115,%116,%117,"                                                        \
      "%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129, 1, 1, 1" transposes ";"    \
      : R32(0), R32(32), R32(64), R32(96)                                                         \
      : "l"(a), "l"(b))

__device__ inline void product(float (&d)[128], unsigned long long a, unsigned long long b,
                               __nv_bfloat16) {
  WGMMA("m64n256k16.f32.bf16.bf16", ", 0, 0");
}
__device__ inline void product(float (&d)[128], unsigned long long a, unsigned long long b,
                               __half) {
  WGMMA("m64n256k16.f32.f16.f16", ", 0, 0");
}
__device__ inline void product(float (&d)[128], unsigned long long a, unsigned long long b, float) {
  WGMMA("m64n256k8.f32.tf32.tf32", "");
}

template <typename T>
__device__ inline void issue(float* y, int rounds) {
  extern __shared__ char raw[];
  char* shared = raw + (1024 - (unsigned)__cvta_generic_to_shared(raw) % 1024) % 1024;
  for (unsigned i = threadIdx.x; i < 2 * stage_bytes / 4; i += blockDim.x) store(shared, i, T());
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const unsigned base = (unsigned)__cvta_generic_to_shared(shared),
                 mine = base + threadIdx.x / 128 * a_bytes;
  float d[128];
#pragma unroll
  for (int i = 0; i < 128; ++i) d[i] = 0;
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) {
      const unsigned at = k / 4 * stage_bytes + k % 4 * 32;  // 32 bytes further along the rows
      product(d, descriptor(mine + at), descriptor(base + 2 * a_bytes + at), T());
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::
                     : "memory");  // the other warpgroup's products go on meanwhile
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 128; ++i) sum += d[i];
  if (sum == 123.0f) y[0] = sum;  // no compiler can rule it out
}

extern "C" __global__ void __launch_bounds__(256, 1) bf16_wgmma(float* y, int rounds) {
  issue<__nv_bfloat16>(y, rounds);
}
extern "C" __global__ void __launch_bounds__(256, 1) f16_wgmma(float* y, int rounds) {
  issue<__half>(y, rounds);
}
extern "C" __global__ void __launch_bounds__(256, 1) tf32_wgmma(float* y, int rounds) {
  issue<float>(y, rounds);
}

extern "C" __global__ void __launch_bounds__(256) f64_mma(double* y, int rounds) {
  double a[2][8], b[8][4], d[2][8][4] = {};
  const unsigned seed = (blockIdx.x * blockDim.x + threadIdx.x) * 64;
  for (unsigned i = 0; i < 16; ++i) a[i / 8][i % 8] = random_value(seed + i);
  for (unsigned i = 0; i < 32; ++i) b[i / 4][i % 4] = random_value(seed + 16 + i);
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, "
            "{%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%0,%1,%2,%3};"
            : "+d"(d[i][j][0]), "+d"(d[i][j][1]), "+d"(d[i][j][2]), "+d"(d[i][j][3])
            : "d"(a[i][0]), "d"(a[i][1]), "d"(a[i][2]), "d"(a[i][3]), "d"(a[i][4]), "d"(a[i][5]),
              "d"(a[i][6]), "d"(a[i][7]), "d"(b[j][0]), "d"(b[j][1]), "d"(b[j][2]), "d"(b[j][3]));
  double sum = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 8; ++j)
      for (int k = 0; k < 4; ++k) sum += d[i][j][k];
  if (sum == 123.0) y[0] = sum;
}
