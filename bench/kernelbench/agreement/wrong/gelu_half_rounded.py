# problem: level1/88; kind: wrong; what: result rounded to half precision; expect-official: refuses (2.4e-4 on values near 0.8)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return (0.5 * x * (1.0 + torch.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))).half().float()
