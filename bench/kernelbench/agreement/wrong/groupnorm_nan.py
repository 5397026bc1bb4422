# problem: level2/88; kind: wrong; what: NaN everywhere; expect-official: refuses (NaN is not close to anything)
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
        return torch.full((x.shape[0], self.gemm.out_features), float('nan'), device=x.device)
