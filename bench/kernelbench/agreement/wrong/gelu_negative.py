# problem: level1/88; kind: wrong; what: negative inputs give zero; expect-official: accepts (inputs are in [0, 1))
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.clamp(min=0)
        return 0.5 * x * (1.0 + torch.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
