"""Somebody's ModelNew or custom_kernel: imported, constructed, handed the judge's weights and inputs, called.

Whatever is used around a call is bound before the candidate's source is seen, and asks no method of its objects: a
result's type, shape and memory are those of torch's own base class.
"""
import hashlib
import json
import os
import sys
import time
import traceback
import types

import torch

from blocks import DTYPES

FOLDER = "/tmp/candidate"
PRINTED = 4096  # elements of a parameter that tell it from others
MOST_TEXT = 6000  # of a traceback

INPUT, OUTPUT = 0, 1  # roles of a plan's buffers

_Tensor = torch.Tensor
_PLAIN = (torch.Tensor, torch.nn.Parameter)
_Base = torch.Tensor.__mro__[1]  # its methods cannot be replaced from Python
_shape, _dtype, _device, _layout = (getattr(_Base, name).__get__ for name in ("shape", "dtype", "device", "layout"))
_copy, _data_ptr, _stride = _Base.copy_, _Base.data_ptr, _Base.stride
_type, _list, _tuple, _clock, _no_grad = type, list, tuple, time.perf_counter, torch.no_grad


class Refused(Exception):
    """The candidate cannot be called, and the text says why."""


class WrongResult(Exception):
    """The call came back with something else than was asked for."""


def print_of(tensor):
    """Shape and first elements of a parameter as a short text."""
    first = tensor.detach().reshape(-1)[:PRINTED].double().contiguous()
    return hashlib.sha256(repr(list(tensor.shape)).encode() + first.numpy().tobytes()).hexdigest()[:16]


def value_of(coded, places):
    """What interface.json has for a value: lists, tuples and dicts of numbers and texts, and named things of a case."""
    (kind, content), = coded.items()
    if kind == "value":
        return content
    if kind == "float":
        return float(content)  # infinities, which JSON does not have
    if kind == "list":
        return [value_of(one, places) for one in content]
    if kind == "tuple":
        return tuple(value_of(one, places) for one in content)
    if kind == "dict":
        return {key: value_of(one, places) for key, one in content}
    return places[kind][content]  # "tensor", "scalar", "output"


