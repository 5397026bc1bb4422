"""A stranger's ModelNew or custom_kernel: imported, constructed, handed the judge's weights and
inputs, called.

Whatever is used around a call is bound before the candidate's source is seen, and asks no method of
its objects: a result's type, shape and memory are those of torch's own base class.
"""
import hashlib
import json
import os
import sys
import time
import traceback
import types

import torch

import record
from blocks import DTYPES, INPUT, OUTPUT, Refused
from calls import Call, run_calls

FOLDER = "/tmp/candidate"
PRINTED = 4096  # elements of a parameter that tell it from others
MOST_TEXT = 6000  # of a traceback

_PLAIN = (torch.Tensor, torch.nn.Parameter)
_Base = torch.Tensor.__mro__[1]  # its methods cannot be replaced from Python
_shape, _dtype, _device, _layout = (
    getattr(_Base, name).__get__ for name in ("shape", "dtype", "device", "layout")
)
_copy, _data_ptr, _stride = _Base.copy_, _Base.data_ptr, _Base.stride
_type, _list, _tuple, _clock = type, list, tuple, time.perf_counter
_no_grad, _strided = torch.no_grad, torch.strided
_settle = torch.cuda.synchronize  # all streams
# A kernel whose name the judge knows
_control, CONTROL_CYCLES = getattr(torch.cuda, "_sleep", None), 2000
# What torch's own operations give several results in, such as torch.return_types.geqrf.
_NAMED = frozenset(
    one
    for one in vars(torch.return_types).values()
    if isinstance(one, type) and issubclass(one, tuple)
)
_parts = tuple.__iter__


class WrongResult(Exception):
    """The call came back with something else than was asked for."""


def print_of(tensor):
    """Shape and first elements of a parameter as a short text."""
    first = tensor.detach().reshape(-1)[:PRINTED].double().contiguous()
    return hashlib.sha256(repr(list(tensor.shape)).encode() + first.numpy().tobytes()).hexdigest()[
        :16
    ]


def value_of(coded, places):
    """What interface.json has for a value: lists, tuples and dicts of numbers and texts, and named
    things of a case."""
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
    return places[kind][content]  # "tensor", "scalar", "flag", "buffer"


