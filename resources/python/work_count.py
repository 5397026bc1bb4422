"""What a call of torch computes: its operators are recorded as they run, on real tensors or on
shapes alone, and each is counted by torch's own counter or by the table of work_table.py."""
import functools
import itertools
import math

from work_table import count_of, is_known

try:
    from torch.utils._python_dispatch import TorchDispatchMode
except ImportError:  # an old torch: nothing can be recorded, so nothing is counted
    TorchDispatchMode = None
try:
    from torch.utils.flop_counter import flop_registry
except ImportError:
    flop_registry = {}

MOST_NAMED = 5  # operators without a count that are told
# Of an expression: as many as a convolution has, and symbols up to which they may come twice
MOST_FACTORS, FEW_SYMBOLS = 7, 6
MOST_CHOICES = 10000  # products that are tried, which takes some milliseconds


class Counts:
    """Operations of recorded calls: {kind: operations} by call, and operators without a count."""

    def __init__(self):
        self.calls, self.unknown = [], []

    def total(self):
        total = {}
        for _, count in self.calls:
            for kind, operations in count.items():
                total[kind] = total.get(kind, 0) + operations
        return total

    def add(self, name, count):
        if count is not None:
            self.calls.append((name, count))
        elif name not in self.unknown:
            self.unknown.append(name)


def by_name(function, arguments, words):
    """The arguments of a call by their names in the operator's schema, with its defaults."""
    schema = function._schema.arguments
    named = {one.name: one.default_value for one in schema if one.has_default_value()}
    named.update({one.name: value for one, value in zip(schema, arguments)})
    named.update(words)
    return named


def count_by_torch(function, arguments, words, result):
    """None where torch has no counter, or one for another form of the operator."""
    counter = flop_registry.get(getattr(function, "_overloadpacket", None))
    try:
        return None if counter is None else counter(*arguments, **words, out_val=result)
    except Exception:
        return None


if TorchDispatchMode is not None:
    class Recorder(TorchDispatchMode):
        def __init__(self, counts):
            super().__init__()
            self.counts = counts

        def __torch_dispatch__(self, function, types, arguments=(), words=None):
            words = words or {}
            space, _, name = function._schema.name.partition("::")
            known = space == "aten" and is_known(name)
            if not known and hasattr(function, "decompose"):  # in inference mode it comes whole
                with self:
                    result = function.decompose(*arguments, **words)
                if result is not NotImplemented:
                    return result
            result = function(*arguments, **words)
            self.counts.add(
                f"{space}.{name}", self.counted(function, space, name, arguments, words, result)
            )
            return result

        @staticmethod
        def counted(function, space, name, arguments, words, result):
            """None: not known, as for a call that has an unusual form."""
            try:
                products = count_by_torch(function, arguments, words, result)
                if space != "aten" and products is None:
                    return None
                return count_of(name, by_name(function, arguments, words), result, products)
            except (KeyError, IndexError, AttributeError, TypeError, StopIteration):
                return None


def counts_of(call):
    """What the call of that function computes, or None where this torch cannot record it, or not
    this function."""
    if TorchDispatchMode is None:
        return None
    counts = Counts()
    try:
        with Recorder(counts):
            call()
    except Exception:
        return None
    return counts


def expressions_of(cases, counted):
    """The same as `told` for several cases of the same calls: {kind: expression} of the symbols
    that the cases bind. `cases`: {symbol: value}; `counted`: the counts of each."""
    if any(counts is None or not (counts.calls or counts.unknown) for counts in counted):
        return {"flops": {}, "uncounted": []}
    names = [name for name, _ in counted[0].calls]
    if any([name for name, _ in counts.calls] != names for counts in counted):
        return {"flops": {}, "uncounted": ["calls that differ with the size"]}
    unknown, terms = list(counted[0].unknown), {}
    for place, name in enumerate(names):
        for kind in {kind for counts in counted for kind in counts.calls[place][1]}:
            term = monomial(cases, [counts.calls[place][1].get(kind, 0) for counts in counted])
            if term is not None:
                factor, symbols = term
                of_kind = terms.setdefault(kind, {})
                of_kind[symbols] = of_kind.get(symbols, 0) + factor
            elif name not in unknown:
                unknown.append(name)
    flops = {
        kind: " + ".join(" * ".join([str(factor), *symbols]) for symbols, factor in one.items())
        for kind, one in terms.items()
    }
    if not unknown:
        flops = flops or {"f32": "0"}
    return {"flops": flops, "uncounted": unknown[:MOST_NAMED]}


def monomial(cases, counts):
    """A factor and the symbols, some of them twice, with whose product it gives these counts, or
    None."""
    for chosen in choices_of(tuple(cases[0])):
        products = [math.prod(case[name] for name in chosen) for case in cases]
        factor = counts[0] // products[0] if products[0] else 0
        if all(factor * product == count for product, count in zip(products, counts)):
            return factor, chosen
    return None


@functools.lru_cache(maxsize=1)
def choices_of(names):
    """Products of symbols that are tried, the shortest first."""
    few = len(names) <= FEW_SYMBOLS
    choose = itertools.combinations_with_replacement if few else itertools.combinations
    every = (chosen for number in range(MOST_FACTORS + 1) for chosen in choose(names, number))
    return list(itertools.islice(every, MOST_CHOICES))


def told(counts):
    """"flops" and "uncounted" of an answer: operations by kind, whole numbers, and operators that
    are missing in them. Nothing in either: nothing could be recorded."""
    if counts is None or not (counts.calls or counts.unknown):
        return {"flops": {}, "uncounted": []}
    total = counts.total()
    if not counts.unknown:
        total = total or {"f32": 0}  # it only moves data
    return {"flops": total, "uncounted": counts.unknown[:MOST_NAMED]}
