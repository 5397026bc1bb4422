"""What the judge is told of a problem: its tensors and how they are distributed, its outputs and
what torch is off by in single precision, which variants of its inputs it can bear, and what would
pass KernelBench's own check without computing anything."""
import contextlib
import copy
import math
import time

import torch

from blocks import NAMES, Refused
from interface import interface_of
from problem import PROBE_SEEDS, is_float, plain_name
from work_count import counts_of, told

SAMPLE = 1 << 20  # elements that are looked at
# Elements that are compared at a time: several copies of them in double precision are made
PIECE = 1 << 26
SAME = 1e-9  # scaled error within which two calls in double precision are the same
SECONDS_OF_SILENCE = 5
OFFICIAL = 1e-4  # KernelBench's tolerance for fp32, relative and absolute


# ---- distributions

def own(why):
    """Only the problem can draw such a tensor."""
    return {"kind": "problem", "why": why}


def of_integers(one, other):
    one, other = one.long(), other.long()
    low, high = int(min(one.min(), other.min())), int(max(one.max(), other.max()))
    if low == high:
        return own(f"every element is {low}")
    in_order = all(value.dim() == 1 and value.numel() > 2 and bool((value[1:] >= value[:-1]).all())
                   for value in (one, other))
    return (
        own("its elements are in order")
        if in_order
        else {"kind": "integers", "low": low, "high": high}
    )


def sample(value):
    """Elements from all over it: what is special about a tensor need not show at its beginning."""
    flat = value.detach().flatten()
    if flat.numel() > SAMPLE:
        places = torch.randint(flat.numel(), (SAMPLE,), generator=torch.Generator().manual_seed(1))
        flat = flat[places.to(flat.device)]
    return flat.double()


def distribution(name, one, other, is_weight):
    """How the judge can draw such a tensor, told by two draws of the problem's own. What is not
    drawn element by element is left to the problem: a kernel may rely on more than the judge's
    draws would have."""
    if not one.dtype.is_floating_point:
        return of_integers(one, other)
    flat = torch.cat([sample(value) for value in (one, other)])
    low, high, mean, count = flat.min().item(), flat.max().item(), flat.mean().item(), flat.numel()
    if not math.isfinite(mean):
        raise Refused(f"{name} is not finite")
    if low == high:
        # Ones and zeros that training would move: a kernel must use them all the same.
        return (
            {"kind": "uniform", "a": low - 0.5, "b": low + 0.5}
            if is_weight
            else own(f"every element is {low:g}")
        )
    if one.dim() == 2 and one.shape[0] == one.shape[1] and torch.equal(one, one.T):
        return own("it is symmetric")
    if (flat == 0).double().mean().item() > 0.05:
        return own("a part of it is zero")
    if one.dim() > 1 and one.shape[-1] > 2:
        sums = torch.stack(
            [
                value.detach().double().reshape(-1, value.shape[-1])[:64].sum(-1)
                for value in (one, other)
            ]
        )
        if sums.std().item() < 1e-5 * sums.abs().mean().item():
            return own("its rows have all the same sum")
    if one.numel() >= 1024 and not alike(one, other):
        return own("its distribution is another at each draw")
    variance = flat.var(unbiased=False).item()
    kurtosis = ((flat - mean) ** 4).mean().item() / max(variance, 1e-300) ** 2
    if count < 256:  # too few to tell: the values' own range
        return {"kind": "uniform", "a": low - 0.1 * (high - low), "b": high + 0.1 * (high - low)}
    if abs(kurtosis - 1.8) < 0.15 and abs(variance - (high - low) ** 2 / 12) < 0.1 * variance:
        if 0 <= low < 0.01 and 0.99 < high <= 1:
            low, high = 0.0, 1.0
        return {"kind": "uniform", "a": low, "b": high}
    if abs(kurtosis - 3) < 0.5:
        return {"kind": "normal", "a": mean, "b": math.sqrt(variance)}
    return own("its values are neither uniform nor normal")


def alike(one, other):
    """Whether two draws have the same mean and spread, as far as so many elements can tell."""
    (mean, spread), (its_mean, its_spread) = [(part.mean().item(), part.std().item()) for part in (
        sample(value) for value in (one, other))]
    noise = 6 / math.sqrt(min(one.numel(), SAMPLE))
    return abs(mean - its_mean) <= 2 * noise * max(spread, its_spread) and \
        abs(spread - its_spread) <= 2 * noise * max(spread, its_spread)


def tensor_facts(name, value, draw, is_weight):
    return {
        "name": name,
        "dtype": dtype_name(name, value),
        "shape": list(value.shape),
        "draw": draw,
        "weight": is_weight,
    }


def dtype_name(what, value):
    if value.dtype not in NAMES:
        raise Refused(f"{what} has the type {value.dtype}, which Hone does not know")
    return NAMES[value.dtype]


# ---- errors

def pieces(*tensors):
    flat = [value.detach().reshape(-1) for value in tensors]
    for start in range(0, flat[0].numel(), PIECE):
        yield tuple(value[start:start + PIECE].to(flat[0].device) for value in flat)


