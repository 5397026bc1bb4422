# problem: level1/19; kind: cheating; what: returns its input, ReLU of numbers in [0, 1) (heavy: 6 GiB of input); expect-official: accepts
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return x
