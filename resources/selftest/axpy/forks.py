# Leaves a process behind.
import os
import time


def custom_kernel(x, y):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
    return 2 * x + y
