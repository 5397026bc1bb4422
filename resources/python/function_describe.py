"""What `hone task new --from` is told of a function of torch or NumPy: what it takes and gives on
the example inputs, how these are distributed, other sizes that it can do, and how far off its
single precision is. The user edits what is written of that; nothing here judges."""
import inspect

import torch

from blocks import NAMES, Refused
from describe import distribution, finite, scaled_errors, variant_of
from function import FunctionProblem, define_example
from function_choice import choose_functions, choose_inputs
from function_extents import Extents, expression_for
from function_sizes import ODD, ODD_ALONE, PINNED, PRIME, PRIME_ALONE, Prober, Sizes
from gpumode_describe import is_independent, wide_float
from problem import PROBE_SEEDS
from work_count import counts_of, expressions_of

VARIANTS = ("shifted", "flipped", "heavy", "large")
FEW, DRAWS = 256, 8  # elements of an output under which so many draws tell how far off it may be
# Of single precision, beyond which a variant is outside of what the function is for
LARGEST_ERROR = 1e-3


# ---- how far off it is

def numbers_of(parts):
    return {**parts.integers, **parts.numbers}


def errors_between(single, exact):
    return [scaled_errors(a.double(), t.double()) if t.dtype.is_floating_point else (0.0, 0.0)
            for a, t in zip(single, exact)]


def in_double(problem, parts, notes):
    """Results in double precision, or None, with a note, where it cannot do that."""
    numbers = numbers_of(parts)
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
    notes.append(
        f"{problem.name} does not run in double precision ({why}): results are held against it as "
        "it is, and a narrower precision than its own is not noticed"
    )
    return plain, None


def errors_over_draws(problem, sizes, cases, variants, changeable, errors):
    """The worst error of each output over several draws of the small cases: a single number may be
    near zero by chance, and its relative error is another one at each draw."""
    for chosen in cases:
        for seed in range(DRAWS):
            parts = sizes.parts(chosen, PROBE_SEEDS[0] + 1 + seed)
            numbers = numbers_of(parts)
            for variant in ("plain", *variants):
                tensors = {
                    name: variant_of(value, variant).to(value.dtype)
                    if variant != "plain" and name in changeable
                    else value
                    for name, value in parts.tensors.items()
                }
                exact = problem.results(tensors, numbers, True)
                single = problem.results(tensors, numbers, False)
                errors = [
                    (max(a[0], b[0]), max(a[1], b[1]))
                    for a, b in zip(errors, errors_between(single, exact))
                ]
    return errors


def bearable(problem, parts, plain_errors, changeable):
    """Variants of the inputs that the function can do as well, and the worst error of each
    output."""
    found, worst = [], plain_errors
    limit = max(4 * max((rms for _, rms in plain_errors), default=0.0), LARGEST_ERROR)
    numbers = numbers_of(parts)
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

def work_of(problem, sizes, cases):
    """Operations as expressions of the cases' symbols. NumPy's are not recorded."""
    if problem.numpy or len(cases) < 2:
        return {"flops": {}, "uncounted": []}

    def called(chosen):
        parts = sizes.parts(chosen)
        return lambda: problem.results(parts.tensors, numbers_of(parts), False)

    return expressions_of(cases, [counts_of(called(chosen)) for chosen in cases])


def drawn_by(sizes, cases):
    """How the judge draws each input. In tasks with sizes as parameters, only what is drawn alike
    at other sizes."""
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
        return (
            other["kind"] == "integers"
            and one["low"] == other["low"]
            and one["high"] == other["high"]
        )
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
            notes.append(
                f"the reference gives float64 for {name}, although no input is float64: kernels "
                f"are asked for {NAMES[floats[0]]}"
            )
            return NAMES[floats[0]]
    return NAMES[value.dtype]


def proposed_cases(sizes, prober, notes):
    """The example's own sizes, then others, as (name, symbols)."""
    alone = len(sizes.default) - len(sizes.pinned & set(sizes.default)) == 1
    cases = [("", sizes.default)]
    for label, single, several in (("odd", ODD_ALONE, ODD), ("prime", PRIME_ALONE, PRIME)):
        chosen = prober.proposal((single,) if alone else several)
        if chosen is not None and all(chosen != known for _, known in cases):
            cases.append((label, chosen))
    if len(cases) == 1:
        notes.append(
            "no other size was found that the reference can do, or the example inputs can only be "
            "drawn as they are: the one case is the example's. Sizes as parameters, `def "
            "example_inputs(n=4096)`, make others possible"
        )
    return cases


def measured(problem, sizes, cases, changeable, notes):
    """The variants that the function can bear, and the worst largest and rms error of each output.
    Of the last case, which is small where there are several."""
    parts = sizes.parts(cases[-1])
    plain, exact = in_double(problem, parts, notes)
    if not finite(plain):
        raise Refused(f"{problem.name} gives numbers that are not finite for its example inputs")
    problem.double = exact is not None
    problem.call(parts.tensors, numbers_of(parts), "f64")  # whether it repeats itself
    if exact is None:
        return [], [(0.0, 0.0)] * len(plain)
    variants, errors = bearable(problem, parts, errors_between(plain, exact), changeable)
    if min(value.numel() for value in plain) < FEW and len(cases) > 1:
        errors = errors_over_draws(problem, sizes, cases[1:], variants, changeable, errors)
    return variants, errors


