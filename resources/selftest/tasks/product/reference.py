import torch


class Model(torch.nn.Module):
    def forward(self, a, b):
        return a @ b


def get_inputs():
    return [torch.rand(128, 128), torch.rand(128, 128)]


def get_init_inputs():
    return []
