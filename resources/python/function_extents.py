"""Extents as expressions over the symbols of a case, found from the calls that were made at several
sizes."""
import itertools

from blocks import Refused


def evaluated(expression, sizes):
    return int(eval(expression.replace("/", "//"), {"__builtins__": {}}, dict(sizes)))


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
        forms += (
            [f"{name} / {size // first}", f"({name} + {size // first - 1}) / {size // first}"]
            if size >= 2 * first
            else []
        )
    for one, other in itertools.combinations(symbols, 2):
        a, b = runs[0][one], runs[0][other]
        forms += [f"{one} + {other}", f"{one} * {other}", f"{one} - {other}", f"{other} - {one}"]
        forms += [f"{one} - {other} + {first - a + b}"] if first > a - b else []
        forms += (
            [f"{one} * {other} / {a * b // first}"]
            if first and a * b % first == 0 and a * b > first
            else []
        )
        forms += (
            [f"{first // (a * b)} * {one} * {other}"]
            if first % (a * b) == 0 and first > a * b
            else []
        )
    return next((text for text in forms if fits(text)), None)


class Extents:
    """Shapes of named tensors as lists of numbers and expressions. What is none gets a symbol of
    its own in every case."""

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
