# Runs longer than it may, once.
import time

calls = []


def custom_kernel(x, y):
    calls.append(None)
    start = time.monotonic()
    while len(calls) == 1 and time.monotonic() - start < 2:
        continue
    return 2 * x + y
