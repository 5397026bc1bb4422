"""A problem in the form of GPU MODE (generate_input, ref_kernel, check_implementation in
reference.py) as something that can be asked, with the same questions as a problem of KernelBench
has (problem.py) and one more: what its own check says.

Its files lie in one flat folder, as its official evaluator has them. Values pass between the judge
and it as named tensors and numbers; the problem itself sees what its own generate_input gives
(nested.py).
"""
import copy
import importlib
import math
import os
import random
import sys
import tempfile

import torch

from blocks import DTYPES, Refused
from describe import variant_of
from nested import Flattened, from_memory, places_of, rebuilt, to_memory
from problem import PROBE_SEEDS, set_precision

WANTED = ("generate_input", "ref_kernel", "check_implementation")
LARGEST_SEED = 0x7FFFFFFF  # generators differ in how large a seed they take, and problems add to it


def import_flat(files, name):
    """The module of that name, in a folder of its own with these files, which find each other and
    nothing of Hone's."""
    folder = tempfile.mkdtemp(prefix="problem-")
    for file, text in files.items():
        with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
            out.write(text)
        sys.modules.pop(file.removesuffix(".py"), None)
    sys.path.insert(0, folder)
    return importlib.import_module(name)


def cloned(value):
    """A copy with the same strides, where its elements have each a place of their own: problems may
    rely on them."""
    if 0 in value.stride():
        return value.clone()
    return torch.empty_strided(
        value.shape, value.stride(), dtype=value.dtype, device=value.device
    ).copy_(value)


def said_by(result):
    """check_implementation gives (good, text), or a text or list of complaints that is empty if all
    is well, or a bool."""
    if isinstance(result, tuple) and len(result) == 2:
        return bool(result[0]), str(result[1])
    if isinstance(result, bool) or torch.is_tensor(result):
        return bool(result), ""
    if result is None or isinstance(result, (str, list)):
        return not result, result if isinstance(result, str) else " ".join(map(str, result or []))
    raise Refused(
        f"check_implementation gives a {type(result).__name__}; it gives (good, text) or a text"
    )


