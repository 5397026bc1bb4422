@about@import torch

from ._ops import add_op_namespace_prefix, ops
@helpers@

@@torch.library.register_fake(add_op_namespace_prefix("@function@"))
def _fake(@parameters@):
@fake@

def _no_gradient(context, *gradients):
    raise RuntimeError("@function@ computes no gradients")


torch.library.register_autograd(add_op_namespace_prefix("@function@"), _no_gradient)


def @function@(@parameters@):
    """
@docstring@    """
    return @call@
