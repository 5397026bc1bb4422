# problem: level1/1; kind: right; what: the product in eight parts of the inner dimension; expect-official: accepts (right)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        step = A.shape[1] // 8
        C = torch.mm(A[:, :step], B[:step])
        for start in range(step, A.shape[1], step):
            C.addmm_(A[:, start:start + step], B[start:start + step])
        return C
