"""What a function takes on its example inputs, and other sizes of them."""
import inspect
import math
import typing

import torch

from blocks import NAMES, Refused
from describe import distribution, finite, sample
from function import as_tensor, function_named, is_array
from function_extents import evaluated
from gpumode_describe import wide_float
from nested import Flattened
from problem import PROBE_SEEDS

PROBED = 1 << 22  # elements of the inputs up to which another size is tried
PINNED = 4  # symbols this small stay as they are: a number of channels or taps, not a size
# Sizes that find a forgotten tail, for several symbols different ones, so that exchanged dimensions
# show.
ODD, PRIME = (37, 61, 29, 53, 23, 45, 19, 43), (257, 127, 67, 31, 17, 13, 11, 7)
ODD_ALONE, PRIME_ALONE = 999, 10007  # of a task with one symbol
OTHERS = (24, 40, 12, 6)  # where a function asks for multiples of something
MOST_SYMBOLS = 32


# ---- what it takes

def plain_values(value):
    """The same with arrays as tensors; whether there were any."""
    if is_array(value):
        return (as_tensor(value), True) if getattr(value, "ndim", 0) else (value.item(), False)
    if isinstance(value, dict):
        parts = {key: plain_values(one) for key, one in value.items()}
        return {key: one for key, (one, _) in parts.items()}, any(
            flag for _, flag in parts.values()
        )
    if isinstance(value, (tuple, list)):
        parts = [plain_values(one) for one in value]
        return type(value)(one for one, _ in parts) if type(value) in (tuple, list) else tuple(
            one for one, _ in parts
        ), any(flag for _, flag in parts)
    return value, False


class Parts(Flattened):
    """Arguments in parts: `codes` is how each is put together again."""

    def __init__(self, named, what):
        super().__init__(None, "", what, "")
        self.codes = [self.walk(value, name) for name, value in named]
        for name in [*self.tensors, *self.integers, *self.numbers]:
            if not name.isidentifier():
                raise Refused(
                    f"{what} gives something called {name}, which cannot be a tensor's name"
                )

    def walk(self, value, path):
        # Truth values change what is computed, and are no size: they stand in the call as they are.
        return {"value": value} if type(value) is bool else super().walk(value, path)


