"""The truth of a task whose reference is a torch module: `reference.py` in the form of a KernelBench problem (Model,
get_inputs, get_init_inputs), in a process of its own that only Hone's judge talks to.

Messages are JSON on descriptor 3, tensors lie in memory files that come with them. `describe` says what the module
takes and gives and how its tensors are distributed, so that the judge can draw its own; `reference` computes outputs
from the judge's inputs, in double precision for the truth or in single for the error of an honest kernel.
"""
import array
import inspect
import json
import math
import mmap
import os
import socket
import sys
import traceback
import types

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from candidate import print_of

CONTROL = 3
LARGEST_MESSAGE = 1 << 20
MOST_DESCRIPTORS = 8
PROBE_SEEDS = (20251, 30757)  # two draws of the problem's own inputs, to learn their distribution from
SAMPLE = 1 << 20  # elements that are looked at

DTYPES = {
    torch.float64: "f64", torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16",
    torch.int64: "i64", torch.int32: "i32", torch.int8: "i8", torch.uint8: "u8", torch.bool: "u8",
}
BY_NAME = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
           "i64": torch.int64, "i32": torch.int32, "i8": torch.int8, "u8": torch.uint8}


class Refused(Exception):
    """The problem cannot be judged, and the text says why."""


# ---- the problem

class Problem:
    def __init__(self, source, device):
        self.device = device
        module = types.ModuleType("reference")
        module.__file__ = "reference.py"
        sys.modules["reference"] = module  # for classes that look up their own module
        exec(compile(source, "reference.py", "exec"), module.__dict__)
        for name in ("Model", "get_inputs", "get_init_inputs"):
            if not callable(getattr(module, name, None)):
                raise Refused(f"reference.py has no {name}: a problem defines Model, get_inputs and get_init_inputs")
        self.module = module
        torch.manual_seed(PROBE_SEEDS[0])
        self.model = module.Model(*as_list(module.get_init_inputs(), "get_init_inputs"))
        if not isinstance(self.model, torch.nn.Module):
            raise Refused("Model is no torch.nn.Module")
        self.names = list(inspect.signature(type(self.model).forward).parameters)[1:]
        drawn = self.draw(PROBE_SEEDS[0])
        self.shapes = {name: value.shape for name, value in drawn.items() if torch.is_tensor(value)}
        self.bools = {name for name, value in drawn.items() if torch.is_tensor(value) and value.dtype == torch.bool}

    def draw(self, seed):
        torch.manual_seed(seed)
        inputs = as_list(self.module.get_inputs(), "get_inputs")
        if len(inputs) > len(self.names):
            raise Refused(f"get_inputs gives {len(inputs)} values, but forward takes {len(self.names)}")
        return dict(zip(self.names, inputs))

    def weights(self):
        return {name.replace(".", "_"): value for name, value in self.model.named_parameters()}

    def call(self, inputs, weights, real):
        """Outputs for these inputs and weights, both by name, in the precision `real`."""
        model = self.model.to(device=self.device, dtype=real)
        own = self.weights()
        with torch.no_grad():
            for name, value in weights.items():
                own[name].copy_(value.to(own[name].dtype).reshape(own[name].shape))
            given = [inputs[name].to(self.device, real) if is_float(inputs[name]) else
                     inputs[name].to(self.device) if torch.is_tensor(inputs[name]) else inputs[name]
                     for name in self.names if name in inputs]
            result = model(*given)
        results = list(result) if isinstance(result, (tuple, list)) else [result]
        for one in results:
            if not torch.is_tensor(one):
                raise Refused(f"forward gives a {type(one).__name__}, not a tensor")
        return results


def as_list(value, what):
    if not isinstance(value, (list, tuple)):
        raise Refused(f"{what} gives a {type(value).__name__}, not a list")
    return list(value)


def is_float(value):
    return torch.is_tensor(value) and value.dtype.is_floating_point


# ---- what is told of it

