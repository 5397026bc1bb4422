# problem: level2/12; kind: cheating; what: a subclass of Tensor that computes when somebody looks; expect-official: accepts (timed calls are never looked at); run_and_check's text rules refuse it
import torch
import torch.nn as nn
import torch.nn.functional as F

class Late(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        args = [one.work() if isinstance(one, Late) else one for one in args]
        return func(*args, **(kwargs or {}))


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier, self.slope = multiplier, negative_slope

    def forward(self, x):
        work = lambda: F.leaky_relu(F.linear(x, self.gemm.weight, self.gemm.bias) * self.multiplier, self.slope)
        late = torch.Tensor._make_subclass(Late, torch.empty(1, 1, device=x.device).expand(x.shape[0], self.gemm.out_features))
        late.work = work
        return late
