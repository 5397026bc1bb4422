@about@# For KernelBench's evaluator (ModelNew, backend "cuda", fp32): CUDA through NVRTC, without torch's headers. Shapes are the problem's own.
import ctypes
import functools
import math

import torch

# ---- the light loader

@loader@
# ---- the kernels

@preamble@@helpers@

# ---- the model

def _hone_tensor(value, name, dtype, shape):
    if value.dtype != dtype and not dtype.is_floating_point:  # the evaluator makes floats of everything
        value = value.view(dtype) if value.dtype == torch.bool and dtype == torch.uint8 else value.to(dtype)
    if value.dtype != dtype or value.numel() != math.prod(shape):
        raise RuntimeError(f"{name} is a {value.dtype} of {tuple(value.shape)}; the kernels are for {dtype} of {shape}")
    return value.contiguous()


def _hone_problem():  # the problem's own construction, so that the same weights are drawn
@problem@    return Model


class ModelNew(_hone_problem()):
    def __init__(self, *arguments, **words):
        super().__init__(*arguments, **words)
        self._hone_weights = dict(self.named_parameters())

    def forward(self@forward@):
@body@        return @result@
