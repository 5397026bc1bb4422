# problem: level1/40; kind: wrong; what: weight and bias of the norm left out; expect-official: accepts (they start as ones and zeros)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, normalized_shape):
        super().__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)

    def forward(self, x):
        return F.layer_norm(x, x.shape[1:], None, None, self.ln.eps)
