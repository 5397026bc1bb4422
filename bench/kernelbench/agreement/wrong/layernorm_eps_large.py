# problem: level1/40; kind: wrong; what: eps 1e-3 instead of 1e-5; expect-official: refuses (off by 6e-3 of a standard deviation)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, normalized_shape):
        super().__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)

    def forward(self, x):
        return F.layer_norm(x, x.shape[1:], self.ln.weight, self.ln.bias, 1e-3)
