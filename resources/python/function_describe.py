"""What `hone task new --from` is told of a function of torch or NumPy: which one it is, what it takes and gives on the
example inputs, how these are distributed, other sizes that it can do, extents as expressions over the symbols of a case,
and how far off its single precision is. The user edits what is written of that; nothing here judges."""
import ast
import inspect
import itertools
import math
import typing

import torch

from blocks import NAMES, Refused
from describe import distribution, finite, sample, scaled_errors, variant_of
from function import FunctionProblem, NAMES_OF_INPUTS, as_tensor, function_named, is_array
from gpumode_describe import is_independent, wide_float
from nested import Flattened
from problem import PROBE_SEEDS

PROBED = 1 << 22  # elements of the inputs up to which another size is tried
PINNED = 4  # symbols this small stay as they are: a number of channels or taps, not a size
# Sizes that find a forgotten tail, for several symbols different ones, so that exchanged dimensions show.
ODD, PRIME = (37, 61, 29, 53, 23, 45, 19, 43), (257, 127, 67, 31, 17, 13, 11, 7)
ODD_ALONE, PRIME_ALONE = 999, 10007  # of a task with one symbol
OTHERS = (24, 40, 12, 6)  # where a function asks for multiples of something
MOST_SYMBOLS = 32
VARIANTS = ("shifted", "flipped", "heavy", "large")
LARGEST_ERROR = 1e-3  # of single precision, beyond which a variant is outside of what the function is for


# ---- which function

