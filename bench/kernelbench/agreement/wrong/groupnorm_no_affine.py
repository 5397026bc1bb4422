# problem: level2/88; kind: wrong; what: weight and bias of the norm left out; expect-official: accepts (they start as ones and zeros)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, num_groups, multiply_weight_shape):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.group_norm = nn.GroupNorm(num_groups, out_features)
        self.multiply_weight = nn.Parameter(torch.randn(multiply_weight_shape))

    def forward(self, x):
        y = F.group_norm(F.linear(x, self.gemm.weight, self.gemm.bias), self.group_norm.num_groups, None, None, self.group_norm.eps)
        return F.silu(F.silu(y) * self.multiply_weight)
