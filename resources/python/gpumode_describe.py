"""What the judge is told of a GPU MODE problem: the tensors that its inputs and outputs are made
of, in every case; which of them are there to be written; whether its check compares with one right
answer, and how closely; how far off the reference itself is."""
import json
import math
import os
import signal
import sys
import time

import torch

from describe import SECONDS_OF_SILENCE, distribution, finite, scaled_errors, telling, variant_of
from gpumode import cloned
from nested import OPAQUE, places_of, rebuilt
from blocks import Refused
from problem import PROBE_SEEDS, is_float
from work_count import counts_of, told

PROBED = 1 << 22  # elements; the largest test within that is looked at closely
# Levels of noise that are tried on the answer, as negative powers of two; steps of each
COARSEST, FINEST, STEPS = 1, 24, 4
# Rms of the scaled error: in double precision the reference is another function then
TOO_FAR = 0.05
LARGE = 1 << 26  # elements of a case's inputs, which may take ten seconds to draw
# The part of free memory that drawn inputs may hold while the problem is asked, one in so many
KEPT = 3
KEPT_ON_CPU = 512 << 20  # bytes
# That a reference may take in bfloat16 beside ten times what it takes in double precision
SOME_SECONDS = 2
SEVERAL = 256  # elements from which one can tell how they are distributed
LARGEST_ANSWER = 120 << 10
NO_MEMORY = getattr(torch.cuda, "OutOfMemoryError", ())


def wide_float(value):
    """Of a type that torch computes in."""
    return is_float(value) and value.element_size() > 1


def same_bits(one, other):
    return torch.equal(
        one.contiguous().view(-1).view(torch.uint8), other.contiguous().view(-1).view(torch.uint8)
    )


def alike(one, other):
    """The same within what an unordered sum may differ by."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if not wide_float(one) or not finite([one, other]):
        return same_bits(one, other)
    return scaled_errors(other, one.double())[0] < 1e-2


class Asked:
    """One case of a problem: its drawn input, and what the reference and the check make of it."""

    def __init__(self, problem, case, seed=PROBE_SEEDS[0]):
        problem.choose(case)
        self.problem, self.flat = problem, problem.drawn(seed)

    def data(self, tensors):
        return rebuilt(self.flat.code, places_of(tensors, self.flat.integers, self.flat.numbers))

    def run(self, contents=None, real=None):
        """The tensors as they are after the call, and what it gave."""
        tensors = {
            name: cloned(value) for name, value in {**self.flat.tensors, **(contents or {})}.items()
        }
        if real is not None:
            tensors = {
                name: value.to(real) if is_float(value) else value
                for name, value in tensors.items()
            }
        return tensors, self.problem.answers(self.data(tensors))

    def accepts(self, result, change=None):
        """What the check says of the reference's result, with these tensors instead of its own."""
        tensors = {
            name: cloned(value) for name, value in {**result.tensors, **(change or {})}.items()
        }
        return self.problem.verdict(
            self.data({name: cloned(value) for name, value in self.flat.tensors.items()}),
            rebuilt(result.code, {"tensor": tensors}),
        )


# ---- which tensors of the input are there to be written

def other_contents(value):
    if wide_float(value):
        return torch.full_like(value, math.nan)
    is_zero = not bool((value.contiguous().view(-1).view(torch.uint8) != 0).any())
    return torch.ones_like(value) if is_zero else torch.zeros_like(value)


def is_read(asked, name, outputs):
    """Whether the answer depends on what the tensor holds; so it does where there is none then (an
    iteration that does not converge)."""
    try:
        again = asked.run({name: other_contents(asked.flat.tensors[name])})[1].tensors
    except NO_MEMORY:
        raise
    except Exception:
        return True
    return not all(alike(outputs[one], again[one]) for one in outputs)


