# problem: level2/81; kind: right; what: clamps that cannot matter left out (|tanh| < 1); expect-official: accepts (right)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)

    def forward(self, x):
        y = F.silu(F.linear(x, self.gemm.weight, self.gemm.bias)) * 0.5
        return torch.tanh(y.clamp(-1.0, 1.0))
