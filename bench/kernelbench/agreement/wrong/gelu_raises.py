# problem: level1/88; kind: wrong; what: an exception in forward; expect-official: refuses (runtime error)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        raise ValueError("no kernel for this shape")
