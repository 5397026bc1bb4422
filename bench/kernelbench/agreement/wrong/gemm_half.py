# problem: level2/12; kind: wrong; what: product in half precision; expect-official: refuses (rounding of 2e-4 to 1e-3)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier, self.slope = multiplier, negative_slope

    def forward(self, x):
        y = F.linear(x.half(), self.gemm.weight.half(), self.gemm.bias.half()).float() * self.multiplier
        return F.leaky_relu(y, self.slope)