def find_buffers(asked, cases):
    """Each with the name of the output that belongs there, or None: what the reference writes or
    gives back, and what has the size of an output and is read in no case."""
    after, result = asked.run()
    before, outputs = asked.flat.tensors, result.tensors
    buffers = {}
    for name, value in before.items():
        fits = [one for one, y in outputs.items() if y.numel() == value.numel() and
                (y.dtype == value.dtype or wide_float(y) and wide_float(value))]
        returned = [one for one in fits if outputs[one].data_ptr() == after[name].data_ptr()]
        changed = not same_bits(value, after[name])
        if not fits and not changed:
            continue
        if is_read(asked, name, outputs):
            if changed:
                raise Refused(
                    f"ref_kernel reads {name} and writes it: a call could not be repeated on the "
                    "same inputs"
                )
            continue
        # Something that is not needed in one case may be needed in others.
        if (
            changed
            or returned
            or not any(
                is_read(other, name, other.run()[1].tensors)
                for other in (Asked(asked.problem, case) for case in cases)
            )
        ):
            free = [one for one in returned or fits if one not in buffers.values()]
            buffers[name] = free[0] if free else None
    return buffers


# ---- whether there is one right answer

def compares_with_reference(asked, result):
    """Whether the check runs ref_kernel, seen by the code that is run."""
    folder = os.path.dirname(asked.problem.module.__file__)

    def codes(function):
        seen = []
        sys.setprofile(lambda frame, event, _: seen.append(frame.f_code)
                       if event == "call" and frame.f_code.co_filename.startswith(folder) else None)
        try:
            function()
        finally:
            sys.setprofile(None)
        return seen

    own = codes(asked.run)
    return bool(own) and own[0] in codes(lambda: asked.accepts(result))


def sign_matters(asked, result):
    negated = {
        name: -value
        for name, value in result.tensors.items()
        if wide_float(value) and bool((value != 0).any())
    }
    changes = [negated, *({name: value} for name, value in negated.items())] if negated else []
    return not any(asked.accepts(result, change)[0] for change in changes)


def noisy(value, level):
    wide = value.double()
    scale = wide.abs().clamp_min(wide.square().mean().sqrt().item())
    return (wide + level * scale * (2 * torch.rand_like(wide) - 1)).to(value.dtype)


def accepted_noise(asked, result):
    """The largest relative error, to a fifth, that the check takes; 0: none."""
    torch.manual_seed(PROBE_SEEDS[0])
    floats = {name: value for name, value in result.tensors.items() if wide_float(value)}
    # As if the check refused at `low`, and took at `high`
    low, high = COARSEST * STEPS - 1, FINEST * STEPS + 1
    while floats and high - low > 1:
        middle = (low + high) // 2
        taken = asked.accepts(
            result, {name: noisy(value, 2.0 ** (-middle / STEPS)) for name, value in floats.items()}
        )[0]
        low, high = (low, middle) if taken else (middle, high)
    return 2.0 ** (-high / STEPS) if floats and high <= FINEST * STEPS else 0.0


# ---- how far off the reference is

def contents_of(asked, variant, varied):
    return {
        name: variant_of(asked.flat.tensors[name], variant).to(asked.flat.tensors[name].dtype)
        for name in varied
    }


def errors_of(asked, variant="plain", varied=()):
    """Largest and rms error of each output of the reference as it is, against itself in double
    precision; None where they are not finite."""
    contents = contents_of(asked, variant, varied)
    exact = asked.run(contents, torch.float64)[1].tensors
    plain = asked.run(contents)[1].tensors
    if not finite([value for value in [*plain.values(), *exact.values()] if wide_float(value)]):
        return None
    return [
        scaled_errors(plain[name].double(), exact[name].double())
        if is_float(plain[name])
        else (0.0, 0.0 if torch.equal(plain[name].long(), exact[name].long()) else math.inf)
        for name in plain
    ]


def raise_if_kept(error, problem):
    """Where memory was short, and kept inputs hold some of it, nothing is learnt of the problem."""
    if isinstance(error, NO_MEMORY) and problem.most_kept:
        raise error


def in_double(problem, tests):
    """(errors over the tests, "") where the reference can be run in double precision, otherwise
    (None, why not)."""
    worst = None
    for case in tests:
        try:
            errors = errors_of(Asked(problem, case))
        except (
            Exception
        ) as error:  # a stranger's code, asked for something that it was not written for
            raise_if_kept(error, problem)
            return None, f"{type(error).__name__}: {str(error)[:200]}"
        if errors is None:
            return None, "its numbers are not finite"
        if max(rms for _, rms in errors) > TOO_FAR:
            return None, "it then computes something else"
        worst = [(max(a[0], b[0]), max(a[1], b[1])) for a, b in zip(worst or errors, errors)]
    return worst, ""


