@about@# For callers of torch (2.4 or newer): the function @function@ over tensors, an operation that torch.compile keeps whole. CUDA through NVRTC, compiled at the first call.
import ctypes
import functools

import torch

# ---- the light loader

@loader@
# ---- the kernels

@preamble@@helpers@

# ---- the operation

def _hone_known(value, name, dtype, dimensions):
    if value.dtype != dtype or value.dim() != dimensions:
        raise RuntimeError(f"{name} is a {value.dtype} of {tuple(value.shape)}; @function@ takes {dtype} with {dimensions} dimensions")


def _hone_tensor(value, name, order, shape):
    """The elements as the kernels know them: contiguous, with these extents, in this order of the dimensions."""
    value = value.permute(order)
    if tuple(value.shape) != tuple(shape):
        raise RuntimeError(f"{name} has the extents {tuple(value.shape)} where the other inputs want {tuple(shape)}")
    return value.contiguous()


def _hone_run(@parameters@):
@body@    return @result@


def _hone_fake(@parameters@):
@fake@

_hone_operation_@function@ = torch.library.custom_op("hone::@function@", _hone_run, mutates_args=(), device_types="cuda", schema="@schema@")
_hone_operation_@function@.register_fake(_hone_fake)


def @function@(@parameters@):
    """
@docstring@    """
    return @call@
