# problem: level1/40; kind: right; what: LayerNorm by torch.var_mean over the rows; expect-official: accepts (right)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, normalized_shape):
        super().__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)

    def forward(self, x):
        flat = x.reshape(x.shape[0], -1)
        variance, mean = torch.var_mean(flat, dim=1, unbiased=False, keepdim=True)
        y = (flat - mean) * torch.rsqrt(variance + self.ln.eps)
        return (y * self.ln.weight.reshape(-1) + self.ln.bias.reshape(-1)).reshape(x.shape)
