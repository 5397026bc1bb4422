# problem: level1/40; kind: right; what: throughput set, inline CUDA with the light loader; expect-official: accepts (fp32 within 1e-4 of eager)
import torch
import torch.nn as nn
import hone_light

SOURCE = r"""
#include <math.h>

#define PARTS 128
#define THREADS 512

// Sums of x and x*x over one of PARTS slices of a row, in double: no cancellation whatever the mean is.
__global__ void __launch_bounds__(THREADS) ln_partial(const float* __restrict__ x, double* __restrict__ partial, long long vectors) {
  const float4* row = reinterpret_cast<const float4*>(x) + blockIdx.y * vectors;
  const long long each = (vectors + PARTS - 1) / PARTS;
  const long long first = blockIdx.x * each, last = first + each < vectors ? first + each : vectors;
  double sum = 0, squares = 0;
  for (long long i = first + threadIdx.x; i < last; i += THREADS) {
    const float4 v = row[i];
    const double a = v.x, b = v.y, c = v.z, d = v.w;
    sum += (a + b) + (c + d);
    squares += (a * a + b * b) + (c * c + d * d);
  }
  __shared__ double shared[2][THREADS / 32];
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_xor_sync(~0u, sum, step);
    squares += __shfl_xor_sync(~0u, squares, step);
  }
  if (threadIdx.x % 32 == 0) {
    shared[0][threadIdx.x / 32] = sum;
    shared[1][threadIdx.x / 32] = squares;
  }
  __syncthreads();
  if (threadIdx.x < 2) {
    double total = 0;
    for (int i = 0; i < THREADS / 32; ++i) total += shared[threadIdx.x][i];
    partial[((long long)blockIdx.y * PARTS + blockIdx.x) * 2 + threadIdx.x] = total;
  }
}

__global__ void __launch_bounds__(THREADS) ln_normalize(const float* __restrict__ x, const double* __restrict__ partial,
                                                        const float* __restrict__ weight, const float* __restrict__ bias,
                                                        float* __restrict__ y, long long vectors, float eps) {
  __shared__ float stats[2];
  if (threadIdx.x < 32) {
    double sum = 0, squares = 0;
    for (int i = threadIdx.x; i < PARTS; i += 32) {
      sum += partial[((long long)blockIdx.y * PARTS + i) * 2];
      squares += partial[((long long)blockIdx.y * PARTS + i) * 2 + 1];
    }
    for (int step = 16; step > 0; step /= 2) {
      sum += __shfl_xor_sync(~0u, sum, step);
      squares += __shfl_xor_sync(~0u, squares, step);
    }
    if (threadIdx.x == 0) {
      const double n = 4.0 * vectors, mean = sum / n, variance = squares / n - mean * mean;
      stats[0] = mean;
      stats[1] = 1 / sqrt((variance > 0 ? variance : 0) + eps);
    }
  }
  __syncthreads();
  const float mean = stats[0], scale = stats[1];
  const float4* row = reinterpret_cast<const float4*>(x) + blockIdx.y * vectors;
  const float4* w4 = reinterpret_cast<const float4*>(weight);
  const float4* b4 = reinterpret_cast<const float4*>(bias);
  float4* out = reinterpret_cast<float4*>(y) + blockIdx.y * vectors;
  const long long each = (vectors + PARTS - 1) / PARTS;
  const long long first = blockIdx.x * each, last = first + each < vectors ? first + each : vectors;
  for (long long i = first + threadIdx.x; i < last; i += THREADS) {
    const float4 v = row[i], w = w4[i], b = b4[i];
    out[i] = make_float4((v.x - mean) * scale * w.x + b.x, (v.y - mean) * scale * w.y + b.y,
                         (v.z - mean) * scale * w.z + b.z, (v.w - mean) * scale * w.w + b.w);
  }
}
"""
PARTS, THREADS = 128, 512


class ModelNew(nn.Module):
    def __init__(self, normalized_shape):
        super().__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)
        module = hone_light.load_inline(SOURCE)
        self.partial = module.kernel("ln_partial")
        self.normalize = module.kernel("ln_normalize")

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = self.ln.weight.numel()
        rows = x.numel() // n
        partial = torch.empty(rows, PARTS, 2, dtype=torch.float64, device=x.device)
        self.partial((PARTS, rows), THREADS, x, partial, n // 4)
        self.normalize((PARTS, rows), THREADS, x, partial, self.ln.weight, self.ln.bias, y, n // 4, self.ln.eps)
        return y
