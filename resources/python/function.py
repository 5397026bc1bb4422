"""A task's own reference, a function of torch or NumPy in reference.py, as something that can be
asked with the questions that other people's problems have (problem.py, gpumode.py): draw inputs,
and compute outputs in double precision or as it is.

What makes a function no reference is found here, in whichever call it shows: it changes its inputs,
returns a view of them or something that is no tensor, gives another result on the same inputs, or
raises. Each has a sentence of its own.
"""
import inspect
import linecache
import random
import sys
import time
import traceback
import types

import torch

from blocks import DTYPES, Refused
from candidate import value_of
from describe import scaled_errors, variant_of
from gpumode import LARGEST_SEED, cloned
from nested import OPAQUE
from problem import lacks_memory, on, set_precision

# What tracebacks call the file, and an expression for its example inputs
FILE, EXAMPLE = "reference.py", "--example"
NAMES_OF_INPUTS = ("example_inputs", "get_inputs")
# Scaled errors within which two results on the same inputs are the same
SAME, SAME_AS_IS = 1e-9, 1e-2
# Seconds; a function that takes longer is not called twice to see whether it repeats itself
QUICK = 2.0
# Elements of an input up to which it is compared with a copy; torch counts changes of larger ones
COMPARED = 1 << 24
MOST_TEXT = 2000  # of a traceback


def load_source(source, file=FILE):
    module = types.ModuleType("reference")
    module.__file__ = file
    sys.modules["reference"] = module  # for classes that look up their own module
    # So that tracebacks show its lines
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    try:
        exec(compile(source, file, "exec"), module.__dict__)
    except Exception as error:
        hint = (
            "; a reference is one file, and its sandbox has only what this Python has installed"
            if isinstance(error, ImportError)
            else ""
        )
        raise Refused(f"it cannot be imported{hint}: {told(error, file)}") from None
    return module


def define_example(module, expression):
    """Example inputs from an expression that was typed rather than from a function in the file."""
    try:
        code = compile(expression.strip(), EXAMPLE, "eval")
    except SyntaxError as error:
        raise Refused(f"{EXAMPLE} '{expression}' is no expression of Python: {error.msg}") from None
    linecache.cache[EXAMPLE] = (len(expression), None, expression.strip().splitlines(True), EXAMPLE)

    def example_inputs():
        import numpy
        return eval(code, {**module.__dict__, "numpy": numpy, "np": numpy, "torch": torch})
    example_inputs.said_as = f"{EXAMPLE} '{expression}'"
    module.example_inputs = example_inputs


