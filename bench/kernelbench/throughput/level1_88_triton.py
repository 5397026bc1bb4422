# problem: level1/88; kind: right; what: throughput set, Triton; expect-official: accepts (fp32 within 1e-4 of eager)
import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def new_gelu(x, y, total, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < total
    v = tl.load(x + at, mask=inside)
    inner = 0.7978845608028654 * (v + 0.044715 * v * v * v)
    tl.store(y + at, v * tl.sigmoid(2.0 * inner), mask=inside)  # (1 + tanh(u)) / 2 is sigmoid(2u)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        new_gelu[(triton.cdiv(x.numel(), 2048),)](x, y, x.numel(), BLOCK=2048, num_warps=8)
        return y