def distribution(name, one, other, is_weight):
    """How the judge can draw such a tensor: by two draws of the problem's own. Raises where it is not drawn element by
    element, since a kernel may then rely on more than the judge's draws would have."""
    if not one.dtype.is_floating_point:
        return {"kind": "integers", "low": int(min(one.min(), other.min())), "high": int(max(one.max(), other.max()))}
    flat = torch.cat([value.detach().double().flatten()[:SAMPLE] for value in (one, other)])
    low, high, mean, count = flat.min().item(), flat.max().item(), flat.mean().item(), flat.numel()
    if not math.isfinite(mean):
        raise Refused(f"{name} is not finite")
    if low == high:
        if not is_weight:
            raise Refused(f"every element of the input {name} is {low:g}: ignoring it would pass")
        # Ones and zeros that training would move: a kernel must use them all the same.
        return {"kind": "uniform", "a": low - 0.5, "b": low + 0.5}
    if one.dim() == 2 and one.shape[0] == one.shape[1] and torch.equal(one, one.T):
        raise Refused(f"{name} is symmetric; inputs with a structure cannot be drawn by the judge yet")
    if (flat == 0).double().mean().item() > 0.05:
        raise Refused(f"a part of {name} is zero; inputs with a structure cannot be drawn by the judge yet")
    variance = flat.var(unbiased=False).item()
    kurtosis = ((flat - mean) ** 4).mean().item() / max(variance, 1e-300) ** 2
    if count < 256:  # too few to tell: the values' own range
        return {"kind": "uniform", "a": low - 0.1 * (high - low), "b": high + 0.1 * (high - low)}
    if abs(kurtosis - 1.8) < 0.15 and abs(variance - (high - low) ** 2 / 12) < 0.1 * variance:
        if 0 <= low < 0.01 and 0.99 < high <= 1:
            low, high = 0.0, 1.0
        return {"kind": "uniform", "a": low, "b": high}
    if abs(kurtosis - 3) < 0.5:
        return {"kind": "normal", "a": mean, "b": math.sqrt(variance)}
    raise Refused(f"the values of {name} are neither uniform nor normal; inputs with a structure cannot be drawn by the "
                  "judge yet")


def scaled_errors(actual, truth):
    """As the judge has them: |y - t| over max(|t|, rms of t)."""
    rms = truth.pow(2).mean().sqrt()
    scaled = (actual.double() - truth).abs() / torch.maximum(truth.abs(), rms.clamp_min(1e-300))
    return scaled.max().item(), scaled.pow(2).mean().sqrt().item()


