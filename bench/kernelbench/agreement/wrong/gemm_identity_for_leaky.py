# problem: level2/12; kind: wrong; what: LeakyReLU left out, as if nothing were negative; expect-official: refuses (half of the values are negative)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier, self.slope = multiplier, negative_slope

    def forward(self, x):
        return F.linear(x, self.gemm.weight, self.gemm.bias) * self.multiplier
