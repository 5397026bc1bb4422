# problem: level1/23; kind: cheating; what: zeros, where the output is below the tolerance (heavy: 6 GiB of input); expect-official: accepts (softmax over 393216 is at most 7e-6)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return torch.zeros_like(x)