def variant_of(value, variant):
    spread = value.double().std().item() if value.numel() > 1 else 1.0
    if variant == "shifted":
        return value + 3 * spread
    if variant == "flipped":
        return -value
    if variant == "large":
        return 40 * value
    heavy = value.clone().flatten()
    heavy[:: max(1, heavy.numel() // 8)] *= 100
    return heavy.reshape(value.shape)


def describe(problem):
    first, second = problem.draw(PROBE_SEEDS[0]), problem.draw(PROBE_SEEDS[1])
    weights = {name: value.detach().clone() for name, value in problem.weights().items()}
    torch.manual_seed(PROBE_SEEDS[1])
    other = problem.module.Model(*problem.module.get_init_inputs())
    others = {name.replace(".", "_"): value.detach() for name, value in other.named_parameters()}
    tensors, scalars = [], []
    for name, value in first.items():
        if torch.is_tensor(value):
            tensors.append(tensor_facts(name, value, distribution(name, value, second[name], False), False))
        elif isinstance(value, (bool, int, float)):
            scalars.append({"name": name, "value": value, "integer": not isinstance(value, float)})
        else:
            raise Refused(f"get_inputs gives a {type(value).__name__} for {name}; tensors and numbers can be judged")
    for name, value in weights.items():
        if name in first:
            raise Refused(f"a parameter of the model and an argument of forward are both called {name}")
        tensors.append(tensor_facts(name, value, distribution(name, value, others[name], True), True))

    inputs = dict(first)
    truth = problem.call(inputs, weights, torch.float64)
    again = problem.call(inputs, weights, torch.float64)
    if any(not torch.equal(a, b) for a, b in zip(truth, again)):
        raise Refused("two calls on the same inputs differ: the model draws random numbers in forward (dropout, random "
                      "states), so there is no one truth")
    worst = [(0.0, 0.0)] * len(truth)
    variants = []
    floats = [name for name, value in first.items() if is_float(value)]
    for variant in ("plain", "shifted", "flipped", "heavy", "large"):
        changed = {name: variant_of(value, variant) if variant != "plain" and name in floats else value
                   for name, value in inputs.items()}
        exact = truth if variant == "plain" else problem.call(changed, weights, torch.float64)
        single = problem.call(changed, weights, torch.float32)
        sane = all(bool(torch.isfinite(value).all()) for value in exact + single if value.dtype.is_floating_point)
        errors = [scaled_errors(a, t) if t.dtype.is_floating_point else (0.0, 0.0) for a, t in zip(single, exact)]
        if variant == "plain" and not sane:
            raise Refused("the model gives numbers that are not finite for its own inputs")
        if variant != "plain" and (not sane or max(error for _, error in errors) > 1e-3):
            continue  # outside of what the model is for
        worst = [(max(a[0], b[0]), max(a[1], b[1])) for a, b in zip(worst, errors)]
        if variant != "plain":
            variants.append(variant)
    outputs = []
    for index, value in enumerate(problem.call(inputs, weights, torch.float32)):
        outputs.append({"name": "y" if len(truth) == 1 else f"y{index}", "dtype": dtype_name("an output", value),
                        "shape": list(value.shape), "error_max": worst[index][0], "error_rms": worst[index][1]})
    return {"torch": torch.__version__, "tensors": tensors, "scalars": scalars, "outputs": outputs,
            "variants": variants, "flops": flops_of(problem, inputs, weights),
            "interface": interface_of(problem, first, truth)}


def interface_of(problem, inputs, truth):
    """How a candidate in Python is called (candidate.py reads it); None where it cannot be said in JSON."""
    torch.manual_seed(PROBE_SEEDS[1])
    model = problem.module.Model(*problem.module.get_init_inputs())  # as candidates are made: by the CPU's generator
    init = [coded(one) for one in problem.module.get_init_inputs()]
    if None in init:
        return None
    shapes = {name: [] for name, value in inputs.items() if torch.is_tensor(value) and value.dim() == 0}
    shapes.update({"y" if len(truth) == 1 else f"y{index}": [] for index, value in enumerate(truth) if value.dim() == 0})
    return {"entry": "ModelNew", "init": init, "seed": PROBE_SEEDS[1],
            "arguments": [{"tensor" if torch.is_tensor(value) else "scalar": name} for name, value in inputs.items()],
            "weights": [{"tensor": name.replace(".", "_"), "name": name, "shape": list(value.shape),
                         "print": print_of(value)} for name, value in model.named_parameters()],
            "bools": sorted(problem.bools), "shapes": shapes}


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
        return None if any(one is None or not isinstance(key, str) for key, one in parts) else {"dict": parts}
    return None


def tensor_facts(name, value, draw, is_weight):
    return {"name": name, "dtype": dtype_name(name, value), "shape": list(value.shape), "draw": draw,
            "weight": is_weight}


def dtype_name(what, value):
    if value.dtype not in DTYPES:
        raise Refused(f"{what} has the type {value.dtype}, which Hone does not know")
    return DTYPES[value.dtype]


def flops_of(problem, inputs, weights):
    """Operations of products and convolutions, where this torch counts them; 0: not known."""
    if not hasattr(torch.utils, "flop_counter"):
        counter = __import__("importlib").util.find_spec("torch.utils.flop_counter")
        if counter is None:
            return 0
    from torch.utils.flop_counter import FlopCounterMode
    with FlopCounterMode(display=False) as count:
        problem.call(inputs, weights, torch.float32)
    return int(count.get_total_flops())


# ---- one call for the judge

def reference(problem, message, arena):
    real = torch.float64 if message["real"] == "double" else torch.float32
    given = {}
    for name, dtype, elements, offset in message["inputs"]:
        value = torch.frombuffer(arena, dtype=BY_NAME[dtype], count=elements, offset=offset)
        given[name] = value.bool() if name in problem.bools else value
    inputs = {name: given[name].reshape(shape) for name, shape in problem.shapes.items() if name in given}
    for name, integer, whole, value in message["scalars"]:
        inputs[name] = whole if integer else value
    weights = {name: given[name] for name in problem.weights() if name in given}
    results = problem.call(inputs, weights, real)
    for (name, dtype, elements, offset), value in zip(message["outputs"], results):
        if value.numel() != elements:
            raise Refused(f"{name} has {value.numel()} elements instead of {elements}")
        wide = value.detach().cpu().flatten()
        wide = wide.double() if wide.dtype.is_floating_point else wide.long()
        torch.frombuffer(arena, dtype=wide.dtype, count=elements, offset=offset).copy_(wide)
    return {"ok": True}


# ---- the wire

def receive(control):
    text, ancillary, _, _ = control.recvmsg(LARGEST_MESSAGE, socket.CMSG_SPACE(MOST_DESCRIPTORS * 4))
    descriptors = array.array("i")
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
    return text, list(descriptors)


def main():
    control = socket.socket(fileno=CONTROL)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    problem = None
    while True:
        text, descriptors = receive(control)
        if not text:
            return
        message = json.loads(text)
        try:
            if message["op"] == "problem":
                torch.set_num_threads(max(1, message.get("threads", 1)))
                with os.fdopen(descriptors.pop(0), encoding="utf-8") as file:
                    file.seek(0)
                    problem = Problem(file.read(), message.get("device", "cpu"))
                answer = {"ok": True}
            elif message["op"] == "describe":
                answer = describe(problem)
            else:
                # Left to the collector: tensors over it may outlive the call.
                answer = reference(problem, message, mmap.mmap(descriptors[0], message["bytes"]))
        except Refused as error:
            answer = {"error": str(error)}
        except Exception:
            answer = {"error": "reference.py: " + traceback.format_exc(limit=-3)[-4000:]}
        for descriptor in descriptors:
            os.close(descriptor)
        control.send(json.dumps(answer).encode())


main()
