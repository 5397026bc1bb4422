# problem: level2/88; kind: right; what: library product, everything behind it in one Triton kernel; expect-official: accepts (right)
import triton
import triton.language as tl
import torch
import torch.nn as nn
import torch.nn.functional as F

@triton.jit
def finish(y, weight, bias, factor, eps, GROUPS: tl.constexpr, EACH: tl.constexpr):  # powers of two
    at = tl.arange(0, GROUPS)[:, None] * EACH + tl.arange(0, EACH)[None, :]
    row = y + tl.program_id(0).to(tl.int64) * (GROUPS * EACH)
    v = tl.load(row + at)
    v = v - (tl.sum(v, axis=1) / EACH)[:, None]
    v = v * tl.rsqrt(tl.sum(v * v, axis=1) / EACH + eps)[:, None]
    v = v * tl.load(weight + at) + tl.load(bias + at)
    v = v * tl.sigmoid(v) * tl.load(factor + at)
    tl.store(row + at, v * tl.sigmoid(v))


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, num_groups, multiply_weight_shape):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.group_norm = nn.GroupNorm(num_groups, out_features)
        self.multiply_weight = nn.Parameter(torch.randn(multiply_weight_shape))

    def forward(self, x):
        y = F.linear(x, self.gemm.weight, self.gemm.bias)
        groups = self.group_norm.num_groups
        each = y.shape[1] // groups
        finish[(y.shape[0],)](y, self.group_norm.weight, self.group_norm.bias, self.multiply_weight, self.group_norm.eps, GROUPS=groups, EACH=each, num_warps=8)
        return y
