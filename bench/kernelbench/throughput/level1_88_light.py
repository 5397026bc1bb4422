# problem: level1/88; kind: right; what: throughput set, inline CUDA with the light loader; expect-official: accepts (fp32 within 1e-4 of eager)
import torch
import torch.nn as nn
import hone_light

SOURCE = r"""
#include <math.h>

__device__ __forceinline__ float gelu(float x) {
  return 0.5f * x * (1.0f + tanhf(0.7978845608028654f * (x + 0.044715f * x * x * x)));
}

__global__ void __launch_bounds__(256) new_gelu(const float* __restrict__ x, float* __restrict__ y, long long vectors) {
  const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
  if (i >= vectors) return;
  const float4 v = reinterpret_cast<const float4*>(x)[i];
  reinterpret_cast<float4*>(y)[i] = make_float4(gelu(v.x), gelu(v.y), gelu(v.z), gelu(v.w));
}
"""


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.gelu = hone_light.load_inline(SOURCE).kernel("new_gelu")

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        vectors = x.numel() // 4
        self.gelu((vectors + 255) // 256, 256, x, y, vectors)
        return y
