# problem: level1/88; kind: right; what: torch.compile inside the module; expect-official: accepts (right); slow first call
import torch
import torch.nn as nn
import torch.nn.functional as F

def new_gelu(x):
    return 0.5 * x * (1.0 + torch.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.compiled = torch.compile(new_gelu)

    def forward(self, x):
        return self.compiled(x)
