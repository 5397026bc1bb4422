# kernelbench:level1/40 by torch, slower on purpose: it waits SPIN clock cycles in every call.
# bench/judge/compare.sh compares copies of it with other values.
import torch

SPIN = 1000


class ModelNew(torch.nn.Module):
    def __init__(self, normalized_shape):
        super().__init__()
        self.ln = torch.nn.LayerNorm(normalized_shape=normalized_shape)

    def forward(self, x):
        y = self.ln(x)
        torch.cuda._sleep(SPIN)
        return y