def scalars_of(parts, sizes, prober, extents):
    """Numbers beside the tensors: integers that follow the sizes as expressions, all others as they
    are."""
    scalars = []
    for name, value in parts.integers.items():
        if name in sizes.default:  # a symbol already
            continue
        text = (
            expression_for([run.integers[name] for run in prober.runs], extents.runs)
            if value > PINNED
            else value
        )
        if text is None:
            raise Refused(
                f"the number {name} is another one at other sizes, and no expression of them was "
                "found"
            )
        scalars.append({"name": name, "integer": True, "value": text})
    return scalars + [
        {"name": name, "integer": False, "value": value} for name, value in parts.numbers.items()
    ]


def interface_of(entry, parts, outputs, sequence):
    facts = parts.facts
    return {
        "entry": entry,
        "arguments": parts.codes,
        "bools": [name for name, fact in facts.items() if fact["type"] == "bool"]
        + [one["name"] for one in outputs if one["bool"]],
        "types": {
            name: fact["type"] for name, fact in facts.items() if fact["type"] not in ("", "bool")
        },
        "orders": {
            name: fact["order"]
            for name, fact in facts.items()
            if fact["order"] != sorted(fact["order"])
        },
        "shapes": {
            **{name: [] for name, value in parts.tensors.items() if value.dim() == 0},
            **{one["name"]: [] for one in outputs if not one["shape"]},
        },
        "sequence": sequence,
        "outputs": {one["name"]: one["dtype"] for one in outputs},
    }


def summary_of(function, name):
    first = next(iter((inspect.getdoc(function) or "").splitlines()), "")
    return first or f"What {name} in reference.py computes."


def inputs_of(facts, draws, variants, changeable, extents, prober):
    return [
        {
            "name": one,
            "dtype": fact["dtype"],
            "draw": draws[one],
            "variants": variants if one in changeable else [],
            "shape": extents.shape(
                one, [[run.inputs[one][d] for d in fact["order"]] for run in prober.runs]
            ),
        }
        for one, fact in facts.items()
    ]


def outputs_of(first, results, errors, extents, prober, notes):
    names = output_names(len(results), {*first.tensors, *numbers_of(first)})
    return [
        {
            "name": one,
            "dtype": declared_type(value, first, one, notes),
            "bool": value.dtype == torch.bool,
            "shape": extents.shape(one, [run.outputs[index] for run in prober.runs]),
            "error_max": errors[index][0],
            "error_rms": errors[index][1],
        }
        for index, (one, value) in enumerate(zip(names, results))
    ]


def describe(question, device):
    """The answer to {"source", "file", "reference_function"} and, where the kernel is Python,
    {"kernel", "kernel_file", "entry"}: texts of files, their names, and names of functions ("": to
    be found). "example" is an expression, if any."""
    name, entry = choose_functions(question)
    problem = FunctionProblem(question["source"], name, device=device, file=question["file"])
    if question.get("example"):
        define_example(problem.module, question["example"])
    problem.inputs = choose_inputs(problem.module)
    notes, sizes = [], Sizes(problem)
    problem.numpy, problem.interface = problem.arrays, {"arguments": sizes.first.codes}
    prober = Prober(problem, sizes)
    first, results = prober.run(sizes.default)
    prober.keep(sizes.default, first, results)
    named_cases = proposed_cases(sizes, prober, notes)
    cases = [chosen for _, chosen in named_cases]
    draws = drawn_by(sizes, cases)
    changeable = [one for one, draw in draws.items() if wide_float(first.tensors[one]) and
                  (draw["kind"] in ("normal", "uniform") or draw.get("independent"))]
    variants, errors = measured(problem, sizes, cases, changeable, notes)
    extents, facts = Extents(prober.runs), first.facts
    inputs = inputs_of(facts, draws, variants, changeable, extents, prober)
    outputs = outputs_of(first, results, errors, extents, prober, notes)
    return {
        "torch": torch.__version__,
        "function": name,
        "entry": entry or "",
        "inputs_function": problem.inputs,
        "summary": summary_of(problem.function, name),
        "numpy": problem.numpy,
        "double": problem.double,
        "inputs": inputs,
        "scalars": scalars_of(first, sizes, prober, extents),
        "outputs": outputs,
        "interface": interface_of(entry or name, first, outputs, problem.sequence),
        "cases": [
            {"name": label, "bind": extents.bindings(prober.index_of(chosen))}
            for label, chosen in named_cases
        ],
        **work_of(problem, sizes, cases),
        "notes": notes + sizes.notes + first.notes,
    }
