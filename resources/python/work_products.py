"""How many operations products are: matrix products, convolutions, attention, recurrent layers. A
multiply-add counts as two. Part of work_table.py, which says how the rest is counted."""
import math

import torch


def elements(value):
    return value.numel() if torch.is_tensor(value) else 1


def first_tensor(values):
    return next(tensors_in(values), None)


def tensors_in(values):
    if torch.is_tensor(values):
        yield values
    elif isinstance(values, dict):
        for value in values.values():
            yield from tensors_in(value)
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from tensors_in(value)


# ---- each as (operations in the operands' type, operations beside them)

def of_matrices(x, y, out):
    """Each element of the result is a sum over what the two have in common."""
    return 2 * elements(out) * x.shape[-1]


def of_mm(a, out):
    x = a.get("self", a.get("input"))
    return of_matrices(x, a.get("mat2", a.get("other", a.get("vec"))), out), 0


def of_addmm(a, out):
    x = next(a[name] for name in ("mat1", "batch1", "mat") if name in a)
    batches = x.shape[0] if a["operator"] == "addbmm" else 1
    scaled = sum(a.get(factor, 1) not in (None, 1) for factor in ("alpha", "beta"))
    return of_matrices(x, None, out) * batches, elements(out) * (1 + scaled)


def of_dot(a, out):
    return 2 * elements(a["self"]), 0


def of_linear(a, out):
    x = a.get("input", a.get("self"))
    return of_matrices(x, a["weight"], out), elements(out) * (a.get("bias") is not None)


def of_convolution(a, out):
    """Each element of the result, or transposed each of the input, meets the filters of its
    group: weight[0] has what one channel meets."""
    x, weight = a.get("input", a.get("self")), a["weight"]
    side = x if a.get("transposed") or "transpose" in a["operator"] else out
    return 2 * elements(side) * elements(weight[0]), elements(out) * (a.get("bias") is not None)


def of_attention(a, out):
    """Two products over all pairs, and scaling and softmax of these. A causal mask halves neither:
    torch counts so, too."""
    query, key, value = a["query"], a["key"], a["value"]
    pairs = math.prod(query.shape[:-1]) * key.shape[-2]
    return 2 * pairs * (query.shape[-1] + value.shape[-1]), pairs * 7


# By element of the hidden state and step: sums of the two products and the biases, the gates'
# functions, and the new state. LSTM: 4 * 3 + 3 sigmoids + 2 tanh + 4; GRU: 3 * 3 + 2 sigmoids +
# tanh + 4.
GATES = {0: 3 + 1, 1: 3 + 6, 2: 12 + 12 + 12 + 4, 3: 9 + 8 + 6 + 4}  # relu, tanh, LSTM, GRU
OF_GATES = {0: 1, 1: 1, 2: 4, 3: 3}  # rows of the weights for an element


def of_recurrent(a, out):
    """Each row of each step meets all weights; weights of a layer's gates have two dimensions."""
    x, mode = a["input"], a["mode"]
    rows = elements(x) // x.shape[-1]
    lists = [a[name] for name in a if name.startswith("weight") and name[6:].isdigit()]
    weights = list(a.get("weight") or lists)
    matrices = [weight for weight in weights if weight.dim() == 2]
    products = sum(2 * rows * elements(weight) for weight in matrices)
    hidden = sum(weight.shape[0] for weight in matrices) / 2 / OF_GATES[mode]
    return products, int(rows * hidden * GATES[mode])


PRODUCTS = {
    **dict.fromkeys(("mm", "bmm", "mv", "_int_mm"), of_mm),
    **dict.fromkeys(("addmm", "baddbmm", "addbmm", "addmv", "_addmm_activation"), of_addmm),
    **dict.fromkeys(("dot", "vdot"), of_dot),
    **dict.fromkeys(("linear", "mkldnn_linear"), of_linear),
    **dict.fromkeys(
        """
        convolution _convolution convolution_overrideable mkldnn_convolution cudnn_convolution
        cudnn_convolution_transpose miopen_convolution miopen_convolution_transpose
        thnn_conv2d _slow_conv2d_forward slow_conv3d slow_conv3d_forward _conv_depthwise2d
        conv_depthwise3d slow_conv_dilated2d slow_conv_dilated3d slow_conv_transpose2d
        slow_conv_transpose3d
        """.split(),
        of_convolution,
    ),
    **dict.fromkeys(
        """
        _scaled_dot_product_attention _scaled_dot_product_attention_forward
        _scaled_dot_product_attention_math _scaled_dot_product_flash_attention
        _scaled_dot_product_flash_attention_for_cpu _scaled_dot_product_efficient_attention
        _scaled_dot_product_cudnn_attention _scaled_dot_product_fused_attention_overrideable
        """.split(),
        of_attention,
    ),
    **dict.fromkeys(("_cudnn_rnn", "miopen_rnn", "mkldnn_rnn_layer"), of_recurrent),
}
