"""What a reference in Python says of itself: `reference.py` in the form of a KernelBench problem, a
problem of GPU MODE, or a file with a function that is to become a task, in a process of its own
that only Hone's judge talks to.

`describe` says what the module takes and gives and how its tensors are distributed, so that the
judge can draw its own. Expected values, and inputs that only the problem can draw, are made by a
worker (see answers.py).
"""
import json
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


def described(problem, device, control):
    def say(text):
        blocks.send(control, {"progress": text})

    if isinstance(problem, dict):
        return function_describe.describe(problem, device_for(device))
    if isinstance(problem, GpuModeProblem):
        return gpumode_describe.describe(problem, say)
    describe.tell_of_calls(problem, say)
    return describe.describe(problem)


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
                said = described(problem, message.get("device", device), control)
        except blocks.Refused as error:
            said = {"error": str(error)}
        except Exception:
            said = {"error": traceback.format_exc(limit=-3)[-4000:]}
        for descriptor in descriptors:
            os.close(descriptor)
        blocks.send(control, said)


main()
