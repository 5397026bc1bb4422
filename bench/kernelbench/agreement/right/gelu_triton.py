# problem: level1/88; kind: right; what: Triton, autotuned over two block sizes; expect-official: accepts (right)
import triton
import triton.language as tl
import torch
import torch.nn as nn
import torch.nn.functional as F

@triton.autotune(configs=[triton.Config({"BLOCK": 1024}, num_warps=4), triton.Config({"BLOCK": 4096}, num_warps=8)], key=["total"])
@triton.jit
def gelu_kernel(x, y, total, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < total
    v = tl.load(x + at, mask=inside)
    e = tl.exp(-1.5957691216057308 * (v + 0.044715 * v * v * v))
    tl.store(y + at, v / (1.0 + e), mask=inside)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        gelu_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, x.numel())
        return y
