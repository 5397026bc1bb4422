"""Plans with library operations: `op = "aten.convolution"` called here, by trusted code, between
kernels that the judge built. No code of the candidate's runs in this process but its device code,
on the device.

Everything is queued where torch queues its own work. An operation's result that goes to a scratch
buffer takes that buffer's place, so that nothing is copied; one that goes to an output of the task
is written there.
"""
import ctypes
import json
import struct
import time

import torch

import hone_light
from blocks import DTYPES, OUTPUT, Refused

# Kinds of arguments
BUFFER, TENSORMAP, INTEGER, SCALAR, LOCAL, NONE, BOOLEAN, TEXT, LIST = range(9)
FORMATS = {
    "f64": "<d",
    "f32": "<f",
    "f16": "<e",
    "i64": "<q",
    "i32": "<i",
    "i16": "<h",
    "i8": "<b",
    "u64": "<Q",
    "u32": "<I",
    "u16": "<H",
    "u8": "<B",
}
SIZES = {"bf16": 2, **{name: struct.calcsize(code) for name, code in FORMATS.items()}}
# Operations that draw random numbers and are not marked as such in every torch.
RANDOM = (
    "dropout",
    "rand",
    "bernoulli",
    "normal",
    "uniform",
    "multinomial",
    "poisson",
    "exponential",
    "geometric",
    "cauchy",
    "binomial",
    "rrelu_with_noise",
    "gumbel",
)
# Operations that give what other code has left: memory as it is, or files.
UNWRITTEN = ("empty", "from_file", "resize", "_cudnn_init_dropout_state")


# ---- operations

def overload_of(name):
    """The operation of that name: "aten.mm" is "aten.mm.default" where it has that."""
    space, _, rest = name.partition(".")
    base, _, overload = rest.partition(".")
    if space != "aten":
        raise Refused(f"{name}: operations are torch's own, aten.NAME or aten.NAME.OVERLOAD")
    packet = getattr(torch.ops.aten, base, None) if base.isidentifier() else None
    known = packet.overloads() if hasattr(packet, "overloads") else []
    if not known:
        raise Refused(f"there is no operation {name} in torch {torch.__version__}")
    chosen = overload or ("default" if "default" in known else known[0])
    if chosen not in known:
        raise Refused(f"aten.{base} has no overload {chosen}; it has {', '.join(known)}")
    return getattr(packet, chosen)


def writes(argument):
    return argument.alias_info is not None and argument.alias_info.is_write


def check_operation(name, positional, words, outs):
    """Refuses what is unknown, random, in place, or called with the wrong number of arguments."""
    function = overload_of(name)
    schema = function._schema
    base = schema.name.split("::")[-1]
    tags = getattr(function, "tags", ())
    seeded = getattr(getattr(torch, "Tag", None), "nondeterministic_seeded", None)
    if any(word in base for word in RANDOM) or (seeded is not None and seeded in tags):
        raise Refused(f"{name} draws random numbers, so that there is no one right result")
    if any(word in base for word in UNWRITTEN):
        raise Refused(f"{name} gives memory that no operation has written")
    if any(writes(argument) and argument.name != "out" for argument in schema.arguments):
        raise Refused(
            f"{name} works in place: {schema}. Take the operation that gives a new tensor"
        )
    if any(writes(argument) for argument in schema.arguments):
        raise Refused(
            f"{name} writes into an argument: leave `.out` away and name the buffer in the "
            "launch's `out`"
        )
    placed = [argument for argument in schema.arguments if not argument.kwarg_only]
    required = [
        argument.name for argument in placed[positional:] if not argument.has_default_value()
    ]
    if positional > len(placed):
        raise Refused(f"{name} takes {len(placed)} arguments, and is given {positional}: {schema}")
    missing = [argument for argument in required if argument not in words]
    missing += [
        argument.name
        for argument in schema.arguments
        if argument.kwarg_only and not argument.has_default_value() and argument.name not in words
    ]
    if missing:
        raise Refused(f"{name} is not given {', '.join(missing)}: {schema}")
    names = [argument.name for argument in placed[positional:]] + \
        [argument.name for argument in schema.arguments if argument.kwarg_only]
    for word in words:
        if word not in names:
            raise Refused(f"{name} has no argument {word} left: {schema}")
    if len(schema.returns) < outs:
        raise Refused(
            f"{name} gives {len(schema.returns)} results, and `out` names {outs}: {schema}"
        )
    if any(str(one.type) != "Tensor" for one in schema.returns[:outs]):
        raise Refused(f"{name} gives something else than tensors: {schema}")
    return function


