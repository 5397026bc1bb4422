# problem: level1/40; kind: right; what: throughput set, inline CUDA with torch headers (load_inline); expect-official: accepts (fp32 within 1e-4 of eager)
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime.h>

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

torch::Tensor layer_norm(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps) {
  x = x.contiguous();
  auto y = torch::empty_like(x);
  const long long n = weight.numel(), rows = x.numel() / n;
  TORCH_CHECK(n % 4 == 0, "rows must have whole vectors of four");
  auto partial = torch::empty({rows, PARTS, 2}, x.options().dtype(torch::kFloat64));
  const dim3 grid(PARTS, rows);
  auto queue = c10::cuda::getCurrentCUDAStream();
  ln_partial<<<grid, THREADS, 0, queue>>>(x.data_ptr<float>(), partial.data_ptr<double>(), n / 4);
  ln_normalize<<<grid, THREADS, 0, queue>>>(x.data_ptr<float>(), partial.data_ptr<double>(), weight.data_ptr<float>(),
                                            bias.data_ptr<float>(), y.data_ptr<float>(), n / 4, (float)eps);
  return y;
}
"""

own = load_inline(
    name="bench_level1_40_headers",
    cpp_sources="torch::Tensor layer_norm(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps);",
    cuda_sources=SOURCE,
    functions=["layer_norm"],
    extra_cuda_cflags=["-O3"],
    verbose=False,
)


class ModelNew(nn.Module):
    def __init__(self, normalized_shape):
        super().__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)

    def forward(self, x):
        return own.layer_norm(x, self.ln.weight, self.ln.bias, self.ln.eps)