class Callee:
    def __init__(self, device):
        self.device = device
        self.interface = None
        self.entry = None
        self.file = None
        self.weights = {}  # the task's name: the candidate's parameter
        self.recorded = None
        if device.type == "cuda":  # now, not while a call is timed
            torch.cuda.set_device(device)
            torch.zeros(1, device=device)
            torch.cuda.synchronize(device)

    # ---- from a source to something to call

    def load(self, image):
        """What the judge should know besides."""
        self.interface = image["interface"]
        os.makedirs(FOLDER, exist_ok=True)
        for name, text in self.interface.get("files", {}).items():
            write(os.path.join(FOLDER, os.path.basename(name)), text)
        name = (
            "".join(
                c if c.isalnum() or c in "._-" else "_" for c in os.path.basename(image["name"])
            )
            or "candidate.py"
        )
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
            return self.notes()
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
        # By name where the shape agrees; else by the values that the same constructor drew from the
        # same seed, since officially names mean nothing.
        free = dict(own)
        for weight in self.interface["weights"]:
            found = weight["name"] if weight["name"] in free and \
                list(free[weight["name"]].shape) == weight["shape"] else None
            if found is None:
                found = next((name for name in free if prints[name] == weight["print"]), None)
            if found is not None:
                self.weights[weight["tensor"]] = free.pop(found)
        return model

    def notes(self):
        missing = [
            weight["name"]
            for weight in self.interface.get("weights", ())
            if weight["tensor"] not in self.weights
        ]
        if not missing:
            return []
        return [
            f"no parameter of ModelNew was found for {', '.join(missing)} of the problem, by name "
            "or by the values that its constructor draws; the judge's values for them have "
            "nowhere to go"
        ]

    def told(self, error):
        """An exception as its author needs it: the lines of the candidate, then the exception
        itself."""
        frames = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == self.file
        ]
        text = "".join(traceback.format_list(frames)) + "".join(
            traceback.format_exception_only(type(error), error)
        )
        text = text.replace(FOLDER + "/", "")
        return (
            text
            if len(text) <= MOST_TEXT
            else text[: MOST_TEXT // 2] + "\n...\n" + text[-MOST_TEXT // 2 :]
        )

    # ---- calls

    def release(self):
        """Nothing here holds the judge's memory any more: parameters are emptied."""
        for parameter in self.weights.values():
            parameter.data = torch.empty(0, dtype=parameter.dtype, device=self.device)
        if self.device.type == "cuda":
            torch.cuda.empty_cache()  # the judge wants the memory itself

    def tensors(self, plan, bindings, blocks):
        bools, shapes = self.interface.get("bools", ()), self.interface.get("shapes", {})
        orders, types = self.interface.get("orders", {}), self.interface.get("types", {})
        inputs, outputs = {}, {}
        for (name, role, dtype, dims, _), (block, offset) in zip(plan["buffers"], bindings):
            if role not in (INPUT, OUTPUT):
                continue
            tensor = blocks.tensor(block, offset, DTYPES[dtype], shapes.get(name, dims))
            if name in bools:
                tensor = tensor.view(torch.bool)
            if name in types:  # one that Hone has the bytes of only
                tensor = tensor.view(getattr(torch, types[name]))
            if name in orders:  # the problem has it with other strides than row-major
                tensor = tensor.permute([orders[name].index(d) for d in range(len(orders[name]))])
            (inputs if role == INPUT else outputs)[name] = tensor
        return inputs, outputs

    def buffer(self, name, facts, numbers, outputs):
        """A tensor inside the input that is there to be written: the output that belongs there, or
        memory of its own."""
        order = facts["order"]
        shape = [numbers[f"{name}_{d}"] for d in range(len(order))]
        to = outputs.get(facts["of"])
        if to is not None and order == sorted(order) and to.is_contiguous():
            return to.view(shape)
        if (
            to is not None
            and list(to.shape) == shape
            and order == self.interface.get("orders", {}).get(facts["of"])
        ):
            return to
        dtype = getattr(torch, facts["type"]) if facts["type"] else DTYPES[facts["dtype"]]
        own = torch.empty([shape[d] for d in order], dtype=dtype, device=self.device)
        return own.permute([order.index(d) for d in range(len(order))])

    def prepare(self, plan, message, blocks):
        """A function of nothing that makes the calls, one for each set of tensors, and gives the
        wire's answer."""
        blocks.map([block for one in message["sets"] for block, _ in one], message["fresh"])
        case = json.loads(plan["call"])
        calls = [
            self.call_on(plan, bindings, blocks, case) for bindings in message["sets"]
        ] * message["times"]
        cuda = self.device.type == "cuda"
        span = HostSpan() if not cuda else RecordedSpan(self) if message["record"] else CudaSpan()
        self.recorded = [] if message["record"] else None
        return self.answer_of(calls, span, case["lenient"])

    def call_on(self, plan, bindings, blocks, case):
        inputs, outputs = self.tensors(plan, bindings, blocks)
        scalars = case["scalars"]
        places = {
            "tensor": inputs,
            "scalar": scalars,
            "flag": {name: bool(one) for name, one in scalars.items()},
            "buffer": {
                name: self.buffer(name, facts, scalars, outputs)
                for name, facts in self.interface.get("buffers", {}).items()
            },
            "output": outputs,
        }
        wanted = self.interface.get("cases", {}).get(case["case"], self.interface)["arguments"]
        call = Call([value_of(one, places) for one in wanted], list(outputs.items()))
        for name, parameter in self.weights.items():
            # Of the same type it is the judge's memory itself.
            same = parameter.dtype == inputs[name].dtype
            (call.weights if same else call.copies).append((parameter, inputs[name]))
        return call

    def answer_of(self, calls, span, lenient):
        any_float = self.interface.get("any_float", False)
        sequence = self.interface.get("sequence", False)
        told, device, entry = self.told, self.device, self.entry
        take = (
            take_any
            if lenient
            else lambda result, to: take_results(result, to, device, any_float, sequence)
        )
        calls[0].hand_over()  # before its contents are there, and before the clock

        def answer():
            start = _clock()
            try:
                with _no_grad():
                    span.begin()
                    run_calls(entry, calls, take, span.end)
                    span.settle()
            except WrongResult as wrong:
                return {"ok": False, "wrong": True, "error": str(wrong), "device": 0.0, "wall": 0.0}
            except BaseException as error:
                return {"ok": False, "error": told(error), "device": 0.0, "wall": 0.0}
            return {"ok": True, "error": "", "device": span.seconds(), "wall": _clock() - start}

        return answer


# ---- how long a call took, as this process sees it

class HostSpan:
    def begin(self):
        self.started = _clock()

    def end(self):
        self.ended = _clock()

    def settle(self):
        return

    def seconds(self):
        return self.ended - self.started


class CudaSpan:
    """From an event before the call to one after it; to the end of all streams where that is later
    by more than waiting for them takes."""
    WAITING = 5e-5

    def __init__(self):
        self.events = [torch.cuda.Event(enable_timing=True) for _ in range(3)]

    def begin(self):
        self.events[0].record()

    def end(self):
        self.events[1].record()
        _settle()
        self.events[2].record()

    def settle(self):
        _settle()

    def seconds(self):
        own = 1e-3 * self.events[0].elapsed_time(self.events[1])
        whole = 1e-3 * self.events[0].elapsed_time(self.events[2])
        return own if whole - own < self.WAITING + 0.05 * own else whole


class RecordedSpan(CudaSpan):
    """The same, with what the device did between both kept: kernels by name, in seconds. What the
    harness does afterwards is not the candidate's. Before and after the call it runs a kernel of
    its own: where the record has both and nothing between them, the call has done nothing."""

    def __init__(self, callee):
        super().__init__()
        self.callee, self.profile = callee, None

    def begin(self):
        self.callee.recorded = []
        if not record.recorder().start():
            self.profile = torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA])
            self.profile.__enter__()
        _control(CONTROL_CYCLES)
        _settle()
        super().begin()

    def end(self):
        super().end()
        _control(CONTROL_CYCLES)
        _settle()
        if self.profile is None:
            found = record.recorder().stop()
        else:
            self.profile.__exit__(None, None, None)
            found = [[1e-6 * one.time_range.start, 1e-6 * one.time_range.end, one.name]
                     for one in self.profile.events() if "CUDA" in str(one.device_type)]
        self.callee.recorded = [[0, start, end, -1, 0, name] for start, end, name in found]


