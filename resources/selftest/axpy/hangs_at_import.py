# Takes longer to be imported than it may.
import time

start = time.monotonic()
while time.monotonic() - start < 5:
    continue


def custom_kernel(x, y):
    return 2 * x + y
