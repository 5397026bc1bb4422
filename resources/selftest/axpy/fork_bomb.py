# Starts more threads than all workers together may have, in its first call.
import os
import threading

threading.stack_size(64 << 10)
calls = []


def custom_kernel(x, y):
    calls.append(None)
    ended = threading.Event()
    threads = []
    try:
        for _ in range(64 * (os.cpu_count() + 6) + 600 if len(calls) == 1 else 0):
            threads.append(threading.Thread(target=ended.wait, daemon=True))
            threads[-1].start()
    finally:
        ended.set()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
    return 2 * x + y
