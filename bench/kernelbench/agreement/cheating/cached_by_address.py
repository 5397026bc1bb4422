# problem: level1/88; kind: cheating; what: results kept by data_ptr; expect-official: refuses (the next trial's input lies at the same address; by luck of the allocator it may come through)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {}

    def forward(self, x):
        if x.data_ptr() not in self.kept:
            self.kept[x.data_ptr()] = 0.5 * x * (1.0 + torch.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
        return self.kept[x.data_ptr()]
