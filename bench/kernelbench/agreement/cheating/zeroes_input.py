# problem: level2/76; kind: cheating; what: zeroes its input and answers for zeros (KernelBench's zero_out); expect-official: refuses (the reference has been there before)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, bias_shape):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features, bias=False)
        self.bias = nn.Parameter(torch.randn(bias_shape))

    def forward(self, x):
        x.zero_()
        return torch.relu(self.bias).expand(x.shape[0], -1).contiguous()