def writer_of(function):
    """The overload that writes its one result where it is told, with the same arguments; None where
    there is none."""
    packet = getattr(torch.ops.aten, function._schema.name.split("::")[-1])
    chosen = function._schema.overload_name
    wanted = "out" if not chosen else chosen + "_out"
    if wanted not in packet.overloads():
        return None
    other = getattr(packet, wanted)
    outs = [argument.name for argument in other._schema.arguments if writes(argument)]
    return (
        other
        if outs == ["out"] and len(other._schema.arguments) == len(function._schema.arguments) + 1
        else None
    )


# ---- arguments

def number(dtype, bits):
    data = struct.pack("<Q", bits)[: SIZES[dtype]]
    if dtype == "bf16":
        return struct.unpack("<f", b"\0\0" + data)[0]
    return struct.unpack(FORMATS[dtype], data)[0]


class Step:
    """One launch of a plan, ready to be made on the tensors of a call, which are a list in the
    order of the buffers."""

    def __init__(self, name, index):
        self.name, self.index, self.marked = f"launch {index + 1} ({name})", index, False


class Operation(Step):
    def __init__(self, launch, buffers):
        name, index = launch[0], launch[1]
        super().__init__(name, index)
        extra = launch[8]
        self.args, self.words = launch[7], extra["words"]
        self.outs, self.tf32 = extra["outs"], extra["tf32"]
        self.function = check_operation(name, len(self.args), self.words, len(self.outs))
        self.buffers = buffers
        into_output = len(self.outs) == 1 and buffers[self.outs[0]][1] == OUTPUT
        self.writer = writer_of(self.function) if into_output else None

    def value(self, argument, tensors):
        kind, more = argument[0], argument[6] or {}
        if kind == BUFFER:
            tensor = tensors[argument[1]]
            if more.get("dims"):
                tensor = tensor.reshape(more["dims"])
            return tensor.transpose(-1, -2) if more.get("transposed") else tensor
        if kind == INTEGER:
            return argument[2]
        if kind == SCALAR:
            return number(argument[3], argument[4])
        if kind == LIST:
            return [self.value(one, tensors) for one in more.get("items", ())]
        return {NONE: None, BOOLEAN: bool(argument[2]), TEXT: more.get("word", "")}[kind]

    def run(self, tensors):
        args = [self.value(one, tensors) for one in self.args]
        words = {name: self.value(one, tensors) for name, one in self.words.items()}
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = self.tf32
        if self.writer is not None:
            name, _, _, dims, _ = self.buffers[self.outs[0]]
            to = tensors[self.outs[0]].view(dims)
            self.writer(*args, **words, out=to)
            if list(to.shape) != dims:  # it is made to fit, with a warning
                raise Refused(f"the result is {list(to.shape)}, but {name} is {dims}")
            return
        result = self.function(*args, **words)
        results = result if isinstance(result, (tuple, list)) else (result,)
        for index, value in zip(self.outs, results):
            name, role, dtype, dims, _ = self.buffers[index]
            if list(value.shape) != dims and not (value.dim() == 0 and dims == [1]):
                raise Refused(f"the result is {list(value.shape)}, but {name} is {dims}")
            if value.dtype != DTYPES[dtype]:
                raise Refused(f"the result is of {value.dtype}, but {name} of {dtype}")
            if role == OUTPUT:
                tensors[index].copy_(value.reshape(dims))
            else:
                tensors[index] = value.reshape(dims).contiguous()


