"""How a candidate in Python is called for a problem (candidate.py reads it): what it is constructed
with and under which seed, its arguments, and how the task's weights are found among its
parameters."""
import math

import torch

from candidate import print_of
from problem import PROBE_SEEDS, plain_name


def interface_of(problem, inputs, outputs):
    """None where it cannot be said in JSON."""
    torch.manual_seed(PROBE_SEEDS[1])
    # As candidates are made: by the CPU's generator
    model = problem.module.Model(*problem.module.get_init_inputs())
    init = [coded(one) for one in problem.module.get_init_inputs()]
    if None in init:
        return None
    shapes = {
        name: [] for name, value in inputs.items() if torch.is_tensor(value) and value.dim() == 0
    }
    shapes.update({one["name"]: [] for one in outputs if not one["shape"]})
    return {
        "entry": "ModelNew",
        "init": init,
        "seed": PROBE_SEEDS[1],
        "arguments": [
            {"tensor" if torch.is_tensor(value) else "scalar": name}
            for name, value in inputs.items()
        ],
        "weights": [
            {
                "tensor": plain_name(name),
                "name": name,
                "shape": list(value.shape),
                "print": print_of(value),
            }
            for name, value in model.named_parameters()
        ],
        "bools": sorted(problem.bools),
        "shapes": shapes,
        "sequence": problem.sequence,
    }


def coded(value):
    """A value of get_init_inputs in the form of candidate.py's value_of; None where it has none."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return {"value": value}
    if isinstance(value, (list, tuple)):
        parts = [coded(one) for one in value]
        return None if None in parts else {"tuple" if isinstance(value, tuple) else "list": parts}
    if isinstance(value, dict):
        parts = [[key, coded(one)] for key, one in value.items()]
        return (
            None
            if any(one is None or not isinstance(key, str) for key, one in parts)
            else {"dict": parts}
        )
    return None
