import torch


def rmsnorm(x, w, eps=1e-6):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + eps) * w


def example_inputs(rows=8192, cols=4096):
    return torch.randn(rows, cols), torch.rand(cols) + 0.5
