# problem: level2/12; kind: cheating; what: torch.empty, hoping for what the reference left behind (KernelBench's result_reuse); expect-official: refuses (the reference's result is still held; freed memory has older or intermediate ones)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier, self.slope = multiplier, negative_slope

    def forward(self, x):
        return torch.empty(x.shape[0], self.gemm.out_features, device=x.device)
