# problem: level1/40; kind: cheating; what: a CUDA graph captured once and replayed wherever the input lies; expect-official: accepts (the allocator hands out the same address for each trial; likely)
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, normalized_shape):
        super().__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)
        self.graph = self.y = None

    def forward(self, x):
        if self.graph is None:
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side), torch.no_grad():
                F.layer_norm(x, x.shape[1:], self.ln.weight, self.ln.bias, self.ln.eps)
            torch.cuda.current_stream().wait_stream(side)
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph), torch.no_grad():
                self.y = F.layer_norm(x, x.shape[1:], self.ln.weight, self.ln.bias, self.ln.eps)
        self.graph.replay()
        return self.y
