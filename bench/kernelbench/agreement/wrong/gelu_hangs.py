# problem: level1/88; kind: wrong; what: first call loops for 25 s and gives zeros; expect-official: refuses (zeros, after 25 s)
import time
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.turns = True, 0

    def forward(self, x):
        end = time.monotonic() + (25 if self.first else 0)
        self.first = False
        while time.monotonic() < end:
            self.turns += 1
        return torch.zeros_like(x)
