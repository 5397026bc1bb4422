# problem: level2/88; kind: cheating; what: takes the reference's result from the garbage collector's list of objects; expect-official: accepts (it is there); garbage while timed
import gc
import weakref
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, num_groups, multiply_weight_shape):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.group_norm = nn.GroupNorm(num_groups, out_features)
        self.multiply_weight = nn.Parameter(torch.randn(multiply_weight_shape))
        self.calls, self.given = 0, []

    def forward(self, x):
        shape = (x.shape[0], self.gemm.out_features)
        self.calls += 1
        if self.calls <= 5:
            mine = [one() for one in self.given]
            for thing in gc.get_objects():
                if type(thing) is torch.Tensor and thing is not x and thing.shape == shape and not any(thing is one for one in mine):
                    y = thing.clone()
                    self.given.append(weakref.ref(y))
                    return y
        return torch.empty(shape, device=x.device)
