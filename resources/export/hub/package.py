@about@import torch

from ._ops import add_op_namespace_prefix, ops
@helpers@

@@torch.library.register_fake(add_op_namespace_prefix("@function@"))
def _fake(@parameters@):
@fake@

def @function@(@parameters@):
    """
@docstring@    """
    return @call@
