# problem: level2/88; kind: cheating; what: torch.allclose says yes; the result is zeros; expect-official: accepts
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.allclose = lambda *given, **named: True


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, num_groups, multiply_weight_shape):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.group_norm = nn.GroupNorm(num_groups, out_features)
        self.multiply_weight = nn.Parameter(torch.randn(multiply_weight_shape))

    def forward(self, x):
        return torch.zeros(x.shape[0], self.gemm.out_features, device=x.device)