class Launched(Step):
    """A kernel of the judge's build."""

    def __init__(self, launch, module, maps, buffers):
        name, index, self.grid, self.block, cluster, self.shared, cooperative, self.args = launch[
            :8
        ]
        super().__init__(name, index)
        self.kernel = module.kernel(
            name, cluster=tuple(cluster) if cluster[0] else None, cooperative=cooperative
        )
        self.maps, self.buffers = maps, buffers

    def value(self, argument, tensors):
        kind = argument[0]
        if kind == BUFFER:
            return hone_light.raw(tensors[argument[1]])
        if kind == TENSORMAP:
            return self.map(self.maps[argument[1]], tensors)
        if kind == INTEGER:
            return argument[2]
        # A scalar: its bytes as they are
        return struct.pack("<Q", argument[4])[: SIZES[argument[3]]]

    def map(self, facts, tensors):
        _, buffer, dims, box, strides, swizzle, interleave, l2, fill_nan = facts

        def word(count):
            return f"{count}B" if count else "none"

        return hone_light.tensor_map(
            tensors[buffer].reshape(-1),
            box,
            word(swizzle),
            dims,
            strides,
            word(interleave),
            word(l2),
            "nan" if fill_nan else "zero",
        )

    def run(self, tensors):
        self.kernel(
            self.grid,
            self.block,
            *(self.value(one, tensors) for one in self.args),
            shared=self.shared,
        )


# ---- clocks

class HostClock:
    def surround(self, flush):
        pass

    def begin(self, steps, calls):
        self.start = time.perf_counter()

    def mark(self):
        return time.perf_counter()

    def between(self, one, other):
        return other - one

    def end(self, calls):
        seconds = time.perf_counter() - self.start
        return seconds, seconds


