import torch
from task import input_t, output_t
from utils import DEVICE, close_to


def ref_kernel(data: input_t) -> output_t:
    a, b, out = data
    out[...] = a + b / 2
    return out


def generate_input(size: int, flag: str, seed: int) -> input_t:
    assert flag in ("True", "False"), "as the official parser hands booleans over"
    gen = torch.Generator(device=DEVICE).manual_seed(seed)
    a = torch.randn(size, size, generator=gen, device=DEVICE)
    b = torch.rand(size, size, generator=gen, device=DEVICE)
    return a, b, torch.empty(size, size, device=DEVICE)


check_implementation = close_to(ref_kernel, rtol=1e-4, atol=1e-4)