def parts_of(problem, value):
    """What the function of example inputs gave, by the names that the reference has for its
    arguments."""
    value, arrays = plain_values(value)
    if not hasattr(problem, "arrays"):
        problem.arrays = arrays
    signature = inspect.signature(problem.function).parameters
    positional = [
        name
        for name, one in signature.items()
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    if isinstance(value, dict) and all(name in signature for name in value):
        names = positional[:len(value)]
        if set(names) != set(value):
            raise Refused(
                f"{problem.inputs} gives {', '.join(value)}, which are not the first arguments of "
                f"{problem.name} ({', '.join(positional)})"
            )
        named = [(name, value[name]) for name in names]
    else:
        given = list(value) if isinstance(value, (tuple, list)) else [value]
        rest = any(one.kind == one.VAR_POSITIONAL for one in signature.values())
        needed = [name for name in positional if signature[name].default is inspect.Parameter.empty]
        if len(given) < len(needed) or (len(given) > len(positional) and not rest):
            raise Refused(
                f"{problem.inputs} gives {len(given)} values, and {problem.name} takes "
                f"{len(positional)} ({', '.join(positional)})"
            )
        named = list(
            zip([*positional, *(f"in_{i}" for i in range(len(positional), len(given)))], given)
        )
    parts = Parts(named, problem.inputs)
    if not parts.tensors:
        raise Refused(
            f"{problem.inputs} gives no tensor: without one the answer would never change"
        )
    return parts


class Sizes:
    """The symbols of a case, and inputs for other values of them. With parameters of the function
    of example inputs they are these; otherwise one for each extent that the example has, equal ones
    being the same."""

    def __init__(self, problem):
        self.problem = problem
        known = inspect.signature(function_named(problem.module, problem.inputs)).parameters
        unusable = [
            name for name, one in known.items() if type(one.default) is not int or one.default < 1
        ]
        if unusable:
            raise Refused(
                f"the parameter {unusable[0]} of {problem.inputs} has no size as its default: its "
                "parameters are the symbols of a case, as in `def example_inputs(rows=4096, "
                "cols=1000)`"
            )
        self.by_parameters = bool(known)
        self.first = parts_of(problem, problem.example(PROBE_SEEDS[0]))
        self.second = parts_of(problem, problem.example(PROBE_SEEDS[1]))
        if outline(self.first) != outline(self.second):
            raise Refused(
                f"{problem.inputs} gives other shapes, types or numbers each time it is called; "
                "only the contents of its tensors may differ"
            )
        self.default = (
            {name: one.default for name, one in known.items()} if known else self.extents()
        )
        if len(self.default) > MOST_SYMBOLS:
            raise Refused(
                f"the example inputs have {len(self.default)} different extents; {MOST_SYMBOLS} is "
                "the most"
            )
        self.notes = []
        self.draws = {name: self.draw_of(name) for name in self.first.tensors}
        self.pinned = {name for name, value in self.default.items() if value <= PINNED}
        if not self.by_parameters:  # what only the example draws has the example's size
            self.pinned |= {
                self.symbol_of(extent)
                for name, draw in self.draws.items()
                if draw["kind"] == "problem"
                for extent in self.first.tensors[name].shape
                if extent > 1
            }

    def extents(self):
        symbols = {}
        for name, value in self.first.tensors.items():
            for d, extent in enumerate(value.shape):
                if extent > 1 and extent not in symbols.values():
                    symbols[f"{name}_{d}"] = extent
        return symbols or {"one": 1}

    def symbol_of(self, extent):
        return next(name for name, value in self.default.items() if value == extent)

    def draw_of(self, name):
        one, other = self.first.tensors[name], self.second.tensors[name]
        if one.dtype == torch.bool or not (wide_float(one) or one.dtype in NAMES):
            return {"kind": "problem", "why": f"it is of {one.dtype}"}
        draw = distribution(name, one, other, False)
        if draw["kind"] in ("uniform", "normal"):
            return snapped(draw, torch.cat([sample(one), sample(other)]))
        # With parameters other sizes show what they are
        if draw["kind"] == "integers" and not self.by_parameters:
            bound = next(
                (
                    symbol
                    for symbol, value in self.default.items()
                    if value > 16 and draw["low"] >= 0 and 0.97 * value <= draw["high"] + 1 <= value
                ),
                None,
            )
            if bound is not None:
                self.notes.append(
                    f"{name} is drawn from {draw['low']} to {bound} - 1, since the example's "
                    f"values look like indices below {self.default[bound]}"
                )
                return {**draw, "high": f"{bound} - 1"}
        return draw

    def parts(self, sizes, seed=PROBE_SEEDS[0]):
        """Inputs of these sizes."""
        if sizes == self.default and seed in PROBE_SEEDS:
            return self.first if seed == PROBE_SEEDS[0] else self.second
        if self.by_parameters:
            self.problem.case = ", ".join(f"{name} = {value}" for name, value in sizes.items())
            try:
                return parts_of(self.problem, self.problem.example(seed, sizes))
            finally:
                self.problem.case = ""
        torch.manual_seed(seed)
        made = parts_of(self.problem, self.problem.example(seed))
        for name, value in made.tensors.items():
            if self.draws[name]["kind"] != "problem":
                order = made.facts[name]["order"]
                shape = [
                    sizes[self.symbol_of(extent)] if extent > 1 else 1 for extent in value.shape
                ]
                drawn = drawn_like(self.draws[name], [shape[d] for d in order], value, sizes)
                made.tensors[name] = drawn.permute([order.index(d) for d in range(len(order))])
        for name, value in made.integers.items():
            expression = self.integer_text(name, value)
            made.integers[name] = value if expression is None else evaluated(expression, sizes)
        return made

    def integer_text(self, name, value):
        """A number that the example has beside its tensors, as an expression where it is plainly a
        size of theirs."""
        if value <= PINNED:
            return None
        if value in self.default.values():
            return self.symbol_of(value)
        for tensor in self.first.tensors.values():
            if tensor.dim() > 1 and tensor.numel() == value:
                return " * ".join(self.symbol_of(extent) for extent in tensor.shape if extent > 1)
        return None


def outline(parts):
    return (
        parts.codes,
        {name: (tuple(value.shape), parts.facts[name]) for name, value in parts.tensors.items()},
        parts.integers,
        parts.numbers,
    )


def drawn_like(draw, shape, value, sizes):
    if draw["kind"] == "integers":
        high = evaluated(str(draw["high"]), sizes)
        return torch.randint(
            draw["low"], max(draw["low"], high) + 1, shape, device=value.device
        ).to(value.dtype)
    made = (
        torch.randn(shape, device=value.device, dtype=torch.float64)
        if draw["kind"] == "normal"
        else torch.rand(shape, device=value.device, dtype=torch.float64)
    )
    scale = draw["b"] if draw["kind"] == "normal" else draw["b"] - draw["a"]
    return (made * scale + draw["a"]).to(value.dtype)


def snapped(draw, values):
    """The same with the round numbers that were meant, where so many values cannot tell them
    apart."""
    count = values.numel()
    if draw["kind"] == "normal":
        noise = draw["b"] / math.sqrt(count)
        return {**draw, "a": near(draw["a"], 4 * noise), "b": near(draw["b"], 4 * noise)}
    gap = 8 * (draw["b"] - draw["a"]) / count
    return {**draw, "a": near(draw["a"], gap), "b": near(draw["b"], gap)}


def near(value, slack):
    for digits in range(1, 4):
        rounded = float(f"{value:.{digits}g}")
        if abs(value) <= slack:
            return 0.0
        if abs(rounded - value) <= slack:
            return rounded
    return float(f"{value:.4g}")


# ---- other sizes

def elements_of(parts):
    return sum(value.numel() for value in parts.tensors.values())


class Run(typing.NamedTuple):
    """What is known of one call: symbols, extents of inputs by name and of outputs, numbers."""
    sizes: dict
    inputs: dict
    outputs: list
    integers: dict


class Prober:
    """Runs the reference at sizes, and keeps what is learnt of them."""

    def __init__(self, problem, sizes):
        self.problem, self.sizes, self.runs = problem, sizes, []

    def run(self, chosen):
        """Inputs and outputs at these sizes."""
        parts = self.sizes.parts(chosen)
        if parts.codes != self.sizes.first.codes:
            raise Refused(f"{self.problem.inputs} gives other things at other sizes")
        results = self.problem.results(parts.tensors, {**parts.integers, **parts.numbers}, False)
        if any(value.numel() == 0 for value in results):
            raise Refused(f"{self.problem.name} returns a tensor without elements")
        return parts, results

    def works(self, chosen):
        try:
            parts, results = self.run(chosen)
            if elements_of(parts) > PROBED or not finite(results):
                return False
        except Exception:  # the user's function, asked for sizes that it was not written for
            return False
        self.keep(chosen, parts, results)
        return True

    def keep(self, chosen, parts, results):
        if any(run.sizes == chosen for run in self.runs):
            return
        if any(parts.integers.get(name, value) != value for name, value in chosen.items()):
            raise Refused(
                f"a parameter of {self.problem.inputs} and a number that it gives have one name "
                "and different values"
            )
        self.runs.append(
            Run(
                dict(chosen),
                {name: list(value.shape) for name, value in parts.tensors.items()},
                [list(value.shape) for value in results],
                dict(parts.integers),
            )
        )

    def index_of(self, chosen):
        return next(index for index, run in enumerate(self.runs) if run.sizes == chosen)

    def proposal(self, wanted):
        """As many symbols as possible at what is wanted of them; the others at what is near to it,
        or at their own."""
        free = [name for name in self.sizes.default if name not in self.sizes.pinned]
        wanted = dict(zip(free, wanted))
        chosen = {**self.sizes.default, **wanted}
        if not free or self.works(chosen):
            return chosen if free else None
        chosen = dict(self.sizes.default)
        for name in free:
            for value in dict.fromkeys((wanted[name], *OTHERS)):
                if value < self.sizes.default[name] and self.works_small({**chosen, name: value}):
                    chosen[name] = value
                    break
        return chosen if chosen != self.sizes.default and self.works(chosen) else None

    def works_small(self, chosen):
        """As `works`, while the other symbols may still be too large to be tried: then it is tried
        all the same."""
        try:
            return finite(self.run(chosen)[1])
        except Exception:
            return False
