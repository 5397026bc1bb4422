# Writes one element past the end of an input.
import ctypes


def custom_kernel(x, y):
    ctypes.memset(x.data_ptr() + 4 * x.numel(), 0, 4)
    return 2 * x + y
