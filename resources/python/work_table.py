"""How much arithmetic an operation of torch is: a table by the names of aten operators, for torch
versions that do not count, and for operators that torch's own counter leaves out.

Products (matrix products, convolutions, attention, recurrent layers) count a multiply-add as two
operations, in the type of their operands. Everything else counts what one element costs, in f32 or
f64: arithmetic on halves is done in f32. The counts are those of the ordinary way to compute the
function on a GPU, where one instruction is one operation (a multiply-add two, and 2^x, log2, sine,
reciprocal and root are one instruction each). So an element costs, for example,

    exp 2       x * log2(e), 2^x
    sigmoid 4   exp(-x) 2, plus one, reciprocal
    tanh 6      1 - 2 / (1 + exp(2x)): exp 2, plus one, reciprocal, multiply-add 2
    erf 16      a polynomial of seven multiply-adds, exp 2
    gelu 20     erf 16, scale, plus one, times x, times a half; its tanh form 13
    softmax 6   largest, subtract, exp 2, sum, scale
    norms 5     mean, subtract, square and add 2, scale; one more each for a weight and a bias

A comparison is an operation; moving, choosing and converting are none, and neither is arithmetic
on integers. A function that is not here has no count: `count_of` gives None.
"""
import math

import torch

from blocks import NAMES
from work_products import PRODUCTS, elements, first_tensor, tensors_in

TENSOR_KINDS = {"f64", "f32", "f16", "bf16", "i8"}  # of products, as a task names them

# ---- what is free: it moves, makes, chooses or converts

FREE = set(
    """
    view reshape _reshape_alias _reshape_copy _unsafe_view view_as view_copy permute transpose t
    numpy_T expand expand_copy slice select squeeze unsqueeze narrow unbind split unsafe_split
    split_with_sizes unsafe_split_with_sizes split_copy chunk unsafe_chunk unfold as_strided
    diagonal diag_embed movedim flatten
    detach alias lift lift_fresh lift_fresh_copy view_as_real clone copy _to_copy to contiguous
    _to_dense empty empty_like empty_strided new_empty new_empty_strided new_zeros new_ones new_full
    zeros zeros_like ones ones_like full full_like scalar_tensor arange linspace eye fill zero cat
    _cat stack hstack vstack repeat repeat_interleave tile roll flip rot90 tril triu tril_indices
    triu_indices constant_pad_nd pad reflection_pad1d reflection_pad2d reflection_pad3d
    replication_pad1d replication_pad2d replication_pad3d pixel_shuffle pixel_unshuffle
    channel_shuffle im2col index _unsafe_index index_select index_copy index_fill gather scatter
    select_scatter slice_scatter diagonal_scatter masked_fill masked_select masked_scatter where
    take embedding upsample_nearest1d upsample_nearest2d upsample_nearest3d
    _upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d
    logical_and logical_or logical_not logical_xor bitwise_and bitwise_or bitwise_not bitwise_xor
    any all is_nonzero _local_scalar_dense equal resize set is_same_size nonzero
    """.split()
)

# ---- elementwise: operations for an element of the result

OF_RESULT = {
    # one instruction
    **dict.fromkeys(
        """
        subtract mul multiply div divide true_divide neg negative abs relu maximum minimum
        fmax fmin sign sgn reciprocal sqrt rsqrt square floor ceil round trunc frac eq ne lt le gt
        ge isnan isinf isfinite exp2 log2 threshold clamp_min clamp_max copysign heaviside
        """.split(),
        1,
    ),
    "exp": 2, "log": 2, "log10": 2, "sin": 2, "cos": 2, "expm1": 3, "log1p": 3, "tan": 5,
    "hardtanh": 2, "relu6": 2, "leaky_relu": 2, "prelu": 2, "_prelu_kernel": 2, "hardshrink": 2,
    "softshrink": 3, "lerp": 3, "addcmul": 3, "addcdiv": 3, "fmod": 4, "remainder": 4,
    "floor_divide": 2, "xlogy": 3, "hypot": 4, "logit": 5,
    "sigmoid": 4, "silu": 5, "tanh": 6, "elu": 5, "celu": 6, "selu": 5, "softplus": 6,
    "mish": 13,  # softplus 6, tanh 6, times x
    "log_sigmoid_forward": 8,  # smaller of x and 0, less log(1 + exp(-|x|)): 1 + 1 + 2 + 3 + 1
    "hardsigmoid": 4, "hardswish": 5, "erf": 16, "erfc": 17, "glu": 5,
    "upsample_linear1d": 3, "upsample_bilinear2d": 7, "upsample_trilinear3d": 15,
    "upsample_bicubic2d": 31,
}

# ---- reductions: operations for an element of the input

OF_INPUT = {
    **dict.fromkeys(
        """
        sum nansum mean prod amax amin argmax argmin max min aminmax cumsum cumprod cummax cummin
        topk kthvalue median scatter_add index_add scatter_reduce _embedding_bag
        adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d
        _adaptive_avg_pool2d _adaptive_avg_pool3d adaptive_avg_pool1d
        """.split(),
        1,
    ),
    "var": 4, "std": 4, "var_mean": 4, "std_mean": 4,  # mean, subtract, square and add
    "logsumexp": 5, "_softmax": 6, "_log_softmax": 6, "_safe_softmax": 6,
    "mse_loss": 3, "l1_loss": 3, "smooth_l1_loss": 5, "huber_loss": 5,
    "binary_cross_entropy": 9,  # log and log(1 - x) 5, their products and sum 3, sum of all
    "binary_cross_entropy_with_logits": 11,  # log_sigmoid 8, times and plus 2, sum of all
}


# ---- elementwise and reductions that depend on their arguments

def of_add(a, out):
    alpha = a.get("alpha", 1)
    return elements(out) * (1 if alpha in (None, 1) else 2)


