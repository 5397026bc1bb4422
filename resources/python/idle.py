"""A worker without a candidate, in which the judge learns what calls of a candidate cost by
themselves. Trusted: no code of a candidate's is here. The plan's `call` says what a word does:
{"calls": 0} one small operation, and the answer tells how long the device takes to copy the outputs
once they are there; {"calls": N} makes N calls of a few operations each, whose work on the device
is longer than the host's."""
import json

import torch

import candidate
from answers import settled, tensors_of
from measure import Meter

SMALL_OPERATIONS = 4
DEVICE_SECONDS = 2e-4  # of one call
COPIES, TRIES = 8, 5


class Idle:
    def __init__(self, device):
        self.device, self.meter = device, Meter(device)
        # On a CPU large enough for all threads, which have to be woken up as a candidate's have.
        self.small = torch.zeros(256 if device.type == "cuda" else 1 << 18, device=device)
        self.copying = {}  # seconds by sizes
        self.recorded = None

    def load(self, image):
        return []

    def release(self):
        if self.device.type == "cuda":
            torch.cuda.empty_cache()

    def seconds_to_copy(self, outputs):
        """Outputs that have just been written, as they have when a call is back."""
        results = [torch.zeros_like(one) for one in outputs]

        def write(copied):
            for _ in range(COPIES):
                for result, to in zip(results, outputs):
                    result.fill_(1)
                    if copied:
                        to.copy_(result)

        def timed(copied):
            self.meter.learn(lambda: write(copied))
            return min(self.meter.timed(lambda: write(copied), False)[1] for _ in range(TRIES))

        return max(0.0, timed(True) - timed(False)) / COPIES

    def work(self):
        for _ in range(SMALL_OPERATIONS):
            self.small.add_(1)
        if self.device.type == "cuda":
            torch.cuda._sleep(int(DEVICE_SECONDS * self.meter.cycles))

    def recorded_call(self):
        """Control kernels and some work between them, recorded as a candidate's call is."""
        span = candidate.RecordedSpan(self)

        def call():
            span.begin()
            self.work()
            span.end()
            span.settle()
            return {"ok": True, "error": "", "device": span.seconds(), "wall": 0.0}

        return call

    def prepare(self, plan, message, blocks):
        if message["record"]:
            return self.recorded_call()
        blocks.map([block for block, _ in message["sets"][0]], message["fresh"])
        outputs = list(tensors_of(plan, message["sets"][0], blocks)[1].values())
        calls, sizes = json.loads(plan["call"])["calls"], tuple(one.numel() for one in outputs)
        if calls == 0 and sizes not in self.copying:
            self.copying[sizes] = self.seconds_to_copy(outputs)
        copying = self.copying.get(sizes, 0.0)

        def call():
            if calls == 0:
                self.small.add_(1)
            for _ in range(calls):
                self.work()
            settled(self.device)
            return {"ok": True, "error": "", "device": copying, "wall": 0.0}

        return call
