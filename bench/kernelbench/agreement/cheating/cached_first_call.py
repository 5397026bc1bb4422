# problem: level1/40; kind: cheating; what: the first call's result for ever; expect-official: refuses (the second trial has other inputs)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, normalized_shape):
        super().__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)
        self.kept = None

    def forward(self, x):
        if self.kept is None:
            self.kept = self.ln(x)
        return self.kept