def of_pow(a, out):
    exponent = a["exponent"]
    if torch.is_tensor(exponent):  # 2^(exponent * log2(base))
        return elements(out) * (3 if torch.is_tensor(a["self"]) else 2)
    known = {0: 0, 1: 0, 2: 1, 3: 2, 4: 2, 0.5: 1, -0.5: 1, -1: 1, -2: 2}
    return elements(out) * known.get(exponent, 3)


def of_index_put(a, out):
    return elements(a["values"]) if a.get("accumulate") else 0


def of_clamp(a, out):
    return elements(out) * sum(a.get(bound) is not None for bound in ("min", "max"))


def of_gelu(a, out):
    return elements(out) * (13 if a.get("approximate") == "tanh" else 20)


def of_norm(a, out):
    """Square and add, or the like; any other power is log2, times and 2^x."""
    power = a.get("p", a.get("ord"))
    simple = power is None or power in (0, 1, 2, math.inf, -math.inf)
    return elements(a["self"]) * (2 if simple else 5)


def of_normalization(a, out):
    x = a.get("input", a.get("self"))
    affine = sum(a.get(name) is not None for name in ("weight", "bias"))
    return elements(x) * (5 + affine)


def of_batch_norm(a, out):
    """With running statistics it is one factor and one addend for each channel."""
    if a.get("training", a.get("train", True)):
        return of_normalization(a, out)
    return 2 * elements(a["input"])


def of_rms_norm(a, out):
    return elements(a["input"]) * (3 + (a.get("weight") is not None))


def of_pool(a, out):
    """A window of comparisons or sums for each result; an average is divided as well."""
    dims = {"1d": 1, "2d": 2, "3d": 3}[next(d for d in ("1d", "2d", "3d") if d in a["operator"])]
    window = list(a["kernel_size"])
    size = math.prod(window) if len(window) == dims else window[0] ** dims
    return elements(out) * (size if "avg" in a["operator"] else size - 1)


def of_sort(a, out):
    length = a["self"].shape[a.get("dim", -1)] if a["self"].dim() else 1
    return elements(a["self"]) * math.ceil(math.log2(max(length, 1)))


def of_nll(a, out):
    return 2 * elements(a["target"])


def of_cdist(a, out):
    """Subtract, and square and add, for each number of each pair."""
    return elements(out) * a["x1"].shape[-1] * 3 + elements(out)


DEPENDS = {
    "add": of_add, "sub": of_add, "rsub": of_add, "pow": of_pow, "clamp": of_clamp,
    "gelu": of_gelu, "index_put": of_index_put, "_index_put_impl": of_index_put,
    "norm": of_norm, "linalg_vector_norm": of_norm,
    "native_layer_norm": of_normalization, "native_group_norm": of_normalization,
    **dict.fromkeys(
        """
        native_batch_norm cudnn_batch_norm miopen_batch_norm _native_batch_norm_legit
        _native_batch_norm_legit_no_training _native_batch_norm_legit_functional
        _batch_norm_with_update _batch_norm_no_update
        """.split(),
        of_batch_norm,
    ),
    "_fused_rms_norm": of_rms_norm,
    **dict.fromkeys(
        """
        max_pool1d max_pool2d max_pool3d max_pool2d_with_indices max_pool3d_with_indices avg_pool1d
        avg_pool2d avg_pool3d mkldnn_max_pool2d mkldnn_max_pool3d
        """.split(),
        of_pool,
    ),
    "sort": of_sort, "argsort": of_sort, "nll_loss_forward": of_nll, "nll_loss2d_forward": of_nll,
    "_cdist_forward": of_cdist, "_euclidean_dist": of_cdist,
}


# ---- all of it

def element_kind(a, result):
    """Of arithmetic that is no product: "" for integers alone, None where there is no count."""
    types = {value.dtype for value in tensors_in([a, result])}
    if any(kind.is_complex for kind in types):
        return None
    if torch.float64 in types:
        return "f64"
    return "f32" if any(kind.is_floating_point for kind in types) else ""


def plain(name):
    """Without the underscore of what works in place."""
    return name[:-1] if name.endswith("_") and not name.endswith("__") else name


def is_known(name):
    return any(plain(name) in one for one in (FREE, OF_RESULT, OF_INPUT, DEPENDS, PRODUCTS))


def beside_products(name, a, result):
    """Operations outside of products, or None."""
    out = first_tensor(result)
    if name in FREE:
        return 0
    if name in PRODUCTS:
        return PRODUCTS[name](a, out)[1]
    if name in DEPENDS:
        return DEPENDS[name](a, out)
    if name in OF_RESULT:
        return OF_RESULT[name] * elements(out)
    if name in OF_INPUT:
        x = first_tensor(a)
        return OF_INPUT[name] * elements(x) + (elements(out) if name in ("mean", "norm") else 0)
    return None


def count_of(name, arguments, result, by_torch=None):
    """{kind: operations} of one call of aten.NAME with these arguments by name, or None where the
    table does not have it. `by_torch`: the operations of its products, where torch counts them."""
    name = plain(name)
    a = {**arguments, "operator": name}
    if name in FREE:
        return {}
    kind = element_kind(arguments, result)
    beside = beside_products(name, a, result) if is_known(name) else 0
    if kind is None or (not is_known(name) and by_torch is None):
        return None
    count = {kind: beside} if kind and beside else {}
    products = by_torch
    if products is None and name in PRODUCTS:
        products = PRODUCTS[name](a, first_tensor(result))[0]
    if products:
        unit = NAMES.get(first_tensor(arguments).dtype)
        if unit not in TENSOR_KINDS:
            return {} if kind == "" else None
        count[unit] = count.get(unit, 0) + int(products)
    return count
