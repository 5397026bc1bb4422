#!POPCORN leaderboard @leaderboard@
@about@# For GPU MODE's evaluator (custom_kernel): CUDA through NVRTC, without torch's headers.
import ctypes
import functools

import torch

from task import input_t, output_t

# ---- the light loader

@loader@
# ---- the kernels

@preamble@@helpers@

def _hone_tensor(value, name, dtype, order):
    """The elements as they lie in memory, which is the order that the kernels know."""
    if value.dtype != dtype:
        raise RuntimeError(f"{name} is a tensor of {value.dtype}; the kernels are for {dtype}")
    return value.permute(order).contiguous()


def custom_kernel(data: input_t) -> output_t:
@body@    return @result@
