"""A problem in the form of KernelBench (Model, get_inputs, get_init_inputs) as something that can
be asked: its inputs under a seed, its weights, and its outputs for the judge's inputs and weights
in a given precision.

Used by the oracle, by the reference and baselines in a worker, and, for names and shapes, by the
worker that runs a candidate.
"""
import contextlib
import inspect
import sys
import types

import torch

try:
    from torch.utils._python_dispatch import TorchDispatchMode
except ImportError:  # an old torch: a CPU then has no TF32
    TorchDispatchMode = None

from blocks import Refused

# Two draws of the problem's own inputs and weights, to learn their distribution from
PROBE_SEEDS = (20251, 30757)
PRECISIONS = {
    "f64": torch.float64,
    "f32": torch.float32,
    "tf32": torch.float32,
    "default": torch.float32,
}


def set_precision(precision):
    """TF32 off, on, or as torch has it by default. The older switches, since compiled models ask
    those."""
    torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    torch.backends.cudnn.allow_tf32 = precision in ("tf32", "default")


# What runs on tensor cores where TF32 is on.
PRODUCTS = {
    "mm",
    "addmm",
    "bmm",
    "baddbmm",
    "convolution",
    "_convolution",
    "mkldnn_convolution",
    "mkldnn_linear",
}


def rounded_to_tf32(value):
    """To ten bits of mantissa, to the nearest, ties to even."""
    bits = value.contiguous().view(torch.int32)
    return ((bits + 0x0FFF + ((bits >> 13) & 1)) & ~0x1FFF).view(torch.float32)


if TorchDispatchMode is not None:
    class RoundsOperands(TorchDispatchMode):
        """A CPU that has TF32: operands of products and convolutions are rounded to it. What is
        added to a product is not."""

        def __torch_dispatch__(self, function, types, arguments=(), words=None):
            name = function._schema.name.split("::")[-1]
            if name in PRODUCTS:
                added = {"addmm": (0,), "baddbmm": (0,)}.get(name, (2,))
                arguments = [
                    rounded_to_tf32(value)
                    if torch.is_tensor(value)
                    and value.dtype == torch.float32
                    and place not in added
                    else value
                    for place, value in enumerate(arguments)
                ]
            return function(*arguments, **(words or {}))


def with_products_in(precision, device):
    emulated = precision == "tf32" and device == "cpu" and TorchDispatchMode is not None
    return RoundsOperands() if emulated else contextlib.nullcontext()


def load_module(source, name="reference", wanted=("Model", "get_inputs", "get_init_inputs")):
    module = types.ModuleType(name)
    module.__file__ = name + ".py"
    sys.modules[name] = module  # for classes that look up their own module
    exec(compile(source, name + ".py", "exec"), module.__dict__)
    for function in wanted:
        if not callable(getattr(module, function, None)):
            raise Refused(
                f"{name}.py has no {function}: a problem defines Model, get_inputs and "
                "get_init_inputs"
            )
    return module


def on(device):
    """Where tensors that name no device are made: problems of many gigabytes are not drawn by a CPU
    where that can be helped."""
    return (
        torch.device(device)
        if device != "cpu" and hasattr(torch, "set_default_device")
        else contextlib.nullcontext()
    )


def as_list(value, what):
    if not isinstance(value, (list, tuple)):
        raise Refused(f"{what} gives a {type(value).__name__}, not a list")
    return list(value)


def is_float(value):
    return torch.is_tensor(value) and value.dtype.is_floating_point


def lacks_memory(text):
    """Whether an error of torch says so. In a sandbox it fails over the question how much memory
    there is."""
    return "out of memory" in text or "NVML_SUCCESS" in text


def plain_name(name):
    return name.replace(".", "_")