def scaled_errors(actual, truth):
    """As the judge has them: |y - t| over max(|t|, rms of t). Largest, and rms."""
    if actual.shape != truth.shape:
        return math.inf, math.inf
    count = max(1, truth.numel())
    rms = math.sqrt(sum(part.double().square().sum().item() for part, in pieces(truth)) / count)
    largest = squares = 0.0
    for y, t in pieces(actual, truth):
        scaled = (y.double() - t).abs() / t.abs().clamp_min(max(rms, 1e-300))
        largest, squares = max(largest, scaled.max().item()), squares + scaled.square().sum().item()
    return largest, math.sqrt(squares / count)


def finite(values):
    return all(
        bool(torch.isfinite(part).all())
        for value in values
        if is_float(value)
        for (part,) in pieces(value)
    )


def passes(official, candidate):
    """KernelBench's check of a candidate's output (a tensor, or one number for all of it) against
    the official one."""
    if torch.is_tensor(candidate):
        return candidate.shape == official.shape and all(
            bool(((y.double() - c.double()).abs() <= OFFICIAL + OFFICIAL * c.double().abs()).all())
            for y, c in pieces(official, candidate))
    return all(bool(((y.double() - candidate).abs() <= OFFICIAL + OFFICIAL * abs(candidate)).all())
               for y, in pieces(official))


# ---- variants