class TooSlow(Exception):
    pass


def within(seconds, function):
    """What the function gives; TooSlow where it takes longer."""
    def stop(*_):
        raise TooSlow

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return function()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def harms_of_bfloat16(asked, variant="plain", varied=()):
    """Largest errors: of double precision on inputs that are rounded to bfloat16, and of the
    reference in bfloat16 as a whole (where it does not run so, the former again)."""
    contents = contents_of(asked, variant, varied)
    exact = asked.run(contents, torch.float64)[1].tensors

    def harm(contents, real):
        other = asked.run(contents, real)[1].tensors
        floats = [name for name, value in exact.items() if wide_float(value)]
        if not finite([other[name] for name in floats]):
            return math.inf
        return max(
            [scaled_errors(other[name].double(), exact[name].double())[0] for name in floats],
            default=0.0,
        )

    start = time.monotonic()
    rounded = harm(
        {
            name: value.to(torch.bfloat16).to(value.dtype)
            for name, value in {**asked.flat.tensors, **contents}.items()
            if wide_float(value)
        },
        torch.float64,
    )
    try:  # an iteration may come to no end in so few digits
        return rounded, within(
            SOME_SECONDS + 10 * (time.monotonic() - start), lambda: harm(contents, torch.bfloat16)
        )
    except NO_MEMORY:
        raise
    except Exception:  # a stranger's code, asked for something that it was not written for
        return rounded, rounded


def bearable(asked, errors, independent, noise, notes):
    """Variants of the inputs that the reference can do as well, as far as one can tell from its
    error. Where the check takes what comes of inputs in bfloat16, they do no more harm to a
    candidate that computes in it, either; what is left out for that is told in `notes`."""
    if not independent:
        return []
    found, limit = [], max(4 * max(rms for _, rms in errors), 1e-3)
    try:
        plain = harms_of_bfloat16(asked)
    except Exception as error:  # a stranger's code, asked for something that it was not written for
        raise_if_kept(error, asked.problem)
        plain = math.inf, math.inf
    for variant in ("shifted", "flipped", "heavy", "large"):
        try:
            varied = errors_of(asked, variant, independent)
            harms = harms_of_bfloat16(asked, variant, independent) if plain[0] <= noise else plain
        except Exception as error:
            raise_if_kept(error, asked.problem)
            continue
        if varied is None or max(rms for _, rms in varied) > limit:
            continue
        if all(harm <= max(noise, 2 * usual) for harm, usual in zip(harms, plain)):
            found.append(variant)
        else:
            notes.append(
                f"inputs of the kind '{variant}' are not used: bfloat16, which the own check "
                f"takes, is too coarse for them (off by {max(harms):.2g})"
            )
    return found


# ---- all of it

def probe_of(problem, cases):
    """The case that is looked at closely: the largest that is not too large."""
    sizes = {}
    for case in cases:
        problem.choose(case)
        sizes[case] = sum(math.prod(shape) for shape in problem.outline()[2].values())
    small = [case for case in cases if sizes[case] <= PROBED]
    return max(small, key=sizes.get) if small else min(cases, key=sizes.get)


def counted(asked):
    """What the reference computes, and what it gave."""
    results = []
    counts = counts_of(lambda: results.append(asked.run()[1]))
    return told(counts), results[0] if results else asked.run()[1]  # which says what is wrong


def form_of(flat):
    return flat.code, {
        name: (facts["dtype"], facts["type"], len(facts["order"]))
        for name, facts in flat.facts.items()
    }