class Problem:
    def __init__(self, source, device="cpu"):
        self.device = device
        self.sequence = False  # whether forward gives a list or tuple, as the last call has shown
        self.module = load_module(source)
        self.model = self.construct(PROBE_SEEDS[0])
        if not isinstance(self.model, torch.nn.Module):
            raise Refused("Model is no torch.nn.Module")
        self.names = list(inspect.signature(type(self.model).forward).parameters)[1:]
        self.kept = {
            (module, name): value.detach().clone() for module, name, value in self.others()
        }
        drawn = self.outline()
        self.shapes = {name: value.shape for name, value in drawn.items() if torch.is_tensor(value)}
        self.bools = {
            name
            for name, value in drawn.items()
            if torch.is_tensor(value) and value.dtype == torch.bool
        }

    # ---- what the problem itself draws

    def placed(self, make):
        """What `make` gives, on the device: made there, or, where it will not have that, on the CPU
        and moved."""
        try:
            with on(self.device):
                return make()
        except (RuntimeError, TypeError, NotImplementedError):
            if self.device == "cpu":
                raise
            return make()

    def construct(self, seed):
        torch.manual_seed(seed)
        model = self.placed(
            lambda: self.module.Model(*as_list(self.module.get_init_inputs(), "get_init_inputs"))
        )
        return model.to(self.device) if isinstance(model, torch.nn.Module) else model

    def named(self, inputs):
        if len(inputs) > len(self.names):
            raise Refused(
                f"get_inputs gives {len(inputs)} values, but forward takes {len(self.names)}"
            )
        return dict(zip(self.names, inputs))

    def draw(self, seed):
        """The problem's own inputs under this seed, by name."""
        torch.manual_seed(seed)
        inputs = self.placed(lambda: as_list(self.module.get_inputs(), "get_inputs"))
        return self.named(
            [value.to(self.device) if torch.is_tensor(value) else value for value in inputs]
        )

    def outline(self):
        """As `draw`, for shapes and types only: without memory where this torch can do that."""
        if hasattr(torch, "set_default_device"):
            with contextlib.suppress(Exception), torch.device("meta"):
                return self.named(as_list(self.module.get_inputs(), "get_inputs"))
        return self.draw(PROBE_SEEDS[0])

    def weights(self, model=None):
        return {plain_name(name): value for name, value in (model or self.model).named_parameters()}

    def own_values(self, seed, names):
        """What the problem itself draws for these inputs and weights under this seed."""
        values = self.draw(seed) if any(name in self.names for name in names) else {}
        if any(name not in values for name in names):
            values.update(
                {name: value.detach() for name, value in self.weights(self.construct(seed)).items()}
            )
        return {name: values[name] for name in names}

    def draw_into(self, seed, views):
        """The same, written into the judge's memory, whose extents may be other but whose elements
        are as many."""
        for name, value in self.own_values(seed, list(views)).items():
            views[name].copy_(value.reshape(views[name].shape))

    def sorted_out(self, given):
        """The judge's tensors and numbers by name as (inputs, weights): in the problem's own
        shapes, truth values as such."""
        inputs = {name: value for name, value in given.items() if name in self.names}
        for name, shape in self.shapes.items():
            if name in inputs:
                inputs[name] = inputs[name].reshape(shape)
                # A view where it can be: contents may come later.
                if name in self.bools:
                    inputs[name] = (
                        inputs[name].view(torch.bool)
                        if inputs[name].dtype == torch.uint8
                        else inputs[name].bool()
                    )
        return inputs, {name: given[name] for name in self.weights() if name in given}

    # ---- state that is no weight: buffers, and tensors that are plain attributes

    def others(self, model=None):
        for path, module in (model or self.model).named_modules():
            for name, value in [*module._buffers.items(), *vars(module).items()]:
                if torch.is_tensor(value):
                    yield path, name, value

    def restore(self, model, real):
        """As the constructor left it, in this precision. What a call changed (running statistics, a
        hidden state) goes."""
        modules = dict(model.named_modules())
        for (path, name), value in self.kept.items():
            value = value.to(
                device=self.device, dtype=real if is_float(value) else value.dtype, copy=True
            )
            if name in modules[path]._buffers:
                modules[path]._buffers[name] = value
            else:
                setattr(modules[path], name, value)

    # ---- calls

    def given(self, inputs, real):
        """The arguments of forward in their order, in this precision."""
        return [inputs[name].to(self.device, real) if is_float(inputs[name]) else
                inputs[name].to(self.device) if torch.is_tensor(inputs[name]) else inputs[name]
                for name in self.names if name in inputs]

    def with_weights(self, weights, real):
        """The model in this precision, with these weights, as if it had just been made."""
        model = self.model.to(device=self.device, dtype=real)
        self.restore(model, real)
        own = self.weights(model)
        with torch.no_grad():
            for name, value in weights.items():
                own[name].copy_(value.reshape(own[name].shape))
        return model

    def call(self, inputs, weights, precision):
        """Outputs for these inputs and weights, both by name."""
        real = PRECISIONS[precision]
        set_precision(precision)
        why = None
        with torch.no_grad():
            try:
                with with_products_in(precision, self.device):
                    result = self.with_weights(weights, real)(*self.given(inputs, real))
            except RuntimeError as error:
                if real != torch.float64 or self.device == "cpu":
                    raise
                why = str(error)
            if why is not None:  # not above: the error keeps what the call had made
                result = self.again_elsewhere(inputs, weights, why)
        self.sequence = isinstance(result, (tuple, list))
        results = list(result) if self.sequence else [result]
        for one in results:
            if not torch.is_tensor(one):
                raise Refused(f"forward gives a {type(one).__name__}, not a tensor")
        return results

    def again_elsewhere(self, inputs, weights, why):
        """In double precision a library may lack an algorithm, or want more memory than there is:
        torch's own kernels then, and if they cannot either, the CPU."""
        torch.cuda.empty_cache()
        try:
            with torch.backends.cudnn.flags(enabled=False):
                return self.with_weights(weights, torch.float64)(*self.given(inputs, torch.float64))
        except RuntimeError as error:
            if not (lacks_memory(str(error)) or lacks_memory(why)):
                raise
        device, self.device = self.device, "cpu"
        try:
            self.model.to("cpu")
            torch.cuda.empty_cache()
            return self.with_weights(weights, torch.float64)(*self.given(inputs, torch.float64))
        finally:
            self.device = device
            self.model.to(device)
