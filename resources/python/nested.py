"""Nested inputs and outputs (tuples, lists, dicts, None, numbers, tensors) as named tensors and
numbers, and back.

The form of such a value, without its contents, is coded as candidate.py reads it: {"tuple": [...]},
{"list": [...]}, {"dict": [[KEY, CODE], ...]}, {"value": VALUE}, {"tensor": NAME}, {"scalar": NAME}
and {"flag": NAME}.
"""
import math
import re

import torch

from blocks import NAMES, Refused

# Types that are moved as bytes: nothing but the problem's own code computes in them.
OPAQUE = {
    dtype
    for name in (
        "float8_e4m3fn",
        "float8_e4m3fnuz",
        "float8_e5m2",
        "float8_e5m2fnuz",
        "float8_e8m0fnu",
        "float4_e2m1fn_x2",
    )
    for dtype in [getattr(torch, name, None)]
    if dtype is not None
}
MOST_LEAVES = 512


def memory_order(value):
    """The dimensions from the slowest to the quickest in memory, and whether the tensor fills its
    memory without gaps and without elements that share a place."""
    if value.is_contiguous():
        return list(range(value.dim())), True
    order = sorted(
        range(value.dim()), key=lambda d: (-value.stride(d) if value.shape[d] > 1 else -math.inf, d)
    )
    return order, value.permute(order).is_contiguous()


def to_memory(value, order):
    """The elements in this order of dimensions, in a type that Hone has."""
    value = value.detach().permute(order).contiguous().reshape(-1)
    return value.view(torch.uint8) if value.dtype in OPAQUE or value.dtype == torch.bool else value


def from_memory(flat, facts, shape):
    """A tensor of this shape over these elements, with the strides that the problem gave it."""
    if facts["type"]:
        flat = flat.view(getattr(torch, facts["type"]))
    back = [facts["order"].index(d) for d in range(len(shape))]
    return flat.reshape([shape[d] for d in facts["order"]]).permute(back)


class Flattened:
    """A value in parts: its `code`; `tensors`, `integers` and `numbers` by name; what is to be
    known of each tensor (`facts`: Hone's type, torch's where Hone has the bytes only, the order of
    its dimensions in memory)."""

    def __init__(self, value, prefix, what, alone):
        """`alone`: the name of a value that is a single tensor."""
        self.tensors, self.facts, self.integers, self.numbers, self.notes = {}, {}, {}, {}, []
        self.what = what
        self.code = self.walk(value, alone if torch.is_tensor(value) else prefix)

    def name(self, path):
        taken = (self.tensors, self.integers, self.numbers)
        while any(path in group for group in taken):
            path += "_"
        if sum(map(len, taken)) >= MOST_LEAVES:
            raise Refused(f"{self.what} gives more than {MOST_LEAVES} tensors and numbers")
        return path

    def walk(self, value, path):
        if torch.is_tensor(value):
            return self.tensor(value, self.name(path))
        if value is None or type(value) is str:
            return {"value": value}
        if type(value) in (bool, int):
            self.integers[name := self.name(path)] = int(value)
            return {"flag" if type(value) is bool else "scalar": name}
        if type(value) is float:
            self.numbers[name := self.name(path)] = value
            return {"scalar": name}
        if type(value) is dict and all(type(key) is str for key in value):
            return {
                "dict": [
                    [key, self.walk(one, f"{path}_" + re.sub(r"\W", "_", key, flags=re.ASCII))]
                    for key, one in value.items()
                ]
            }
        if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
            kind = "list" if isinstance(value, list) else "tuple"  # torch.return_types are tuples
            return {kind: [self.walk(one, f"{path}_{index}") for index, one in enumerate(value)]}
        if isinstance(value, torch.nn.Module):
            raise Refused(
                f"{self.what} gives an nn.Module ({path}): candidates would need its code, and are "
                "handed tensors and numbers only"
            )
        raise Refused(
            f"{self.what} gives a {type(value).__name__} ({path}); tensors, numbers, texts, None, "
            "and tuples, lists and dicts of them can be judged"
        )

    def tensor(self, value, name):
        if value.layout != torch.strided:
            raise Refused(f"{name} is a {value.layout} tensor; dense ones can be judged")
        if value.dtype not in NAMES and value.dtype not in OPAQUE:
            raise Refused(f"{name} has the type {value.dtype}, which Hone does not know")
        if value.numel() == 0:
            raise Refused(f"{name} has the shape {tuple(value.shape)}: it has no elements")
        order, dense = memory_order(value)
        if not dense:
            self.notes.append(
                f"{name} has the strides {tuple(value.stride())} over {tuple(value.shape)}, which "
                "leave gaps or share elements: it is handed over contiguous"
            )
            order = list(range(value.dim()))
        own_type = (
            str(value.dtype).split(".")[-1]
            if value.dtype in OPAQUE or value.dtype == torch.bool
            else ""
        )
        self.facts[name] = {"dtype": NAMES.get(value.dtype, "u8"), "type": own_type, "order": order}
        self.tensors[name] = value
        return {"tensor": name}


def rebuilt(code, places):
    """The value again, of what is found under each kind and name: {"tensor": {NAME: ...}, "scalar":
    ..., "flag": ...}."""
    (kind, content), = code.items()
    if kind == "value":
        return content
    if kind == "dict":
        return {key: rebuilt(one, places) for key, one in content}
    if kind in ("tuple", "list"):
        return (tuple if kind == "tuple" else list)(rebuilt(one, places) for one in content)
    return places[kind][content]


def places_of(tensors, integers, numbers):
    return {
        "tensor": tensors,
        "scalar": {**integers, **numbers},
        "flag": {key: bool(one) for key, one in integers.items()},
    }
