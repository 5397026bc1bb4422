/* hone 1
# What the tensor cores give through mma.sync, the instruction that every device since Ampere has:
# random operands and accumulators in registers, several independent products a warp. It is the rate
# of issue; a real product, which also has to move its operands, reaches less, and a device with
# larger products of its own (tcgen05) may reach more. The tunable named after a kernel says how
# many operations one thread does in one of its `rounds`.

[tune]
bf16_mma_ops = { values = [4096], default = 4096 }    # 2 * 16 * 8 * 16 * 32 / 32
f16_mma_ops  = { values = [4096], default = 4096 }
tf32_mma_ops = { values = [2048], default = 2048 }    # 2 * 16 * 8 * 8 * 32 / 32
f64_mma_ops  = { values = [512], default = 512 }      # 2 * 8 * 8 * 4 * 32 / 32

[[launch]]
kernel = "bf16_mma"
grid   = ["2 * sm_count"]
block  = [256]
args   = ["y", "rounds"]

[[launch]]
kernel = "f16_mma"
grid   = ["2 * sm_count"]
block  = [256]
args   = ["y", "rounds"]

[[launch]]
kernel = "tf32_mma"
grid   = ["2 * sm_count"]
block  = [256]
args   = ["y", "rounds"]

[[launch]]
kernel = "f64_mma"
grid   = ["2 * sm_count"]
block  = [256]
args   = ["y", "rounds"]
*/
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ inline unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}
__device__ inline float random_value(unsigned index) { return (float)(int)mixed(index) * 0x1p-31f; }
__device__ inline unsigned operand(unsigned i, __nv_bfloat16) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(random_value(2 * i), random_value(2 * i + 1));
  return *reinterpret_cast<const unsigned*>(&pair);
}
__device__ inline unsigned operand(unsigned i, __half) {
  const __half2 pair = __floats2half2_rn(random_value(2 * i), random_value(2 * i + 1));
  return *reinterpret_cast<const unsigned*>(&pair);
}
__device__ inline unsigned operand(unsigned i, float) { return __float_as_uint(random_value(i)); }

#define MMA(types)                                                                                \
  asm volatile("mma.sync.aligned." types " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                   \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
__device__ inline void product(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2],
                               __nv_bfloat16) {
  MMA("m16n8k16.row.col.f32.bf16.bf16.f32");
}
__device__ inline void product(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2],
                               __half) {
  MMA("m16n8k16.row.col.f32.f16.f16.f32");
}
__device__ inline void product(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2],
                               float) {
  MMA("m16n8k8.row.col.f32.tf32.tf32.f32");
}

// A register tile of 4 by 8 products, as a large matrix product holds it.
template <typename T>
__device__ inline void issue(float* y, int rounds) {
  unsigned a[4][4], b[8][2];
  float d[4][8][4] = {};
  const unsigned seed = (blockIdx.x * blockDim.x + threadIdx.x) * 64;
  for (unsigned i = 0; i < 16; ++i) a[i / 4][i % 4] = operand(seed + i, T());
  for (unsigned i = 0; i < 16; ++i) b[i / 2][i % 2] = operand(seed + 16 + i, T());
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j) product(d[i][j], a[i], b[j], T());
  float sum = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j)
      for (int k = 0; k < 4; ++k) sum += d[i][j][k];
  if (sum == 123.0f) y[0] = sum;  // no compiler can rule it out
}

extern "C" __global__ void __launch_bounds__(256) bf16_mma(float* y, int rounds) {
  issue<__nv_bfloat16>(y, rounds);
}
extern "C" __global__ void __launch_bounds__(256) f16_mma(float* y, int rounds) {
  issue<__half>(y, rounds);
}
extern "C" __global__ void __launch_bounds__(256) tf32_mma(float* y, int rounds) {
  issue<float>(y, rounds);
}

extern "C" __global__ void __launch_bounds__(256) f64_mma(double* y, int rounds) {
  double a[4], b[8], d[4][8][2] = {};
  const unsigned seed = (blockIdx.x * blockDim.x + threadIdx.x) * 64;
  for (unsigned i = 0; i < 4; ++i) a[i] = random_value(seed + i);
  for (unsigned i = 0; i < 8; ++i) b[i] = random_value(seed + 4 + i);
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j)
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                     : "+d"(d[i][j][0]), "+d"(d[i][j][1])
                     : "d"(a[i]), "d"(b[j]));
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j) sum += d[i][j][0] + d[i][j][1];
  if (sum == 123.0) y[0] = sum;
}
