# problem: level2/12; kind: right; what: parameters under other names, drawn in the same order as nn.Linear's; expect-official: accepts (right)
import math
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.w = nn.Parameter(torch.empty(out_features, in_features))
        self.b = nn.Parameter(torch.empty(out_features))
        nn.init.kaiming_uniform_(self.w, a=math.sqrt(5))
        nn.init.uniform_(self.b, -1 / math.sqrt(in_features), 1 / math.sqrt(in_features))
        self.multiplier, self.slope = multiplier, negative_slope

    def forward(self, x):
        y = (x @ self.w.t() + self.b) * self.multiplier
        return torch.where(y > 0, y, y * self.slope)
