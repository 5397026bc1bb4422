"""How long a call of torch takes, on a CPU by the clock, on CUDA by events on the current stream:
caches flushed before, and the device kept busy while the host queues the work, so that the time is
the device's."""
import time

import torch

MOST_HELD = 0.05  # seconds
HELD_BEYOND = 1.5  # the longest time the host took to queue a call, times this
SPARE = 1e-4  # and that many seconds


class Meter:
    def __init__(self, device):
        self.device, self.queueing, self.flushed = device, 0.0, None
        self.cuda = device.type == "cuda"
        if self.cuda:
            torch.cuda.set_device(device)
            about = torch.cuda.get_device_properties(device)
            self.flush_bytes = 2 * getattr(about, "L2_cache_size", 64 << 20)
            self.cycles = 1e3 * getattr(about, "clock_rate", 2_000_000)  # in a second
            self.events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]

    def learn(self, work):
        """Runs it once, to learn how long the host takes to queue it."""
        start = time.perf_counter()
        work()
        self.queueing = time.perf_counter() - start  # the last one counts: the first compiles
        if self.cuda:
            torch.cuda.synchronize(self.device)

    def timed(self, work, flush):
        """What the work gave, the seconds of the device, and those of the host."""
        if not self.cuda:
            start = time.perf_counter()
            result = work()
            span = time.perf_counter() - start
            return result, span, span
        if flush:
            if self.flushed is None:
                self.flushed = torch.empty(self.flush_bytes, dtype=torch.uint8, device=self.device)
            self.flushed.add_(1)  # read and written: nothing of what was there before is left
        torch.cuda.synchronize(self.device)
        held = min(MOST_HELD, HELD_BEYOND * self.queueing + SPARE)
        torch.cuda._sleep(int(held * self.cycles))
        self.events[0].record()
        start = time.perf_counter()
        result = work()
        self.events[1].record()
        torch.cuda.synchronize(self.device)
        wall = time.perf_counter() - start
        return result, 1e-3 * self.events[0].elapsed_time(self.events[1]), wall
