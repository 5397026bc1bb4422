# problem: level1/1; kind: wrong; what: product in TF32; expect-official: accepts (positive inputs: 1e-5 of the sums of 1000)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        torch.backends.cuda.matmul.allow_tf32 = True
        C = torch.matmul(A, B)
        torch.backends.cuda.matmul.allow_tf32 = False
        return C
