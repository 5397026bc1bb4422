# problem: level2/12; kind: wrong; what: bias left out; expect-official: refuses (off by up to 2e-2)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier, self.slope = multiplier, negative_slope

    def forward(self, x):
        return F.leaky_relu(torch.mm(x, self.gemm.weight.t()) * self.multiplier, self.slope)
