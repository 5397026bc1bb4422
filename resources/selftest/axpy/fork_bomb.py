# Starts more threads than all workers together may have.
import os
import threading

threading.stack_size(64 << 10)


def custom_kernel(x, y):
    ended = threading.Event()
    threads = []
    try:
        for _ in range(64 * (os.cpu_count() + 6) + 600):
            threads.append(threading.Thread(target=ended.wait, daemon=True))
            threads[-1].start()
    finally:
        ended.set()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
    return 2 * x + y
