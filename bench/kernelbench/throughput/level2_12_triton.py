# problem: level2/12; kind: right; what: throughput set, Triton; expect-official: accepts (fp32 within 1e-4 of eager)
import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def finish(y, bias, total, columns, multiplier, slope, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < total
    value = tl.load(y + at, mask=inside)
    value = (value + tl.load(bias + at % columns, mask=inside)) * multiplier
    tl.store(y + at, tl.where(value > 0, value, value * slope), mask=inside)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.slope = negative_slope

    def forward(self, x):
        y = torch.mm(x, self.gemm.weight.t())  # cuBLAS, fp32
        finish[(triton.cdiv(y.numel(), 2048),)](y, self.gemm.bias, y.numel(), y.shape[1], self.multiplier, self.slope, BLOCK=2048, num_warps=8)
        return y
