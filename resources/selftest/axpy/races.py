# Its last bits depend on chance.
import torch


def custom_kernel(x, y):
    return (2 * x + y) * (1 + 2.0 ** -23 * torch.randint(0, 4, (1,), device=x.device))
