# problem: level1/40; kind: right; what: throughput set, Triton; expect-official: accepts (fp32 within 1e-4 of eager)
import torch
import torch.nn as nn
import triton
import triton.language as tl

BLOCK = 4096


@triton.jit
def ln_partial(x, means, squares, n, parts, BLOCK: tl.constexpr):
    row = tl.program_id(1).to(tl.int64)
    part = tl.program_id(0)
    values = tl.load(x + row * n + part * BLOCK + tl.arange(0, BLOCK))
    mean = tl.sum(values) / BLOCK
    off = values - mean
    tl.store(means + row * parts + part, mean)
    tl.store(squares + row * parts + part, tl.sum(off * off))


@triton.jit
def ln_normalize(x, means, squares, weight, bias, y, n, eps, PARTS: tl.constexpr, BLOCK: tl.constexpr, EACH: tl.constexpr):
    row = tl.program_id(1).to(tl.int64)
    parts = tl.arange(0, PARTS)
    mean_of = tl.load(means + row * PARTS + parts).to(tl.float64)
    square_of = tl.load(squares + row * PARTS + parts).to(tl.float64)
    mean = tl.sum(mean_of) / PARTS
    off = mean_of - mean
    variance = (tl.sum(square_of) + tl.sum(off * off) * BLOCK) / n  # Chan: within the parts and between them
    scale = (1.0 / tl.sqrt(variance + eps)).to(tl.float32)
    middle = mean.to(tl.float32)
    for step in range(EACH):
        at = (tl.program_id(0) * EACH + step) * BLOCK + tl.arange(0, BLOCK)
        values = (tl.load(x + row * n + at) - middle) * scale
        tl.store(y + row * n + at, values * tl.load(weight + at) + tl.load(bias + at))


class ModelNew(nn.Module):
    def __init__(self, normalized_shape):
        super().__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = self.ln.weight.numel()
        rows, parts, each = x.numel() // n, n // BLOCK, 4
        assert n % (BLOCK * each) == 0 and parts & (parts - 1) == 0
        means = torch.empty(rows, parts, dtype=torch.float32, device=x.device)
        squares = torch.empty_like(means)
        ln_partial[(parts, rows)](x, means, squares, n, parts, BLOCK=BLOCK, num_warps=8)
        ln_normalize[(parts // each, rows)](x, means, squares, self.ln.weight, self.ln.bias, y, n, self.ln.eps,
                                            PARTS=parts, BLOCK=BLOCK, EACH=each, num_warps=8)
        return y
