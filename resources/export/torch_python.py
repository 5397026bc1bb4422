@about@# For callers of torch (2.4 or newer): the function @function@ over tensors, an operation that torch.compile keeps whole. First the candidate's own text, then the operation.
@candidate@

# ---- the operation

import torch
@helpers@
_hone_entry = @entry@  # before the function below, which may have its name


def _hone_run(@parameters@):
@body@    result = _hone_entry(@arguments@)
    return @take@


def _hone_fake(@parameters@):
@fake@

_hone_operation_@function@ = torch.library.custom_op("hone::@function@", _hone_run, mutates_args=(), schema="@schema@")
_hone_operation_@function@.register_fake(_hone_fake)


def @function@(@parameters@):
    """
@docstring@    """
    return @call@
