# problem: level1/1; kind: wrong; what: product of inputs rounded to bfloat16, sums in single precision; expect-official: refuses (up to 0.24 off sums of 1000, where 0.1 is allowed)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        return torch.mm(A.bfloat16().float(), B.bfloat16().float())
