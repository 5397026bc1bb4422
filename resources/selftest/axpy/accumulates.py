# Its result depends on the calls before.
import torch

total = torch.zeros(1)


def custom_kernel(x, y):
    total.add_(0.4)
    return 2 * x + y + total.item() - 0.4
