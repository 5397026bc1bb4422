# Writes far into a file.
import os


def custom_kernel(x, y):
    with open("/tmp/large", "wb") as file:
        file.seek(300 << 20)
        file.write(b"x")
    os.remove("/tmp/large")
    return 2 * x + y
