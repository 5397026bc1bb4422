# problem: level2/88; kind: right; what: group statistics through a view, SiLU by the library; expect-official: accepts (right)
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
        y = F.linear(x, self.gemm.weight, self.gemm.bias)
        groups = y.reshape(y.shape[0], self.group_norm.num_groups, -1)
        groups = groups - groups.mean(dim=2, keepdim=True)
        groups = groups * torch.rsqrt(groups.square().mean(dim=2, keepdim=True) + self.group_norm.eps)
        y = torch.addcmul(self.group_norm.bias, groups.reshape(y.shape), self.group_norm.weight)
        return F.silu(F.silu(y) * self.multiply_weight)
