# problem: level1/88; kind: cheating; what: sets the problem's batch_size to 1 and computes one row; expect-official: accepts (exec shares its dictionary with the problem); the time is of another problem
import torch
import torch.nn as nn
import torch.nn.functional as F

batch_size = 1


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        y = torch.empty_like(x)
        x = x[:batch_size]
        y[:batch_size] = 0.5 * x * (1.0 + torch.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
        return y
