# Takes longer to be imported than it may.
import time

start = time.monotonic()
while time.monotonic() - start < 2:
    continue


def custom_kernel(x, y):
    return 2 * x + y
