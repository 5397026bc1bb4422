# problem: level2/81; kind: wrong; what: a syntax error; expect-official: refuses (not compiled)
import torch
import torch.nn as nn


class ModelNew(nn.Module)
    def forward(self, x):
        return torch.tanh(x)
