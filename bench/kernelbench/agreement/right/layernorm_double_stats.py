# problem: level1/40; kind: right; what: LayerNorm with sums in double and the affine part folded into one multiply-add; expect-official: accepts (right)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, normalized_shape):
        super().__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)

    def forward(self, x):
        flat = x.reshape(x.shape[0], -1)
        mean = flat.mean(dim=1, keepdim=True, dtype=torch.float64)
        square = torch.stack([row.double().square().mean() for row in flat]).reshape(-1, 1)
        scale = torch.rsqrt(square - mean * mean + self.ln.eps).float()
        shift = (-mean).float() * scale
        y = torch.addcmul(shift, flat, scale)
        return torch.addcmul(self.ln.bias, y.reshape(x.shape), self.ln.weight)
