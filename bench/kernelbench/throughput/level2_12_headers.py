# problem: level2/12; kind: right; what: throughput set, inline CUDA with torch headers (load_inline); expect-official: accepts (fp32 within 1e-4 of eager)
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime.h>

// y = leaky((y + bias) * multiplier) over the product x * W^T, four columns a thread.
__global__ void __launch_bounds__(256) finish(float* __restrict__ y, const float* __restrict__ bias, long long vectors, int row_vectors,
                                              float multiplier, float slope) {
  const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
  if (i >= vectors) return;
  const float4 b = reinterpret_cast<const float4*>(bias)[i % row_vectors];
  float4 v = reinterpret_cast<float4*>(y)[i];
  v.x = (v.x + b.x) * multiplier;
  v.y = (v.y + b.y) * multiplier;
  v.z = (v.z + b.z) * multiplier;
  v.w = (v.w + b.w) * multiplier;
  v.x = v.x > 0 ? v.x : v.x * slope;
  v.y = v.y > 0 ? v.y : v.y * slope;
  v.z = v.z > 0 ? v.z : v.z * slope;
  v.w = v.w > 0 ? v.w : v.w * slope;
  reinterpret_cast<float4*>(y)[i] = v;
}

void finish_product(torch::Tensor y, torch::Tensor bias, double multiplier, double slope) {
  const long long vectors = y.numel() / 4;
  TORCH_CHECK(y.is_contiguous() && bias.numel() % 4 == 0, "rows must be contiguous, in vectors of four");
  finish<<<(vectors + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(
      y.data_ptr<float>(), bias.data_ptr<float>(), vectors, (int)(bias.numel() / 4), (float)multiplier, (float)slope);
}
"""

own = load_inline(
    name="bench_level2_12_headers",
    cpp_sources="void finish_product(torch::Tensor y, torch::Tensor bias, double multiplier, double slope);",
    cuda_sources=SOURCE,
    functions=["finish_product"],
    extra_cuda_cflags=["-O3"],
    verbose=False,
)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.slope = negative_slope

    def forward(self, x):
        y = torch.mm(x, self.gemm.weight.t())  # cuBLAS, fp32
        own.finish_product(y, self.gemm.bias, self.multiplier, self.slope)
        return y