def functions_in(source, file):
    """Functions at the top of a file by name, and whether each is device code of Triton's."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise Refused(f"{file} is no Python: {error.msg} in line {error.lineno}") from None
    found = {}
    for one in tree.body:
        if isinstance(one, ast.FunctionDef):
            words = " ".join(ast.dump(decorator) for decorator in one.decorator_list)
            found[one.name] = any(f"'{word}'" in words for word in ("jit", "autotune", "heuristics"))
    return found


def uses_triton(source):
    return any(isinstance(one, ast.Import) and any(name.name.split(".")[0] == "triton" for name in one.names) or
               isinstance(one, ast.ImportFrom) and (one.module or "").split(".")[0] == "triton"
               for one in ast.walk(ast.parse(source)))


def choose_function(source, file, wanted, preferred, option):
    """The function that is meant: the one that was named, else one with a name that is preferred, else the only one."""
    all_functions = functions_in(source, file)
    if wanted and all_functions.get(wanted):
        raise Refused(f"{wanted} in {file} is a kernel of Triton's: name the function that launches it, which takes tensors "
                      "and returns tensors")
    public = [name for name, kernel in all_functions.items()
              if not kernel and not name.startswith("_") and name not in NAMES_OF_INPUTS]
    if wanted:
        if wanted not in all_functions:
            raise Refused(f"{file} defines no function {wanted}; it has {', '.join(public) or 'none'}")
        return wanted
    for name in preferred:
        if name in public:
            return name
    if len(public) == 1:
        return public[0]
    raise Refused(f"{file} has {'several functions (' + ', '.join(public) + ')' if public else 'no function'} that could be "
                  f"meant: name one with {option} {file}:NAME")


def choose_functions(question):
    """The reference's function, and the candidates' (None where the kernel is no Python)."""
    kernel, file = question.get("kernel"), question.get("kernel_file", "kernel.py")
    wanted, own = question.get("reference_function", ""), question["source"] == kernel
    entry = None
    if kernel is not None:
        others = [name for name in functions_in(question["source"], question["file"])] if not own else []
        entry = choose_function(kernel, file, question.get("entry", ""),
                                [name for name in [wanted, *others] if name and name != "reference"], "--from") \
            if not own or question.get("entry") else entry_beside_reference(kernel, file)
    if own and not wanted:
        if "reference" in functions_in(kernel, file):
            return "reference", entry
        if uses_triton(kernel):
            raise Refused(f"{file} uses Triton, which computes on a GPU and in one precision only, so {entry} cannot be its own "
                          "reference: write the same in torch or NumPy, in a file for --reference or as "
                          f"`def reference(...)` in {file}")
        return entry, entry
    return choose_function(question["source"], question["file"], wanted,
                           ["reference", *([entry] if entry else [])], "--reference"), entry


def entry_beside_reference(kernel, file):
    names = [name for name, device in functions_in(kernel, file).items() if not device and name != "reference"
             and not name.startswith("_") and name not in NAMES_OF_INPUTS]
    return names[0] if len(names) == 1 else choose_function(kernel, file, "", [], "--from")


def choose_inputs(module):
    for name in NAMES_OF_INPUTS:
        if callable(getattr(module, name, None)):
            return name
    raise Refused("there are no example inputs: define `def example_inputs(): return torch.randn(4096, 1000)` in it (a "
                  "tuple where there are several; with sizes as parameters, `def example_inputs(n=4096)`, it can draw any "
                  "size), or give --example 'torch.randn(4096, 1000)'")


# ---- what it takes

def plain_values(value):
    """The same with arrays as tensors; whether there were any."""
    if is_array(value):
        return (as_tensor(value), True) if getattr(value, "ndim", 0) else (value.item(), False)
    if isinstance(value, dict):
        parts = {key: plain_values(one) for key, one in value.items()}
        return {key: one for key, (one, _) in parts.items()}, any(flag for _, flag in parts.values())
    if isinstance(value, (tuple, list)):
        parts = [plain_values(one) for one in value]
        return type(value)(one for one, _ in parts) if type(value) in (tuple, list) else tuple(one for one, _ in parts), \
            any(flag for _, flag in parts)
    return value, False


class Parts(Flattened):
    """Arguments in parts: `codes` is how each is put together again."""

    def __init__(self, named, what):
        super().__init__(None, "", what, "")
        self.codes = [self.walk(value, name) for name, value in named]
        for name in [*self.tensors, *self.integers, *self.numbers]:
            if not name.isidentifier():
                raise Refused(f"{what} gives something called {name}, which cannot be a tensor's name")

    def walk(self, value, path):
        # Truth values change what is computed, and are no size: they stand in the call as they are.
        return {"value": value} if type(value) is bool else super().walk(value, path)


def parts_of(problem, value):
    """What the function of example inputs gave, by the names that the reference has for its arguments."""
    value, arrays = plain_values(value)
    if not hasattr(problem, "arrays"):
        problem.arrays = arrays
    signature = inspect.signature(problem.function).parameters
    positional = [name for name, one in signature.items() if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    if isinstance(value, dict) and all(name in signature for name in value):
        names = positional[:len(value)]
        if set(names) != set(value):
            raise Refused(f"{problem.inputs} gives {', '.join(value)}, which are not the first arguments of {problem.name} "
                          f"({', '.join(positional)})")
        named = [(name, value[name]) for name in names]
    else:
        given = list(value) if isinstance(value, (tuple, list)) else [value]
        rest = any(one.kind == one.VAR_POSITIONAL for one in signature.values())
        needed = [name for name in positional if signature[name].default is inspect.Parameter.empty]
        if len(given) < len(needed) or (len(given) > len(positional) and not rest):
            raise Refused(f"{problem.inputs} gives {len(given)} values, and {problem.name} takes {len(positional)} "
                          f"({', '.join(positional)})")
        named = list(zip([*positional, *(f"in_{i}" for i in range(len(positional), len(given)))], given))
    parts = Parts(named, problem.inputs)
    if not parts.tensors:
        raise Refused(f"{problem.inputs} gives no tensor: without one the answer would never change")
    return parts


class Sizes:
    """The symbols of a case, and inputs for other values of them. With parameters of the function of example inputs they
    are these; otherwise one for each extent that the example has, equal ones being the same."""

    def __init__(self, problem):
        self.problem = problem
        known = inspect.signature(function_named(problem.module, problem.inputs)).parameters
        unusable = [name for name, one in known.items() if type(one.default) is not int or one.default < 1]
        if unusable:
            raise Refused(f"the parameter {unusable[0]} of {problem.inputs} has no size as its default: its parameters are the "
                          "symbols of a case, as in `def example_inputs(rows=4096, cols=1000)`")
        self.by_parameters = bool(known)
        self.first = parts_of(problem, problem.example(PROBE_SEEDS[0]))
        self.second = parts_of(problem, problem.example(PROBE_SEEDS[1]))
        if outline(self.first) != outline(self.second):
            raise Refused(f"{problem.inputs} gives other shapes, types or numbers each time it is called; only the contents "
                          "of its tensors may differ")
        self.default = {name: one.default for name, one in known.items()} if known else self.extents()
        if len(self.default) > MOST_SYMBOLS:
            raise Refused(f"the example inputs have {len(self.default)} different extents; {MOST_SYMBOLS} is the most")
        self.notes = []
        self.draws = {name: self.draw_of(name) for name in self.first.tensors}
        self.pinned = {name for name, value in self.default.items() if value <= PINNED}
        if not self.by_parameters:  # what only the example draws has the example's size
            self.pinned |= {self.symbol_of(extent) for name, draw in self.draws.items() if draw["kind"] == "problem"
                            for extent in self.first.tensors[name].shape if extent > 1}

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
        if draw["kind"] == "integers" and not self.by_parameters:  # with parameters other sizes show what they are
            bound = next((symbol for symbol, value in self.default.items()
                          if value > 16 and draw["low"] >= 0 and 0.97 * value <= draw["high"] + 1 <= value), None)
            if bound is not None:
                self.notes.append(f"{name} is drawn from {draw['low']} to {bound} - 1, since the example's values look like "
                                  f"indices below {self.default[bound]}")
                return {**draw, "high": f"{bound} - 1"}
        return draw

    def parts(self, sizes, seed=PROBE_SEEDS[0]):
        """Inputs of these sizes."""
        if sizes == self.default:
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
                shape = [sizes[self.symbol_of(extent)] if extent > 1 else 1 for extent in value.shape]
                drawn = drawn_like(self.draws[name], [shape[d] for d in order], value, sizes)
                made.tensors[name] = drawn.permute([order.index(d) for d in range(len(order))])
        for name, value in made.integers.items():
            expression = self.integer_text(name, value)
            made.integers[name] = value if expression is None else evaluated(expression, sizes)
        return made

    def integer_text(self, name, value):
        """A number that the example has beside its tensors, as an expression where it is plainly a size of theirs."""
        if value <= PINNED:
            return None
        if value in self.default.values():
            return self.symbol_of(value)
        for tensor in self.first.tensors.values():
            if tensor.dim() > 1 and tensor.numel() == value:
                return " * ".join(self.symbol_of(extent) for extent in tensor.shape if extent > 1)
        return None


def outline(parts):
    return parts.codes, {name: (tuple(value.shape), parts.facts[name]) for name, value in parts.tensors.items()}, \
        parts.integers, parts.numbers


def drawn_like(draw, shape, value, sizes):
    if draw["kind"] == "integers":
        high = evaluated(str(draw["high"]), sizes)
        return torch.randint(draw["low"], max(draw["low"], high) + 1, shape, device=value.device).to(value.dtype)
    made = torch.randn(shape, device=value.device, dtype=torch.float64) if draw["kind"] == "normal" else \
        torch.rand(shape, device=value.device, dtype=torch.float64)
    scale = draw["b"] if draw["kind"] == "normal" else draw["b"] - draw["a"]
    return (made * scale + draw["a"]).to(value.dtype)


def snapped(draw, values):
    """The same with the round numbers that were meant, where so many values cannot tell them apart."""
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

def evaluated(expression, sizes):
    return int(eval(expression.replace("/", "//"), {"__builtins__": {}}, dict(sizes)))


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
        except Exception:  # somebody's function, asked for sizes that it was not written for
            return False
        self.keep(chosen, parts, results)
        return True

    def keep(self, chosen, parts, results):
        if any(run.sizes == chosen for run in self.runs):
            return
        if any(parts.integers.get(name, value) != value for name, value in chosen.items()):
            raise Refused(f"a parameter of {self.problem.inputs} and a number that it gives have one name and different values")
        self.runs.append(Run(dict(chosen), {name: list(value.shape) for name, value in parts.tensors.items()},
                             [list(value.shape) for value in results], dict(parts.integers)))

    def proposal(self, wanted):
        """As many symbols as possible at what is wanted of them; the others at what is near to it, or at their own."""
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
        """As `works`, while the other symbols may still be too large to be tried: then it is tried all the same."""
        try:
            return finite(self.run(chosen)[1])
        except Exception:
            return False


# ---- extents as expressions

def expression_for(values, runs):
    """An expression over the symbols that has these values in the runs, or None."""
    symbols = list(runs[0])

    def fits(text):
        return all(evaluated(text, sizes) == value for sizes, value in zip(runs, values))

    first = values[0]
    if first > 1:
        for name in symbols:
            if fits(name):
                return name
    if all(value == first for value in values):
        return first
    forms = []
    for name in symbols:
        size = runs[0][name]
        forms += [f"{name} + {first - size}" if first > size else f"{name} - {size - first}"]
        forms += [f"{first // size} * {name}"] if first % size == 0 else []
        forms += [f"{name} / {size // first}", f"({name} + {size // first - 1}) / {size // first}"] if size >= 2 * first else []
    for one, other in itertools.combinations(symbols, 2):
        a, b = runs[0][one], runs[0][other]
        forms += [f"{one} + {other}", f"{one} * {other}", f"{one} - {other}", f"{other} - {one}"]
        forms += [f"{one} - {other} + {first - a + b}"] if first > a - b else []
        forms += [f"{one} * {other} / {a * b // first}"] if first and a * b % first == 0 and a * b > first else []
        forms += [f"{first // (a * b)} * {one} * {other}"] if first % (a * b) == 0 and first > a * b else []
    return next((text for text in forms if fits(text)), None)


class Extents:
    """Shapes of named tensors as lists of numbers and expressions. What is none gets a symbol of its own in every case."""

    def __init__(self, runs):
        self.runs, self.own = [run.sizes for run in runs], {}

    def shape(self, name, shapes):
        """`shapes`: in each run."""
        if len({len(shape) for shape in shapes}) > 1:
            raise Refused(f"{name} has another number of dimensions at another size")
        found = []
        for d in range(len(shapes[0])):
            values = [shape[d] for shape in shapes]
            text = expression_for(values, self.runs)
            if text is None:
                text = f"{name}_{d}"
                self.own[text] = values
            found.append(text)
        return found

    def bindings(self, index):
        return {**self.runs[index], **{name: values[index] for name, values in self.own.items()}}


# ---- how far off it is

def errors_between(single, exact):
    return [scaled_errors(a.double(), t.double()) if t.dtype.is_floating_point else (0.0, 0.0)
            for a, t in zip(single, exact)]


def in_double(problem, parts, notes):
    """Results in double precision, or None, with a note, where it cannot do that."""
    numbers = {**parts.integers, **parts.numbers}
    plain = problem.results(parts.tensors, numbers, False)
    try:
        exact = problem.results(parts.tensors, numbers, True)
        if not finite(exact):
            why = "its numbers are not finite there"
        elif [tuple(value.shape) for value in exact] != [tuple(value.shape) for value in plain]:
            why = "it gives other shapes there"
        elif any(rms > 0.05 for _, rms in errors_between(plain, exact)):
            why = "it computes something else there"
        else:
            return plain, exact
    except Refused as refused:
        why = str(refused).strip().splitlines()[-1][:200]
    notes.append(f"{problem.name} does not run in double precision ({why}): results are held against it as it is, and a "
                 "narrower precision than its own is not noticed")
    return plain, None


def bearable(problem, parts, plain_errors, changeable):
    """Variants of the inputs that the function can do as well, and the worst error of each output."""
    found, worst = [], plain_errors
    limit = max(4 * max((rms for _, rms in plain_errors), default=0.0), LARGEST_ERROR)
    numbers = {**parts.integers, **parts.numbers}
    for variant in VARIANTS if changeable else ():
        changed = {name: variant_of(value, variant).to(value.dtype) if name in changeable else value
                   for name, value in parts.tensors.items()}
        try:
            exact = problem.results(changed, numbers, True)
            single = problem.results(changed, numbers, False)
        except Refused:
            continue
        if not finite(exact) or not finite(single):
            continue
        errors = errors_between(single, exact)
        if max((rms for _, rms in errors), default=0.0) <= limit:
            found.append(variant)
            worst = [(max(a[0], b[0]), max(a[1], b[1])) for a, b in zip(worst, errors)]
    return found, worst


# ---- all of it

def flops_of(problem, sizes, cases):
    """Operations of products and convolutions as an expression, where this torch counts them."""
    try:
        from torch.utils.flop_counter import FlopCounterMode
    except ImportError:
        return ""
    counts = []
    for chosen in cases:
        parts = sizes.parts(chosen)
        with FlopCounterMode(display=False) as count:
            problem.results(parts.tensors, {**parts.integers, **parts.numbers}, False)
        counts.append(int(count.get_total_flops()))
    if not all(counts):
        return ""
    names = list(cases[0])
    for number in range(1, len(names) + 1):
        for chosen in itertools.combinations(names, number):
            products = [math.prod(one[name] for name in chosen) for one in cases]
            if counts[0] % products[0] == 0 and all(count * products[0] == counts[0] * product
                                                    for count, product in zip(counts, products)):
                return f"{counts[0] // products[0]} * " + " * ".join(chosen)
    return ""


def drawn_by(sizes, cases):
    """How the judge draws each input. In tasks with sizes as parameters, only what is drawn alike at other sizes."""
    draws = {}
    for name, draw in sizes.draws.items():
        one, other = sizes.first.tensors[name], sizes.second.tensors[name]
        if sizes.by_parameters and draw["kind"] != "problem" and len(cases) > 1:
            elsewhere = [sizes.parts(cases[-1], seed).tensors[name] for seed in PROBE_SEEDS]
            if not same_draw(draw, distribution(name, *elsewhere, False)):
                draw = {"kind": "problem", "why": "it is drawn otherwise at other sizes"}
                draw["independent"] = is_independent(name, one, other)
        draws[name] = draw
    return draws


def same_draw(one, other):
    if one["kind"] == "integers":
        return other["kind"] == "integers" and one["low"] == other["low"] and one["high"] == other["high"]
    if other["kind"] == "uniform" and one["kind"] == "uniform":
        width = one["b"] - one["a"]
        return abs(one["a"] - other["a"]) < 0.2 * width and abs(one["b"] - other["b"]) < 0.2 * width
    if other["kind"] == "uniform":  # too few elements to tell
        return 3.5 * one["b"] > (other["b"] - other["a"]) / 2 > one["b"]
    return other["kind"] == one["kind"] and abs(one["a"] - other["a"]) < 0.2 * one["b"] and \
        0.8 * one["b"] < other["b"] < 1.25 * one["b"]


def output_names(count, taken):
    for word in ("y", "out", "result", "output"):
        names = [word] if count == 1 else [f"{word}{index}" for index in range(count)]
        if not taken.intersection(names):
            return names
    raise Refused("arguments have all names that an output could have")


def declared_type(value, parts, name, notes):
    """A result's type. What NumPy widens on the way is not asked of a kernel."""
    if value.dtype == torch.float64:
        floats = [one.dtype for one in parts.tensors.values() if wide_float(one)]
        if floats and torch.float64 not in floats:
            notes.append(f"the reference gives float64 for {name}, although no input is float64: kernels are asked for "
                         f"{NAMES[floats[0]]}")
            return NAMES[floats[0]]
    return NAMES[value.dtype]


