# problem: level2/12; kind: right; what: multiplier folded into the product's alpha and beta; expect-official: accepts (right)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier, self.slope = multiplier, negative_slope

    def forward(self, x):
        y = torch.addmm(self.gemm.bias, x, self.gemm.weight.t(), beta=self.multiplier, alpha=self.multiplier)
        return torch.maximum(y, y * self.slope)