def case_facts(problem, case, probe, result, is_test, unsteady):
    """What the case has of its own. Tensors whose dimensions lie in another order than in other
    cases go to `unsteady`."""
    asked = Asked(problem, case)
    if is_test and sum(value.numel() for value in asked.flat.tensors.values()) <= LARGE:
        # Which says whether shapes depend on the seed; so does every later draw
        Asked(problem, case, PROBE_SEEDS[1])
    work, own = counted(asked)
    if form_of(asked.flat) != form_of(probe.flat) or form_of(own) != form_of(result):
        raise Refused(
            f"generate_input or ref_kernel gives other tensors, texts or types in case {case} than "
            "in others; a task has the same ones in all"
        )
    for name, facts in asked.flat.facts.items():
        if facts["order"] != probe.flat.facts[name]["order"]:
            unsteady.add(name)
    if asked.flat.numbers != probe.flat.numbers:
        raise Refused(
            f"a number that generate_input gives is another one in case {case} than in others "
            f"({asked.flat.numbers}); only integers may differ"
        )
    return {
        "name": case,
        "inputs": {name: list(value.shape) for name, value in asked.flat.tensors.items()},
        "outputs": {name: list(value.shape) for name, value in own.tensors.items()},
        "integers": asked.flat.integers,
        **work,
    }


def is_independent(name, value, other):
    return wide_float(value) and value.numel() >= SEVERAL and finite([value, other]) and \
        distribution(name, value, other, False)["kind"] in ("uniform", "normal")


def describe(problem, say=lambda text: None, silence=SECONDS_OF_SILENCE):
    """What the problem takes and gives; `say` hears now and then how far that is."""
    on_cpu = torch.device(problem.device).type == "cpu"
    problem.most_kept = KEPT_ON_CPU if on_cpu else torch.cuda.mem_get_info()[0] // KEPT
    try:
        return described(problem, say, silence)
    except NO_MEMORY:  # once more with nothing kept
        problem.kept, problem.most_kept = {}, 0
    torch.cuda.empty_cache()
    return described(problem, say, silence)


def described(problem, say, silence):
    tests, benchmarks = problem.tests, problem.benchmarks
    small = tests or benchmarks
    probe = Asked(problem, probe_of(problem, small))
    result = probe.run()[1]
    good, text = probe.accepts(result)
    if not good:
        raise Refused(f"check_implementation refuses the answer of ref_kernel itself: {text[:300]}")
    unsteady, notes = set(), list(probe.flat.notes)
    cases = [
        case_facts(problem, case, probe, result, case in tests, unsteady)
        for case in telling(tests + benchmarks, say, silence)
    ]
    buffers = find_buffers(probe, tests + benchmarks)
    facts = {name: dict(one) for name, one in result.facts.items()}
    # A reference may compute more precisely than it is asked to answer
    for name, output in buffers.items():
        if output is not None:
            facts[output]["dtype"] = probe.flat.facts[name]["dtype"]
    unique = compares_with_reference(probe, result) and sign_matters(probe, result) and \
        not any(value.dtype in OPAQUE for value in result.tensors.values())
    errors, why = in_double(problem, small) if unique else (None, "")
    if why:
        notes.append(
            f"the reference does not run in double precision ({why}): results are held against it "
            "as it is"
        )
    for name in sorted(unsteady):
        notes.append(
            f"the strides of {name} differ from case to case: it is handed over contiguous"
        )
        probe.flat.facts[name]["order"].sort()
    problem.choose(probe_of(problem, small))
    other = problem.drawn(PROBE_SEEDS[1]).tensors
    independent = [name for name, value in probe.flat.tensors.items()
                   if name not in buffers and is_independent(name, value, other[name])]
    noise = accepted_noise(probe, result) if unique else 0.0
    answer = {
        "torch": torch.__version__,
        "input": probe.flat.code,
        "output": result.code,
        "buffers": buffers,
        "inputs": [{"name": name, **one} for name, one in probe.flat.facts.items()],
        "outputs": [
            {"name": name, **one, "error_max": worst[0], "error_rms": worst[1]}
            for (name, one), worst in zip(facts.items(), errors or [(0.0, 0.0)] * len(facts))
        ],
        "numbers": probe.flat.numbers,
        "cases": cases,
        "independent": independent,
        "unique": unique,
        "double": errors is not None,
        "noise": noise,
        "variants": bearable(probe, errors, independent, noise, notes) if errors else [],
        "notes": notes,
    }
    if len(json.dumps(answer)) > LARGEST_ANSWER:
        raise Refused("its inputs are made of too many tensors, in too many cases, to be told")
    return answer