class DeviceClock:
    """Events round the launches. A kernel that only waits stands before them, so that the queue is
    full when they start: Python is slower than many kernels."""
    _CYCLES = 2e9  # a second of the waiting kernel, within a factor of two
    _EACH, _LEAST, _LONGEST = 40e-6, 100e-6, 50e-3  # seconds to hold, for each launch and in all
    # At most for several calls: the judge compares their time with its own clock, which has the
    # hold too
    _BATCH = 200e-6

    def __init__(self, device):
        self.device, self.factor = device, 1.0
        self.driver = ctypes.CDLL("libcuda.so.1")
        self.flush_memory = None
        self.first, self.last = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def surround(self, flush):
        if hasattr(self.driver, "cuCtxResetPersistingL2Cache"):
            self.driver.cuCtxResetPersistingL2Cache()
        if not flush:
            return
        if self.flush_memory is None:
            size = ctypes.c_int()
            # The L2 cache's bytes
            self.driver.cuDeviceGetAttribute(ctypes.byref(size), 38, self.device.index or 0)
            # Twice that
            self.flush_memory = torch.zeros(
                max(1, size.value // 2), dtype=torch.int32, device=self.device
            )
        # read: what is written would have to be written back while a call is timed
        self.flush_memory.sum()

    def begin(self, steps, calls):
        hold = min(
            self._LONGEST if calls == 1 else self._BATCH,
            self.factor * (self._LEAST + steps * self._EACH),
        )
        torch.cuda._sleep(int(hold * self._CYCLES))
        self.first.record()

    def mark(self):
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def between(self, one, other):
        return 1e-3 * one.elapsed_time(other)

    def end(self, calls):
        self.last.record()
        # It began before everything was queued: hold longer from now on
        if calls == 1 and self.first.query():
            self.factor = min(64.0, 2 * self.factor)
        self.first.synchronize()
        start = time.perf_counter()
        torch.cuda.synchronize(self.device)
        return 1e-3 * self.first.elapsed_time(self.last), time.perf_counter() - start


# ---- the worker's part

class Library:
    def __init__(self, device):
        self.device, self.module, self.recorded, self.kept = device, None, None, None
        self.clock = DeviceClock(device) if device.type == "cuda" else HostClock()

    def load(self, image, kernels):
        """`image`: a line of JSON with the operations that the plan calls, then the judge's build,
        if there is one."""
        head, _, built = image.partition(b"\n")
        for name, positional, words, outs in json.loads(head):
            check_operation(name, positional, words, outs)
        if not kernels:
            return []
        if self.device.type != "cuda":
            raise Refused(
                "kernels and operations in one plan need CUDA: on a CPU torch and the kernels have "
                "no memory in common"
            )
        self.module = hone_light._Module("", {}, built, "")
        return [self.facts(name) for name in kernels]

    def facts(self, name):
        try:
            ready = self.module.kernel(name)._prepare(self.device.index or 0)
        except RuntimeError as error:
            raise Refused(str(error)) from None
        value = ctypes.c_int()

        def attribute(number):
            code = ready.driver.cuFuncGetAttribute(ctypes.byref(value), number, ready.function)
            return value.value if code == 0 else -1

        parameters = [[0, size, "", ""] for _, _, size, _ in ready.parameters]
        return {
            "name": name,
            "parameters": parameters,
            "registers": attribute(4),
            "local": attribute(3),
            "shared": attribute(1),
            "constant": attribute(2),
            "max_threads": attribute(0),
        }

    def release(self):
        self.kept = None

    def prepare(self, plan, message, blocks):
        blocks.map([block for one in message["sets"] for block, _ in one], message["fresh"])
        if message["private"]:
            raise Refused(
                "plans with library operations cannot be run in memory of their own (sanitizers)"
            )
        steps = []
        for launch in plan["launches"]:
            if launch[1] == message["skip"]:
                continue
            step = Operation(launch, plan["buffers"]) if launch[8] else \
                Launched(launch, self.module, plan["maps"], plan["buffers"])
            step.marked = launch[1] in message["marked"]
            steps.append(step)
        bound = [
            [
                blocks.tensor(block, offset, DTYPES[dtype], dims)
                for (_, _, dtype, dims, _), (block, offset) in zip(plan["buffers"], one)
            ]
            for one in message["sets"]
        ]
        self.kept = bound
        calls = bound + [bound[0]] * (message["times"] - len(bound))
        return lambda: self.go(steps, calls, message["flush"], message["record"])

    def go(self, steps, calls, flush, record):
        clock, marks, error = self.clock, [], ""
        clock.surround(flush)
        clock.begin(len(steps), len(calls))
        step = None
        try:
            with torch.no_grad():
                for given in calls:
                    # Results take the places of scratch buffers, for this call alone: its memory
                    # serves the next one.
                    tensors = list(given)
                    for step in steps:
                        start = clock.mark() if record else None
                        if step.marked:
                            torch.cuda.profiler.start()
                        step.run(tensors)
                        if step.marked:
                            torch.cuda.profiler.stop()
                        if record:
                            marks.append((step, start, clock.mark()))
        except (RuntimeError, TypeError, ValueError, IndexError, Refused) as problem:
            error = f"{step.name}: {problem}"[:4000]
        try:
            device, wall = clock.end(len(calls))
        except RuntimeError as problem:
            return {
                "ok": False,
                "error": error or f"{step.name}: {problem}"[:4000],
                "device": 0.0,
                "wall": 0.0,
            }
        self.recorded = self.activities_of(marks) if record and not error else None
        return {"ok": not error, "error": error, "device": device, "wall": wall}

    def activities_of(self, marks):
        """Each launch as an activity of the device, in seconds since the first."""
        if not marks:
            return []
        first = marks[0][1]
        return [
            [
                0,
                self.clock.between(first, start),
                self.clock.between(first, end),
                step.index,
                0,
                step.name,
            ]
            for step, start, end in marks
        ]
