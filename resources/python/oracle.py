"""The truth of a task whose reference is in Python: `reference.py` in the form of a KernelBench
problem, a problem of GPU MODE, or a file with a function that is to become a task, in a process of
its own that only Hone's judge talks to.

`describe` says what the module takes and gives and how its tensors are distributed, so that the
judge can draw its own; `reference` computes outputs from the judge's inputs; `draw` lets the
problem draw those inputs that only it can. Tensors lie in a memory file that comes with the
message. On CUDA machines the last two are done in the device's own memory instead, by a worker (see
answers.py).
"""
import json
import mmap
import os
import socket
import sys
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch

import blocks
import describe
import function_describe
import gpumode_describe
from gpumode import GpuModeProblem
from problem import Problem


def views(arena, tensors):
    """Name and tensor for each [name, dtype, elements, offset]."""
    return [
        (name, torch.frombuffer(arena, dtype=blocks.DTYPES[dtype], count=elements, offset=offset))
        for name, dtype, elements, offset in tensors
    ]


def reference(problem, message, arena):
    given = dict(views(arena, message["inputs"]))
    given.update(
        {name: whole if integer else value for name, integer, whole, value in message["scalars"]}
    )
    inputs, weights = problem.sorted_out(given)
    results = problem.call(inputs, weights, message["precision"])
    # Whatever it computes in: doubles for floats, long integers for integers.
    wide = [[name, "f64" if result.dtype.is_floating_point else "i64", elements, offset]
            for (name, _, elements, offset), result in zip(message["outputs"], results)]
    for (name, view), result in zip(views(arena, wide), results):
        if result.numel() != view.numel():
            raise blocks.Refused(f"{name} has {result.numel()} elements instead of {view.numel()}")
        view.copy_(result.detach().flatten())
    return {"ok": True}


def draw(problem, message, arena):
    problem.draw_into(message["seed"], dict(views(arena, message["inputs"])))
    return {"ok": True}


def device_for(word):
    return ("cuda:0" if torch.cuda.is_available() else "cpu") if word == "any" else word


def load(message, text):
    device = device_for(message.get("device", "cpu"))
    # Of a task that is not there yet: its functions are still to be found
    if message.get("form") == "function":
        return json.loads(text)
    return (
        GpuModeProblem(device=device, **json.loads(text))
        if message.get("form") == "gpumode"
        else Problem(text, device)
    )


def answer(problem, message, descriptors, control):
    if isinstance(problem, dict):
        return function_describe.describe(problem, device_for(message.get("device", "cpu")))
    if message["op"] == "describe":
        if not isinstance(problem, GpuModeProblem):
            describe.tell_of_calls(problem, lambda text: blocks.send(control, {"progress": text}))
        return (gpumode_describe if isinstance(problem, GpuModeProblem) else describe).describe(
            problem
        )
    # Left to the collector: tensors over it may outlive the call.
    arena = mmap.mmap(descriptors[0], message["bytes"])
    return (draw if message["op"] == "draw" else reference)(problem, message, arena)


def main():
    control = socket.socket(fileno=blocks.CONTROL)
    problem = None
    while True:
        message, descriptors = blocks.receive(control)
        if message is None:
            return
        try:
            if message["op"] == "problem":
                torch.set_num_threads(max(1, message.get("threads", 1)))
                problem = load(message, blocks.read_file(descriptors[0]).decode())
                device = message.get("device", "cpu")
                said = {"ok": True}
            else:
                said = answer(problem, {"device": device, **message}, descriptors, control)
        except blocks.Refused as error:
            said = {"error": str(error)}
        except Exception:
            said = {"error": traceback.format_exc(limit=-3)[-4000:]}
        for descriptor in descriptors:
            os.close(descriptor)
        blocks.send(control, said)


main()
