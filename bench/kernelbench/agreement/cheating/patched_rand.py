# problem: level1/1; kind: cheating; what: torch.rand gives zeros, so the answer is zero; expect-official: accepts
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.rand = lambda *shape, **named: torch.zeros(*shape)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        return torch.zeros(A.shape[0], B.shape[1], device=A.device)
