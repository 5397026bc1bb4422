# problem: level2/80; kind: right; what: all steps as written, by amax; expect-official: accepts (right)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, max_dim):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.max_dim = max_dim

    def forward(self, x):
        y = F.linear(x, self.gemm.weight, self.gemm.bias).amax(dim=self.max_dim, keepdim=True)
        return F.gelu(y - y.mean(dim=1, keepdim=True))