class GpuModeProblem:
    """`cases`: the arguments of generate_input by the case's name. `buffers`: the tensors inside
    the input that are there to be written. `double`: whether the reference can be run in double
    precision. `output`: code and facts of what it gives. `tests` and `benchmarks`: names of cases.
    `orders`: of dimensions in memory, where they have been agreed on."""

    def __init__(
        self,
        files,
        cases,
        device="cpu",
        buffers=(),
        double=False,
        output=None,
        tests=(),
        benchmarks=(),
        orders=None,
        **_,
    ):
        if "reference.py" not in files:
            raise Refused("there is no reference.py among its files")
        self.cases, self.device = cases, device
        self.buffers, self.double = set(buffers), double
        self.output = output
        self.tests, self.benchmarks, self.orders = list(tests), list(benchmarks), orders or {}
        self.module = import_flat(files, "reference")
        for name in WANTED:
            if not callable(getattr(self.module, name, None)):
                raise Refused(
                    f"reference.py has no {name}: a problem defines {', '.join(WANTED[:2])} and "
                    f"{WANTED[2]}"
                )
        self.outlines, self.case = {}, None
        # What was drawn, by case and seed, and how many bytes of it may stay
        self.kept, self.most_kept = {}, 0

    def choose(self, case):
        if case not in self.cases:
            raise Refused(f"there is no case {case}")
        self.case = case

    # ---- what the problem draws

    def generate(self, seed):
        """What generate_input gives for the case, under this seed instead of the public one."""
        seed %= LARGEST_SEED
        random.seed(seed)
        torch.manual_seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed)
        arguments = dict(self.cases[self.case])
        if "seed" in arguments:
            arguments["seed"] = seed
        try:
            return self.module.generate_input(**arguments)
        except TypeError as error:
            if "generate_input()" in str(error):
                raise Refused(
                    f"{error}: the tests and benchmarks in task.yml name its arguments"
                ) from error
            raise

    def drawn(self, seed):
        """The same in parts. Only contents may depend on the seed. Nothing changes them: they may
        be given again."""
        key = (self.case, seed)
        if key not in self.kept:
            flat = self.drawn_now(seed)
            size = sum(value.numel() * value.element_size() for value in flat.tensors.values())
            if size > self.most_kept:
                return flat
            while self.kept and size + sum(one for _, one in self.kept.values()) > self.most_kept:
                self.kept.pop(next(iter(self.kept)))
            self.kept[key] = (flat, size)
        return self.kept[key][0]

    def drawn_now(self, seed):
        flat = Flattened(self.generate(seed), "in", "generate_input", "in_0")
        for name, order in self.orders.items():
            flat.facts[name]["order"] = order
        shapes = {name: tuple(value.shape) for name, value in flat.tensors.items()}
        outline = (flat.code, copy.deepcopy(flat.facts), shapes, flat.integers, flat.numbers)
        known = self.outlines.setdefault(self.case, outline)
        if outline != known:
            raise Refused(
                f"in case {self.case} more than the contents of what generate_input gives depends "
                f"on the random numbers: {difference(known, outline)}"
            )
        return flat

    def outline(self):
        """Code, facts, shapes, integers and numbers of the case's input."""
        if self.case not in self.outlines:
            self.drawn(PROBE_SEEDS[0])
        return self.outlines[self.case]

    def draw_into(self, seed, views, variant="plain", varied=()):
        """The problem's own inputs, written into the judge's memory; those of `varied` as the
        variant has them."""
        flat = self.drawn(seed)
        for name, view in views.items():
            value = flat.tensors[name]
            if name in varied:
                value = variant_of(value, variant).to(value.dtype)
            view.reshape(-1).copy_(to_memory(value, flat.facts[name]["order"]))

    # ---- calls

    def data(self, given, real=None):
        """What generate_input would have given, of the judge's tensors. Nothing of it is the
        judge's own memory."""
        code, facts, shapes, integers, numbers = self.outline()
        tensors = {}
        for name, shape in shapes.items():
            if name in self.buffers:
                flat = torch.zeros(
                    math.prod(shape), dtype=DTYPES[facts[name]["dtype"]], device=self.device
                )
            else:
                flat = given[name].reshape(-1).to(self.device)
            value = cloned(from_memory(flat, facts[name], shape))
            tensors[name] = (
                value.to(real) if real is not None and value.dtype.is_floating_point else value
            )
        return rebuilt(code, places_of(tensors, integers, numbers))

    def sorted_out(self, given):
        return given, {}

    def answers(self, data):
        """What the reference makes of it, in parts."""
        with torch.no_grad():
            flat = Flattened(self.module.ref_kernel(data), "y", "ref_kernel", "y")
        for name, facts in flat.facts.items():  # whose strides do not matter
            facts["order"] = sorted(facts["order"])
        (kind, content), = flat.code.items()
        parts = content if kind in ("tuple", "list") else [flat.code]
        if not parts or any(list(one) != ["tensor"] for one in parts):
            raise Refused(
                "ref_kernel gives something else than a tensor, or a tuple or list of tensors"
            )
        return flat

    def call(self, given, weights, precision):
        """Outputs for these inputs: of the reference in double precision where it can do that,
        otherwise as it is."""
        set_precision("f32")
        real = torch.float64 if precision == "f64" and self.double else None
        flat = self.answers(self.data(given, real))
        return [
            to_memory(value, self.output["facts"][name]["order"])
            for name, value in flat.tensors.items()
        ]

    def verdict(self, data, output):
        set_precision("f32")
        with torch.no_grad():
            return said_by(self.module.check_implementation(data, output))

    def check(self, given, outputs, shapes):
        """What the problem's own check says of these outputs, (good, text): bytes that the judge
        read, and their extents in the order in which they lie in memory."""
        tensors = {}
        for name, facts in self.output["facts"].items():
            shape = [shapes[name][facts["order"].index(d)] for d in range(len(facts["order"]))]
            tensors[name] = cloned(
                from_memory(outputs[name].reshape(-1).to(self.device), facts, shape)
            )
        return self.verdict(self.data(given), rebuilt(self.output["code"], {"tensor": tensors}))


def difference(known, other):
    for what, one, two in zip(("the shape of", "the number", "the number"), known[2:], other[2:]):
        for name in {**one, **two}:
            if one.get(name) != two.get(name):
                return f"{what} {name}"
    return "its form"