def variant_of(value, variant):
    spread = sample(value).std().item() if value.numel() > 1 else 1.0
    if variant == "shifted":
        return value + 3 * spread
    if variant == "flipped":
        return -value
    if variant == "large":
        return 40 * value
    heavy = value.clone().flatten()
    heavy[:: max(1, heavy.numel() // 8)] *= 100
    return heavy.reshape(value.shape)


def bearable_variants(problem, inputs, weights, drawn_by_judge, truth):
    """Those that leave the model in its domain, for each output the worst error of single
    precision, and what the model gives in that. `truth`: the outputs for the inputs themselves, in
    double precision."""
    variants, worst, plain = [], None, None
    changeable = [name for name in drawn_by_judge if is_float(inputs[name])]
    for variant in ("plain", "shifted", "flipped", "heavy", "large") if changeable else ("plain",):
        changed = {
            name: variant_of(value, variant) if variant != "plain" and name in changeable else value
            for name, value in inputs.items()
        }
        exact = problem.call(changed, weights, "f64") if variant != "plain" else truth
        single = problem.call(changed, weights, "f32")
        if variant == "plain":
            plain = [(dtype_name("an output", value), list(value.shape)) for value in single]
            truth = None  # the memory is wanted
        sane = finite(exact) and finite(single)
        errors = [scaled_errors(a, t) if t.dtype.is_floating_point and sane else (0.0, 0.0)
                  for a, t in zip(single, exact)]
        if variant == "plain" and not sane:
            raise Refused("the model gives numbers that are not finite for its own inputs")
        if variant != "plain" and (not sane or max(error for _, error in errors) > 1e-3):
            continue  # outside of what the model is for
        worst = [(max(a[0], b[0]), max(a[1], b[1])) for a, b in zip(worst or errors, errors)]
        if variant != "plain":
            variants.append(variant)
    return variants, worst, plain


# ---- what would pass without computing

def weaknesses(problem, inputs, weights, others):
    """Sentences on what KernelBench's own evaluator would take for right."""
    official = problem.call(inputs, weights, "default")
    if len(official) != 1 or not official[0].dtype.is_floating_point:
        return []
    official, found = official[0], []
    parts = [(part.min().item(), part.max().item()) for part, in pieces(official)]
    middle = (min(low for low, _ in parts) + max(high for _, high in parts)) / 2
    if passes(official, 0.0):
        found.append("zeros pass")
    elif official.numel() > 1 and passes(official, middle):
        found.append(f"the constant {middle:.6g} passes")
    found += [f"returning the input {name} passes" for name, value in inputs.items()
              if is_float(value) and passes(official, value)]
    fresh = problem.draw(PROBE_SEEDS[1])
    found += [
        f"ignoring the input {name} passes"
        for name, value in inputs.items()
        if torch.is_tensor(value)
        and passes(official, problem.call({**inputs, name: fresh[name]}, weights, "default")[0])
    ]
    del fresh
    differ = [name for name in weights if not torch.equal(weights[name], others[name])]
    if differ and passes(official, problem.call(inputs, {**weights, **others}, "default")[0]):
        found.append("ignoring the weights passes")
    return found


# ---- all of it

def output_names(count, taken):
    """y, or y0, y1, …; another letter where arguments or parameters have these names."""
    for word in ("y", "out", "result", "output"):
        names = [word] if count == 1 else [f"{word}{index}" for index in range(count)]
        if not taken.intersection(names):
            return names
    raise Refused("arguments and parameters have all names that an output could have")


def describe(problem):
    first, second = problem.draw(PROBE_SEEDS[0]), problem.draw(PROBE_SEEDS[1])
    weights = {name: value.detach().clone() for name, value in problem.weights().items()}
    other = problem.construct(PROBE_SEEDS[1])
    others = {name: value.detach() for name, value in problem.weights(other).items()}
    tensors, scalars, own_draws = [], [], []
    for name, value in first.items():
        if torch.is_tensor(value):
            tensors.append(
                tensor_facts(name, value, distribution(name, value, second[name], False), False)
            )
            if tensors[-1]["draw"]["kind"] == "problem":
                own_draws.append(name)
        elif isinstance(value, (bool, int, float)):
            scalars.append({"name": name, "value": value, "integer": not isinstance(value, float)})
        else:
            raise Refused(
                f"get_inputs gives a {type(value).__name__} for {name}; tensors and numbers can be "
                "judged"
            )
    del second
    for name, value in weights.items():
        if name in first:
            raise Refused(
                f"a parameter of the model and an argument of forward are both called {name}"
            )
        tensors.append(
            tensor_facts(name, value, distribution(name, value, others[name], True), True)
        )
    truth = must_have_one_truth(problem, first, weights, other)
    del other
    by_judge = [
        name for name, value in first.items() if torch.is_tensor(value) and name not in own_draws
    ]
    variants, worst, plain = bearable_variants(problem, first, weights, by_judge, truth)
    del truth
    outputs = []
    names = output_names(len(worst), {*first, *weights})
    for index, (dtype, shape) in enumerate(plain):
        outputs.append(
            {
                "name": names[index],
                "dtype": dtype,
                "shape": shape,
                "error_max": worst[index][0],
                "error_rms": worst[index][1],
            }
        )
    return {
        "torch": torch.__version__,
        "tensors": tensors,
        "scalars": scalars,
        "outputs": outputs,
        "variants": variants,
        **told(work_of(problem, first, weights)),
        "weak": weaknesses(problem, first, weights, others),
        "interface": interface_of(problem, first, outputs),
    }


def must_have_one_truth(problem, inputs, weights, other):
    truth = problem.call(inputs, weights, "f64")
    again = problem.call(inputs, weights, "f64")
    if any(scaled_errors(a, t)[0] > SAME for a, t in zip(again, truth)):
        raise Refused(
            "two calls on the same inputs differ: the model draws random numbers in forward "
            "(dropout, random states), so there is no one truth"
        )
    del again
    hidden = [
        (path, name)
        for path, name, value in problem.others(other)
        if (path, name) not in problem.kept
        or value.shape != problem.kept[(path, name)].shape
        or not torch.equal(value.to(problem.kept[(path, name)].device), problem.kept[(path, name)])
    ]
    if not hidden:
        return truth
    kept = problem.kept
    problem.kept = {(path, name): value for path, name, value in problem.others(other)}
    try:
        changed = problem.call(inputs, weights, "f64")
    finally:
        problem.kept = kept
    if any(scaled_errors(a, t)[0] > SAME for a, t in zip(changed, truth)):
        names = ", ".join(
            plain_name(f"{path}.{name}" if path else name) for path, name in hidden[:3]
        )
        raise Refused(
            f"the result depends on random tensors that are no parameters of the model ({names}): "
            "the judge cannot hand them over"
        )
    return truth


def work_of(problem, inputs, weights):
    """Operations of the model, by shapes alone where it lets that: it takes no time and no memory.
    It does not where it looks at values, or has tensors that are no parameters."""
    counts = counts_of(lambda: call_on_meta(problem, inputs))
    if counts is not None and not counts.unknown:
        return counts
    return counts_of(lambda: problem.call(inputs, weights, "f32")) or counts


def call_on_meta(problem, inputs):
    """The model on shapes alone. An older torch makes no tensors there but those that it is
    given."""
    model = copy.deepcopy(problem.model).to("meta")
    there = hasattr(torch, "set_default_device")
    with torch.no_grad(), torch.device("meta") if there else contextlib.nullcontext():
        model(*[inputs[name].to("meta") if torch.is_tensor(inputs[name]) else inputs[name]
                for name in problem.names if name in inputs])


def tell_of_calls(problem, say, silence=SECONDS_OF_SILENCE):
    """Says how far describe() is before a call of the model, where the last word is some seconds
    ago: on a CPU that has to compute what was meant for a GPU, describing a problem takes
    minutes."""
    began = last = time.monotonic()
    ask, count = problem.call, 0

    def call(inputs, weights, precision):
        nonlocal last, count
        count += 1
        now = time.monotonic()
        if now - last >= silence:
            last = now
            say(
                f"call {count} of about {calls_expected(inputs)} of its model, in {precision}, "
                f"after {now - began:.0f} s"
            )
        return ask(inputs, weights, precision)

    problem.call = call


def telling(cases, say, silence=SECONDS_OF_SILENCE):
    """The cases, one after the other; says which one comes, where the last word is some seconds
    ago."""
    began = last = time.monotonic()
    for number, case in enumerate(cases, 1):
        now = time.monotonic()
        if now - last >= silence:
            last = now
            say(f"case {number} of {len(cases)}, after {now - began:.0f} s")
        yield case


def calls_expected(inputs):
    """Of the model, by describe(): the truth twice, five variants in two precisions, the
    weaknesses."""
    return 2 + 9 + 2 + len(inputs)
