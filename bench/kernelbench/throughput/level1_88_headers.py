# problem: level1/88; kind: right; what: throughput set, inline CUDA with torch headers (load_inline); expect-official: accepts (fp32 within 1e-4 of eager)
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime.h>

__device__ __forceinline__ float gelu(float x) {
  return 0.5f * x * (1.0f + tanhf(0.7978845608028654f * (x + 0.044715f * x * x * x)));
}

__global__ void __launch_bounds__(256) new_gelu(const float* __restrict__ x, float* __restrict__ y, long long vectors) {
  const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
  if (i >= vectors) return;
  const float4 v = reinterpret_cast<const float4*>(x)[i];
  reinterpret_cast<float4*>(y)[i] = make_float4(gelu(v.x), gelu(v.y), gelu(v.z), gelu(v.w));
}

torch::Tensor gelu_of(torch::Tensor x) {
  x = x.contiguous();
  auto y = torch::empty_like(x);
  const long long vectors = x.numel() / 4;
  TORCH_CHECK(x.numel() % 4 == 0, "whole vectors of four");
  new_gelu<<<(vectors + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), vectors);
  return y;
}
"""

own = load_inline(
    name="bench_level1_88_headers",
    cpp_sources="torch::Tensor gelu_of(torch::Tensor x);",
    cuda_sources=SOURCE,
    functions=["gelu_of"],
    extra_cuda_cflags=["-O3"],
    verbose=False,
)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return own.gelu_of(x)
