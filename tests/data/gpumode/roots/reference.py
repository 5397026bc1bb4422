import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def generate_input(size, seed):
    return torch.rand(size, generator=torch.Generator(device=DEVICE).manual_seed(seed), device=DEVICE) + 0.1


def ref_kernel(data):
    return data.sqrt()


def check_implementation(data, output):
    worst = (output.double() ** 2 - data.double()).abs().max().item()
    return worst < 1e-5, f"a root is off by {worst:.3g}"