# ---- what came back

def plain(result):
    """Several results as a plain tuple, where torch has given them names."""
    kind = _type(result)
    return _tuple(_parts(result)) if _type(kind) is _type and kind in _NAMED else result


def take_results(result, outputs, device, any_float=False, sequence=False):
    """Copies what came back into the judge's memory, if it is what was asked for. `sequence`: the
    one result is asked for in a list or tuple, because the problem gives it so."""
    result = plain(result)
    several = _type(result) in (_list, _tuple)
    if len(outputs) == 1 and not sequence and several and len(result) == 1:
        raise WrongResult(
            f"the call gave a {_type(result).__name__} with one element instead of the tensor "
            "itself, which is what the problem gives"
        )
    if len(outputs) == 1 and sequence and not several:
        raise WrongResult(
            f"the call gave a {_type(result).__name__} instead of a tuple with one element, which "
            "is what the problem gives"
        )
    results = result if several else (result,)
    if len(results) != len(outputs):
        raise WrongResult(f"the call gave {len(results)} results instead of {len(outputs)}")
    for one, (name, to) in zip(results, outputs):
        if _type(one) not in _PLAIN:
            raise WrongResult(
                f"{name} is a {_type(one).__module__}.{_type(one).__qualname__}, not a plain "
                "torch.Tensor"
            )
        if _device(one).type != device.type:
            raise WrongResult(f"{name} lies on the device {_device(one)}, not on {device}")
        if _dtype(one) != _dtype(to) and not (
            any_float and _dtype(one).is_floating_point and _dtype(to).is_floating_point
        ):
            raise WrongResult(f"{name} has the type {_dtype(one)} instead of {_dtype(to)}")
        if _shape(one) != _shape(to):
            raise WrongResult(
                f"{name} has the shape {_list(_shape(one))} instead of {_list(_shape(to))}"
            )
        if _layout(one) != _strided:
            raise WrongResult(f"{name} is no dense tensor ({_layout(one)})")
        if (
            _data_ptr(one) != _data_ptr(to)
            or _stride(one) != _stride(to)
            or _dtype(one) != _dtype(to)
        ):
            _copy(to, one)


def take_any(result, outputs):
    """As an evaluator that asks the candidate's objects: only without the guard `results`."""
    result = plain(result)
    results = result if _type(result) in (_list, _tuple) else (result,)
    for one, (_, to) in zip(results, outputs):
        to.copy_(one)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