def told(error, file=FILE):
    """An exception with the lines of the reference's file that it came from."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename in (file, EXAMPLE)
    ]
    text = "".join(traceback.format_list(frames)) + "".join(
        traceback.format_exception_only(type(error), error)
    )
    return "\n" + text[-MOST_TEXT:].rstrip()


def function_named(module, name):
    function = getattr(module, name, None)
    if not callable(function):
        raise Refused(f"it defines no function {name}")
    return function


def memory_of(value):
    storage = value.untyped_storage() if hasattr(value, "untyped_storage") else value.storage()
    return storage.data_ptr()


def is_array(value):
    return type(value).__module__ == "numpy"  # an array, or one number


def as_tensor(value):
    """An array of NumPy's as the tensor that the judge's memory is filled from."""
    import numpy
    try:
        return torch.from_numpy(numpy.array(value, copy=True, order="K"))
    except TypeError:
        raise Refused(
            f"there is an array of {value.dtype}, a type that Hone does not know"
        ) from None


class FunctionProblem:
    """`interface`: what interface.json has, which says how arguments are made of tensors and
    numbers, and the types of the outputs. Without it only a description can be asked for
    (function_describe.py)."""

    def __init__(
        self,
        source,
        function,
        inputs="",
        numpy=False,
        double=True,
        interface=None,
        device="cpu",
        file=FILE,
        **_,
    ):
        self.module, self.name = load_source(source, file), function
        self.inputs, self.file = inputs, file
        self.numpy, self.double = numpy, double
        self.interface, self.device = interface or {}, device
        self.case, self.dims, self.sizes = "", {}, {}
        self.sequence = False  # whether it gives a list or tuple, as the last call has shown
        self.repeated = set()  # cases in which it was seen to give the same result again
        if function:
            self.function = function_named(self.module, function)

    def choose(self, case, dims=None, sizes=None):
        """The case, the extents of its tensors as they lie in memory, and its symbols."""
        self.case, self.dims, self.sizes = case, dims or {}, sizes or {}

    # ---- what it draws

    def example(self, seed, sizes=None):
        """What the function of example inputs gives under this seed; `sizes` for those of its
        parameters that have them."""
        draw = function_named(self.module, self.inputs)
        seed %= LARGEST_SEED
        random.seed(seed)
        torch.manual_seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed)
        known = inspect.signature(draw).parameters
        try:
            with on(self.device):
                return draw(
                    **{name: value for name, value in (sizes or {}).items() if name in known}
                )
        except Exception as error:
            said = getattr(draw, "said_as", self.inputs)
            raise Refused(f"{said} raises{self.where()}: {told(error, self.file)}") from None

    def where(self):
        return f" in case {self.case}" if self.case else ""

    def draw_into(self, seed, views, variant="plain", varied=()):
        from function_sizes import parts_of
        tensors = parts_of(self, self.example(seed, self.sizes)).tensors
        for name, view in views.items():
            if name not in tensors:
                raise Refused(
                    f"{self.inputs} gives nothing for {name}, which task.toml leaves to it to draw"
                )
            order = self.interface.get("orders", {}).get(name, list(range(tensors[name].dim())))
            value = tensors[name].permute(order)
            if value.numel() != view.numel() or list(value.shape or [1]) != list(
                self.dims.get(name, value.shape) or [1]
            ):
                raise Refused(
                    f"{self.inputs} gives {name} the extents {list(value.shape)}{self.where()}, "
                    f"and task.toml {self.dims.get(name)}: its parameters are the symbols of a case"
                )
            value = variant_of(value, variant).to(value.dtype) if name in varied else value
            value = value.contiguous().view(-1)
            view.copy_(
                value.view(view.dtype)
                if value.dtype in OPAQUE or value.dtype == torch.bool
                else value
            )

    # ---- calls

    def shaped(self, name, flat):
        """The judge's elements as the tensor that the function knows."""
        orders, kinds = self.interface.get("orders", {}), self.interface.get("types", {})
        dims = self.interface.get("shapes", {}).get(name, self.dims.get(name, [flat.numel()]))
        value = flat.reshape(dims)
        if name in self.interface.get("bools", ()):
            value = value.view(torch.bool) if value.dtype == torch.uint8 else value.bool()
        if name in kinds:
            value = value.view(getattr(torch, kinds[name]))
        order = orders.get(name)
        return value.permute([order.index(d) for d in range(len(order))]) if order else value

    def sorted_out(self, given):
        numbers = {
            **self.sizes,
            **{name: value for name, value in given.items() if not torch.is_tensor(value)},
        }
        return {
            name: self.shaped(name, value)
            for name, value in given.items()
            if torch.is_tensor(value)
        }, numbers

    def call(self, tensors, numbers, precision):
        """Outputs for these inputs, in the order of task.toml."""
        set_precision("f32")
        exact = precision == "f64" and self.double
        start = time.monotonic()
        results = self.results(tensors, numbers, exact)
        if (
            precision == "f64"
            and self.case not in self.repeated
            and time.monotonic() - start < QUICK
        ):
            self.must_repeat(results, self.results(tensors, numbers, exact), exact)
            self.repeated.add(self.case)
        self.must_fit(results)
        return results

    def results(self, tensors, numbers, exact):
        if exact:
            return self.with_room(lambda device: self.run(tensors, numbers, torch.float64, device))
        try:
            return self.with_room(lambda device: self.run(tensors, numbers, None, device))
        except Refused:
            # A CPU has not everything for half precision: then it computes in single precision, and
            # only what it gives is rounded.
            floats = {value.dtype for value in tensors.values() if value.dtype.is_floating_point}
            if floats not in ({torch.float16}, {torch.bfloat16}):
                raise
            return [value.to(*floats) if value.dtype == torch.float32 else value
                    for value in self.run(tensors, numbers, torch.float32, self.device)]

    def with_room(self, work):
        """On the device, or, where that has not the memory or the algorithm, on the CPU."""
        try:
            return work(self.device)
        except Refused as refused:
            if self.device == "cpu" or not lacks_memory(str(refused)):
                raise
        torch.cuda.empty_cache()
        return work("cpu")

    def run(self, tensors, numbers, real, device):
        """One call: floating-point inputs in this precision, nothing of them the judge's own
        memory."""
        def own(value):
            if real is not None and value.dtype.is_floating_point:
                value = value.to(real)
            return cloned(value.to("cpu" if self.numpy else device))

        inputs = {name: own(value) for name, value in tensors.items()}
        versions = {name: value._version for name, value in inputs.items()}
        arrays = {name: value.numpy() for name, value in inputs.items()} if self.numpy else inputs
        flags = {name: bool(value) for name, value in numbers.items()}
        arguments = [value_of(one, {"tensor": arrays, "scalar": numbers, "flag": flags})
                     for one in self.interface["arguments"]]
        try:
            with torch.no_grad():
                result = self.function(*arguments)
        except Exception as error:
            raise Refused(f"{self.name} raises{self.where()}: {told(error, self.file)}") from None
        results = self.plain(result)
        for name, value in inputs.items():
            changed = value._version != versions[name]
            if not changed and value.numel() <= COMPARED:
                changed = not same_bits(value, own(tensors[name]))
            if changed:
                raise Refused(
                    f"{self.name} changes its input {name}{self.where()}: a call could not be "
                    "repeated on the same inputs. Work on a copy "
                    f"({name}.{'copy' if self.numpy else 'clone'}())"
                )
        self.must_be_new(results, inputs)
        return results

    # ---- what came back

    def plain(self, result):
        several = isinstance(result, (tuple, list))
        self.sequence, results = several, []
        for one in list(result) if several else [result]:
            if self.numpy and is_array(one):
                one = one if hasattr(one, "__array_interface__") and one.ndim else as_tensor(one)
            if (
                torch.is_tensor(one)
                and not self.numpy
                or (self.numpy and (is_array(one) or torch.is_tensor(one)))
            ):
                results.append(one)
                continue
            kind = "an array" if self.numpy else "a tensor"
            raise Refused(
                f"{self.name} returns "
                f"{'a ' + type(result).__name__ + ' with ' if several else ''}a "
                f"{type(one).__module__}.{type(one).__qualname__}{self.where()}; it is to return "
                f"{kind}, or a tuple "
                f"or list of {kind[2:].split()[-1]}s".replace("builtins.", "")
            )
        if not results:
            raise Refused(f"{self.name} returns an empty {type(result).__name__}")
        return results

    def must_be_new(self, results, inputs):
        """Also turns arrays into tensors."""
        places = {memory_of(value): name for name, value in inputs.items()}
        seen = {}
        for index, one in enumerate(results):
            what = f"result {index + 1}" if len(results) > 1 else "its result"
            if is_array(one):
                import numpy

                shared = next(
                    (
                        name
                        for name, value in inputs.items()
                        if numpy.shares_memory(one, value.numpy())
                    ),
                    None,
                )
                one = results[index] = as_tensor(one)
            else:
                if one.layout != torch.strided:
                    raise Refused(
                        f"{self.name} returns a {one.layout} tensor; dense ones can be judged"
                    )
                shared = places.get(memory_of(one))
                if shared is None and memory_of(one) in seen and one.numel():
                    raise Refused(
                        f"{self.name} returns two tensors that share their memory: return copies "
                        "(.clone())"
                    )
                seen[memory_of(one)] = index
            if shared is not None:
                raise Refused(
                    f"{self.name} returns a view{self.where()}: {what} is the memory of its input "
                    f"{shared}, so nothing is computed. If a copy is meant, return one "
                    f"({'.copy()' if self.numpy else '.clone() or .contiguous()'})"
                )
            if one.dtype not in DTYPES.values() and one.dtype != torch.bool:
                raise Refused(
                    f"{self.name} returns a tensor of {one.dtype}, a type that Hone does not know"
                )

    def must_repeat(self, results, again, exact):
        allowed = SAME if exact else SAME_AS_IS
        for one, other in zip(results, again):
            if one.dtype.is_floating_point:
                same = one.shape == other.shape and same_floats(one, other, allowed)
            else:
                same = same_bits(one, other)
            if not same:
                raise Refused(
                    f"{self.name} is not deterministic{self.where()}: two calls on the same inputs "
                    "give different results. A reference draws no random numbers and keeps "
                    "nothing from call to call"
                )

    def must_fit(self, results):
        declared = self.interface.get("outputs", {})
        if declared and len(results) != len(declared):
            raise Refused(
                f"{self.name} returns {len(results)} results{self.where()}, and the task has "
                f"{len(declared)} outputs"
            )
        for (name, dtype), one in zip(declared.items(), results):
            wanted = DTYPES[dtype]
            dims = self.interface.get("shapes", {}).get(name, self.dims.get(name))
            if one.dtype.is_floating_point != wanted.is_floating_point or (
                one.dtype.is_floating_point
                and one.element_size() < torch.empty(0, dtype=wanted).element_size()
            ):
                raise Refused(
                    f"{self.name} returns {one.dtype} for {name}{self.where()}, which is {dtype} "
                    "in the task"
                )
            if dims is not None and list(one.shape) != list(dims):
                raise Refused(
                    f"{self.name} returns {name} with the extents {list(one.shape)}{self.where()}, "
                    f"where task.toml has {list(dims)}"
                )


def same_floats(one, other, allowed):
    finite = torch.isfinite(one)
    if not torch.equal(finite, torch.isfinite(other)):
        return False
    zero = torch.zeros((), dtype=one.dtype, device=one.device)
    truth = torch.where(finite, one, zero).double()
    return (
        truth.numel() == 0 or scaled_errors(torch.where(finite, other, zero), truth)[0] <= allowed
    )


def same_bits(one, other):
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    return torch.equal(
        one.contiguous().view(-1).view(torch.uint8), other.contiguous().view(-1).view(torch.uint8)
    )