class Callee:
    def __init__(self, device):
        self.device = device
        self.interface = None
        self.entry = None
        self.file = None
        self.weights = {}  # the task's name: the candidate's parameter
        self.copied = []  # those whose type differs: filled in each call
        self.kept = None  # tensors over blocks that are mapped now

    # ---- from a source to something to call

    def load(self, image):
        self.interface = image["interface"]
        os.makedirs(FOLDER, exist_ok=True)
        for name, text in self.interface.get("files", {}).items():
            write(os.path.join(FOLDER, os.path.basename(name)), text)
        name = "".join(c if c.isalnum() or c in "._-" else "_" for c in os.path.basename(image["name"])) or "candidate.py"
        self.file = os.path.join(FOLDER, name)
        write(self.file, image["source"])
        sys.path.insert(0, FOLDER)
        try:
            module = self.imported(image["source"])
            wanted = self.interface["entry"]
            entry = module.__dict__.get(wanted)
            if not callable(entry):
                raise Refused(f"{name} defines no {wanted}")
            self.entry = self.constructed(entry) if wanted == "ModelNew" else entry
        except Refused:
            raise
        except BaseException as error:  # SystemExit and KeyboardInterrupt too
            raise Refused(self.told(error)) from None

    def imported(self, source):
        module = types.ModuleType("candidate_module")
        module.__file__ = self.file
        sys.modules["candidate_module"] = module  # for classes that look up their own module
        exec(compile(source, self.file, "exec"), module.__dict__)
        return module

    def constructed(self, entry):
        init = [value_of(one, {}) for one in self.interface["init"]]
        torch.manual_seed(self.interface["seed"])
        model = entry(*init)
        if not isinstance(model, torch.nn.Module):
            raise Refused(f"ModelNew is no torch.nn.Module but a {type(model).__name__}")
        own = dict(model.named_parameters())
        prints = {name: print_of(value) for name, value in own.items()}
        model = model.to(self.device)
        own = dict(model.named_parameters())
        # By name where the shape agrees; else by the values that the same constructor drew from the same seed, since
        # officially names mean nothing.
        free = dict(own)
        for weight in self.interface["weights"]:
            found = weight["name"] if weight["name"] in free and \
                list(free[weight["name"]].shape) == weight["shape"] else None
            if found is None:
                found = next((name for name in free if prints[name] == weight["print"]), None)
            if found is not None:
                self.weights[weight["tensor"]] = free.pop(found)
        return model

    def told(self, error):
        """An exception as its author needs it: the lines of the candidate, then the exception itself."""
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == self.file]
        text = "".join(traceback.format_list(frames)) + "".join(traceback.format_exception_only(type(error), error))
        text = text.replace(FOLDER + "/", "")
        return text if len(text) <= MOST_TEXT else text[: MOST_TEXT // 2] + "\n...\n" + text[-MOST_TEXT // 2:]

    # ---- one call

    def release(self):
        self.kept = None

    def tensors(self, plan, bindings, blocks):
        bools, shapes = self.interface.get("bools", ()), self.interface.get("shapes", {})
        inputs, outputs = {}, {}
        for (name, role, dtype, dims, _), (block, offset) in zip(plan["buffers"], bindings):
            if role not in (INPUT, OUTPUT):
                continue
            tensor = blocks.tensor(block, offset, DTYPES[dtype], shapes.get(name, dims))
            if name in bools:
                tensor = tensor.view(torch.bool)
            (inputs if role == INPUT else outputs)[name] = tensor
        return inputs, outputs

    def prepare(self, plan, message, blocks):
        """A function of nothing that makes the call and gives the wire's answer."""
        blocks.map([block for block, _ in message["sets"][0]], message["fresh"])
        inputs, outputs = self.tensors(plan, message["sets"][0], blocks)
        scalars = json.loads(plan["call"])["scalars"]
        places = {"tensor": inputs, "scalar": scalars, "output": outputs}
        arguments = [value_of(one, places) for one in self.interface["arguments"]]
        copies = []
        for name, parameter in self.weights.items():
            if parameter.dtype == inputs[name].dtype:
                parameter.data = inputs[name]  # the judge's memory itself: its contents come later
            else:
                copies.append((parameter.data, inputs[name]))
        self.kept = (inputs, outputs)
        return self.call_of(arguments, list(outputs.items()), copies, message["times"])

    def call_of(self, arguments, outputs, copies, times):
        entry, told, device = self.entry, self.told, self.device

        def call():
            start = _clock()
            try:
                with _no_grad():
                    for to, given in copies:
                        _copy(to, given)
                    for _ in range(times):
                        result = entry(*arguments)
                    span = _clock() - start
                    take_results(result, outputs, device)
            except WrongResult as wrong:
                return {"ok": False, "wrong": True, "error": str(wrong), "device": 0.0, "wall": 0.0}
            except BaseException as error:
                return {"ok": False, "error": told(error), "device": 0.0, "wall": 0.0}
            return {"ok": True, "error": "", "device": span, "wall": _clock() - start}

        return call


def take_results(result, outputs, device):
    """Copies what came back into the judge's memory, if it is what was asked for."""
    results = result if _type(result) in (_list, _tuple) else (result,)
    if len(results) != len(outputs):
        raise WrongResult(f"the call gave {len(results)} results instead of {len(outputs)}")
    for one, (name, to) in zip(results, outputs):
        if _type(one) not in _PLAIN:
            raise WrongResult(f"{name} is a {_type(one).__module__}.{_type(one).__qualname__}, not a plain torch.Tensor")
        if _device(one).type != device.type:
            raise WrongResult(f"{name} lies on the device {_device(one)}, not on {device}")
        if _dtype(one) != _dtype(to):
            raise WrongResult(f"{name} has the type {_dtype(one)} instead of {_dtype(to)}")
        if _shape(one) != _shape(to):
            raise WrongResult(f"{name} has the shape {_list(_shape(one))} instead of {_list(_shape(to))}")
        if _layout(one) != torch.strided:
            raise WrongResult(f"{name} is no dense tensor ({_layout(one)})")
        if _data_ptr(one) != _data_ptr(to) or _stride(one) != _stride(to):
            _copy(to, one)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
