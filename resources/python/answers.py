"""The roles of a worker in which the task's own problem runs, trusted, on the judge's blocks:
`reference` computes expected values (and draws what only the problem can draw), `baseline` is torch
itself, to be measured."""
import json
import time
import traceback

import torch

from blocks import DTYPES, INPUT, OUTPUT, Refused
from calls import Call, run_calls
from function import FunctionProblem
from gpumode import GpuModeProblem
from measure import Meter
from problem import PRECISIONS, Problem, set_precision

LONGEST_TEXT = 2000  # of what a problem's own check says


def tensors_of(plan, bindings, blocks):
    """Inputs and outputs of a plan by name, as flat tensors over the judge's memory."""
    found = {INPUT: {}, OUTPUT: {}}
    for (name, role, dtype, _, size), (block, offset) in zip(plan["buffers"], bindings):
        if role in found:
            width = torch.empty(0, dtype=DTYPES[dtype]).element_size()
            found[role][name] = blocks.tensor(block, offset, DTYPES[dtype], (size // width,))
    return found[INPUT], found[OUTPUT]


def hand_over(results, outputs):
    if len(results) != len(outputs):
        raise ValueError(f"forward gives {len(results)} results instead of {len(outputs)}")
    for result, (name, to) in zip(results, outputs.items()):
        if result.numel() != to.numel():
            raise ValueError(f"{name} has {result.numel()} elements instead of {to.numel()}")
        to.copy_(result.detach().reshape(-1))


def settled(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


class Reference:
    """Loaded with the problem; what a plan's `call` says is done with its buffers: {"precision":
    "f64" or "f32" or "tf32" or "default"} fills the outputs from the inputs, {"draw": SEEDS} fills
    the outputs of each set with what the problem draws under its seed for the inputs and weights of
    their names, {"check": SHAPES} asks a GPU MODE problem's own check of the outputs."""

    def __init__(self, device):
        self.device, self.problem = device, None

    def load(self, image):
        if "function" in image:
            self.problem = FunctionProblem(device=str(self.device), **image["function"])
        elif "problem" in image:
            self.problem = GpuModeProblem(device=str(self.device), **json.loads(image["problem"]))
        else:
            self.problem = Problem(image["source"], str(self.device))

    def release(self):
        if self.device.type == "cuda":
            torch.cuda.empty_cache()  # the judge wants the memory itself

    def prepare(self, plan, message, blocks):
        blocks.map([block for one in message["sets"] for block, _ in one], message["fresh"])
        inputs, outputs = tensors_of(plan, message["sets"][0], blocks)
        wanted = json.loads(plan["call"])
        varied = (
            {"variant": wanted["variant"], "varied": wanted["varied"]}
            if wanted.get("varied")
            else {}
        )
        if isinstance(self.problem, GpuModeProblem):
            self.problem.choose(wanted["case"])
        elif isinstance(self.problem, FunctionProblem):
            self.problem.choose(
                wanted["case"],
                {name: dims for name, _, _, dims, _ in plan["buffers"]},
                wanted["sizes"],
            )

        def call():
            try:
                return work()
            except Exception as error:  # of the task's own code
                text = str(error) if isinstance(error, Refused) else traceback.format_exc(limit=-3)
                return {"ok": False, "error": text[-LONGEST_TEXT:], "device": 0.0, "wall": 0.0}

        def work():
            start = time.perf_counter()
            with torch.no_grad():
                if "draw" in wanted:
                    for seed, bindings in zip(wanted["draw"], message["sets"]):
                        self.problem.draw_into(
                            seed, tensors_of(plan, bindings, blocks)[1], **varied
                        )
                elif "check" in wanted:
                    good, text = self.problem.check(inputs, outputs, wanted["check"])
                    if not good:
                        return {
                            "ok": False,
                            "wrong": True,
                            "error": text[:LONGEST_TEXT],
                            "device": 0.0,
                            "wall": 0.0,
                        }
                else:
                    given = {
                        name: whole if integer else value
                        for name, integer, whole, value in wanted["scalars"]
                    }
                    given.update(inputs)
                    hand_over(
                        self.problem.call(*self.problem.sorted_out(given), wanted["precision"]),
                        outputs,
                    )
            settled(self.device)
            self.release()
            seconds = time.perf_counter() - start
            return {"ok": True, "error": "", "device": seconds, "wall": seconds}

        return call


class Baseline:
    """Torch itself, eager or compiled, in one precision: {"source": ..., "mode": "eager" or
    "compile", "precision": ...}. It is timed in two ways. With `flush`: one call by the device's
    own clock, weights lying in the module as they do for its users, the host's time hidden; as
    device code is. Without: a batch of calls under the judge's clock, weights and inputs its
    memory, results taken after each; as candidates in Python are, by the same lines."""

    def __init__(self, device):
        self.device, self.meter = device, Meter(device)
        self.problem, self.model, self.function = None, None, None
        self.own, self.kept = {}, []  # parameters by name; their own memory

    def load(self, image):
        self.problem = Problem(image["source"], str(self.device))
        set_precision(image["precision"])
        self.real = PRECISIONS[image["precision"]]
        self.model = self.problem.model
        self.function = self.model
        if image["mode"] == "compile":
            if not hasattr(torch, "compile"):
                raise Refused(f"torch {torch.__version__} has no torch.compile")
            self.function = torch.compile(self.model)
        inputs = self.problem.draw(image["seed"])
        given = self.problem.given(inputs, self.real)
        # Compiles, chooses algorithms, takes memory: before anything is timed
        with torch.no_grad():
            for _ in range(3):
                self.meter.learn(lambda: self.function(*given))
        del inputs, given
        self.own = self.problem.weights(self.model)
        self.kept = [(parameter, parameter.data) for parameter in self.own.values()]
        self.release()

    def release(self):
        if self.device.type == "cuda":
            torch.cuda.empty_cache()

    def prepare(self, plan, message, blocks):
        blocks.map([block for one in message["sets"] for block, _ in one], message["fresh"])
        for parameter, data in self.kept:
            parameter.data = data
        if not message["flush"]:
            return self.batch_of(
                [self.call_on(plan, bindings, blocks) for bindings in message["sets"]]
            )
        call = self.call_on(plan, message["sets"][0], blocks)

        def held():
            with torch.no_grad():
                for parameter, value in call.weights:
                    parameter.copy_(value)
                result, span, wall = self.meter.timed(lambda: self.function(*call.arguments), True)
                hand_over(listed(result), dict(call.outputs))
            settled(self.device)
            return {"ok": True, "error": "", "device": span, "wall": wall}

        return held

    def call_on(self, plan, bindings, blocks):
        inputs, outputs = tensors_of(plan, bindings, blocks)
        given = {
            name: whole if integer else value
            for name, integer, whole, value in json.loads(plan["call"])["scalars"]
        }
        given.update(inputs)
        arguments, weights = self.problem.sorted_out(given)
        call = Call(
            [arguments[name] for name in self.problem.names if name in arguments],
            list(outputs.items()),
        )
        call.weights = [
            (self.own[name], value.reshape(self.own[name].shape)) for name, value in weights.items()
        ]
        return call

    def batch_of(self, calls):
        calls[0].hand_over()

        def call():
            start = time.perf_counter()
            with torch.no_grad():
                run_calls(
                    self.function, calls, lambda result, to: hand_over(listed(result), dict(to))
                )
            settled(self.device)
            seconds = time.perf_counter() - start
            return {"ok": True, "error": "", "device": seconds, "wall": seconds}

        return call


def listed(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]
