# problem: level1/88; kind: right; what: light loader, one element a thread, sigmoid form; expect-official: accepts (right; as exported by `hone export --format kernelbench`)
import hone_light
import torch
import torch.nn as nn
import torch.nn.functional as F

SOURCE = r"""
#include <math.h>

__global__ void __launch_bounds__(512) gelu_loop(const float* __restrict__ x, float* __restrict__ y, long long n) {
  for (long long i = (long long)blockIdx.x * 512 + threadIdx.x; i < n; i += (long long)gridDim.x * 512) {
    const float v = x[i];
    const float inner = 1.5957691216057308f * (v + 0.044715f * v * v * v);
    y[i] = v / (1.0f + expf(-inner));
  }
}
"""


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.gelu = hone_light.load_inline(SOURCE).kernel("gelu_loop")

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        self.gelu(132 * 16, 512, x, y, x.numel())
        return y
