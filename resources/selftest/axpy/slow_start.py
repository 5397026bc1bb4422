# Wastes the time for samples in its first calls.
import time

calls = []


def custom_kernel(x, y):
    calls.append(None)
    if len(calls) < 16:
        time.sleep(0.12)
    return 2 * x + y
