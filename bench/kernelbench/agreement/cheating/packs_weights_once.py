# problem: level2/12; kind: cheating; what: transposes and scales the weights in the first call only; expect-official: accepts (weights never change there); forbidden in Hone, where the work lies within the call
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier, self.slope = multiplier, negative_slope
        self.packed = self.shift = None

    def forward(self, x):
        if self.packed is None:
            self.packed = (self.gemm.weight.t() * self.multiplier).contiguous().detach()
            self.shift = (self.gemm.bias * self.multiplier).detach()
        return F.leaky_relu(torch.addmm(self.shift, x, self.packed), self.slope)