def describe(question, device):
    """The answer to {"source", "file", "reference_function", "kernel", "kernel_file", "entry"}."""
    name, entry = choose_functions(question)
    problem = FunctionProblem(question["source"], name, device=device)
    problem.inputs = choose_inputs(problem.module)
    notes = []
    sizes = Sizes(problem)
    problem.numpy = problem.arrays
    problem.interface = {"arguments": sizes.first.codes}
    prober = Prober(problem, sizes)
    parts, results = prober.run(sizes.default)
    prober.keep(sizes.default, parts, results)
    alone = len([one for one in sizes.default if one not in sizes.pinned]) == 1
    cases = [(label, prober.proposal((size,) if alone else several)) for label, size, several in
             (("odd", ODD_ALONE, ODD), ("prime", PRIME_ALONE, PRIME))]
    cases = [(label, chosen) for label, chosen in cases if chosen is not None]
    cases = [one for index, one in enumerate(cases) if all(one[1] != before for _, before in cases[:index])]
    cases = [("", sizes.default), *cases]
    if len(cases) == 1:
        notes.append("no other size was found that the reference can do, or the example inputs can only be drawn as they "
                     "are: the one case is the example's. Sizes as parameters, `def example_inputs(n=4096)`, make others "
                     "possible")
    problem.interface["outputs"] = {}
    probe = cases[-1][1] if len(cases) > 1 else sizes.default
    parts = sizes.parts(probe)
    plain, exact = in_double(problem, parts, notes)
    if not finite(plain):
        raise Refused(f"{name} gives numbers that are not finite for its example inputs")
    problem.double = exact is not None
    problem.call(parts.tensors, {**parts.integers, **parts.numbers}, "f64")  # whether it repeats itself
    draws = drawn_by(sizes, [chosen for _, chosen in cases])
    changeable = [one for one, draw in draws.items() if wide_float(parts.tensors[one]) and
                  (draw["kind"] in ("normal", "uniform") or draw.get("independent"))]
    errors = errors_between(plain, exact) if exact is not None else [(0.0, 0.0)] * len(plain)
    variants, errors = bearable(problem, parts, errors, changeable) if exact is not None else ([], errors)
    names = output_names(len(results), {*parts.tensors, *parts.integers, *parts.numbers})
    extents = Extents(prober.runs)
    shapes = {one: extents.shape(one, [[run.inputs[one][d] for d in sizes.first.facts[one]["order"]]
                                       for run in prober.runs]) for one in parts.tensors}
    outputs = [{"name": one, "dtype": declared_type(value, parts, one, notes), "bool": value.dtype == torch.bool,
                "shape": extents.shape(one, [run.outputs[index] for run in prober.runs]),
                "error_max": errors[index][0], "error_rms": errors[index][1]}
               for index, (one, value) in enumerate(zip(names, results))]
    scalars = [{"name": one, "integer": True,
                "value": expression_for([run.integers[one] for run in prober.runs], extents.runs)
                if value > PINNED else value}
               for one, value in sizes.first.integers.items() if one not in sizes.default]
    for one in scalars:
        if one["value"] is None:
            raise Refused(f"the number {one['name']} is another one at other sizes, and no expression of them was found")
    scalars += [{"name": one, "integer": False, "value": value} for one, value in sizes.first.numbers.items()]
    facts = sizes.first.facts
    interface = {"entry": entry or name, "arguments": sizes.first.codes,
                 "bools": [one for one, fact in facts.items() if fact["type"] == "bool"] +
                          [one["name"] for one in outputs if one["bool"]],
                 "types": {one: fact["type"] for one, fact in facts.items() if fact["type"] not in ("", "bool")},
                 "orders": {one: fact["order"] for one, fact in facts.items() if fact["order"] != sorted(fact["order"])},
                 "shapes": {**{one: [] for one, value in parts.tensors.items() if value.dim() == 0},
                            **{one["name"]: [] for one in outputs if not one["shape"]}},
                 "sequence": problem.sequence, "outputs": {one["name"]: one["dtype"] for one in outputs}}
    index_of = {tuple(sorted(run.sizes.items())): index for index, run in enumerate(prober.runs)}
    first_line = next(iter((inspect.getdoc(problem.function) or "").splitlines()), "")
    return {"torch": torch.__version__, "function": name, "summary": first_line or f"What {name} in reference.py computes.", "entry": entry or "", "inputs_function": problem.inputs,
            "numpy": problem.numpy, "double": problem.double,
            "inputs": [{"name": one, "dtype": fact["dtype"], "shape": shapes[one], "draw": draws[one],
                        "variants": variants if one in changeable else []} for one, fact in facts.items()],
            "scalars": scalars, "outputs": outputs, "interface": interface,
            "cases": [{"name": label, "bind": extents.bindings(index_of[tuple(sorted(chosen.items()))])}
                      for label, chosen in cases],
            "flops": flops_of(problem, sizes, [chosen for _, chosen in cases]) if len(cases) > 1 else "",
            "notes": notes + sizes.notes + sizes.first.notes}
