# problem: level1/88; kind: wrong; what: last element never computed; expect-official: refuses (one element of 67 million)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        y = 0.5 * x * (1.0 + torch.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
        y.view(-1)[-1] = 0
        return y
