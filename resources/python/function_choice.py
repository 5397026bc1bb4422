"""Which functions of two files are meant: the reference, what draws its example inputs, and what
candidates in Python are called with. The files are read for that, and the kernel's is not run."""
import ast

from blocks import Refused
from function import NAMES_OF_INPUTS


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
            found[one.name] = any(
                f"'{word}'" in words for word in ("jit", "autotune", "heuristics")
            )
    return found


def uses_triton(source):
    return any(
        isinstance(one, ast.Import)
        and any(name.name.split(".")[0] == "triton" for name in one.names)
        or isinstance(one, ast.ImportFrom)
        and (one.module or "").split(".")[0] == "triton"
        for one in ast.walk(ast.parse(source))
    )


def choose_function(source, file, wanted, preferred, option):
    """The function that is meant: the one that was named, else one with a name that is preferred,
    else the only one."""
    all_functions = functions_in(source, file)
    if wanted and all_functions.get(wanted):
        raise Refused(
            f"{wanted} in {file} is a kernel of Triton's: name the function that launches it, "
            "which takes tensors and returns tensors"
        )
    public = [name for name, kernel in all_functions.items()
              if not kernel and not name.startswith("_") and name not in NAMES_OF_INPUTS]
    if wanted:
        if wanted not in all_functions:
            raise Refused(
                f"{file} defines no function {wanted}; it has {', '.join(public) or 'none'}"
            )
        return wanted
    for name in preferred:
        if name in public:
            return name
    if len(public) == 1:
        return public[0]
    raise Refused(
        f"{file} has "
        f"{'several functions (' + ', '.join(public) + ')' if public else 'no function'} that "
        f"could be meant: name one with {option} {file}:NAME"
    )


def choose_functions(question):
    """The reference's function, and the candidates' (None where the kernel is no Python)."""
    kernel, file = question.get("kernel"), question.get("kernel_file", "kernel.py")
    wanted, own = question.get("reference_function", ""), question["source"] == kernel
    entry = None
    if kernel is not None:
        others = (
            [name for name in functions_in(question["source"], question["file"])] if not own else []
        )
        entry = (
            choose_function(
                kernel,
                file,
                question.get("entry", ""),
                [name for name in [wanted, *others] if name and name != "reference"],
                "--from",
            )
            if not own or question.get("entry")
            else entry_beside_reference(kernel, file)
        )
    if own and not wanted:
        if "reference" in functions_in(kernel, file):
            return "reference", entry
        if uses_triton(kernel):
            raise Refused(
                f"{file} uses Triton, which computes on a GPU and in one precision only, so "
                f"{entry} cannot be its own reference: write the same in torch or NumPy, in a file "
                f"for --reference or as `def reference(...)` in {file}"
            )
        return entry, entry
    return choose_function(question["source"], question["file"], wanted,
                           ["reference", *([entry] if entry else [])], "--reference"), entry


def entry_beside_reference(kernel, file):
    names = [
        name
        for name, device in functions_in(kernel, file).items()
        if not device
        and name != "reference"
        and not name.startswith("_")
        and name not in NAMES_OF_INPUTS
    ]
    return names[0] if len(names) == 1 else choose_function(kernel, file, "", [], "--from")


def choose_inputs(module):
    for name in NAMES_OF_INPUTS:
        if callable(getattr(module, name, None)):
            return name
    raise Refused(
        "there are no example inputs: define `def example_inputs(): return torch.randn(4096, "
        "1000)` in it (a tuple where there are several; with sizes as parameters, `def "
        "example_inputs(n=4096)`, it can draw any size), or give --example 'torch.randn(4096, "
        "1000)'"
    )
