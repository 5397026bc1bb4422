# problem: level1/88; kind: cheating; what: writes its result over the input; expect-official: accepts (the reference has been there before)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        t = (x * x).mul_(0.044715 * 0.7978845608028654).add_(0.7978845608028654).mul_(x).tanh_().add_(1).mul_(0.5)
        return x.mul_(t)
