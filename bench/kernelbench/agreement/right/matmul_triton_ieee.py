# problem: level1/1; kind: right; what: Triton product, input_precision ieee; expect-official: accepts (right); about 10 ms a call
import triton
import triton.language as tl
import torch
import torch.nn as nn
import torch.nn.functional as F

@triton.jit
def product(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):  # whole blocks
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        left = tl.load(a + rows[:, None] * k + (start + inner)[None, :])
        right = tl.load(b + (start + inner)[:, None] * n + columns[None, :])
        total = tl.dot(left, right, total, input_precision="ieee")
    tl.store(c + rows[:, None] * n + columns[None, :], total)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        C = torch.empty(A.shape[0], B.shape[1], device=A.device, dtype=A.dtype)
        grid = (triton.cdiv(A.shape[0], 128), triton.cdiv(B.shape[1], 64))
        product[grid](A, B, C, A.shape[0], B.shape[1], A.shape[1], BM=128, BN=64, BK=16, num_warps=8)
        return C
