# Asks for thirty-three gibibytes.
import mmap

NO_RESERVE = 0x4000


def custom_kernel(x, y):
    mmap.mmap(-1, 33 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE).close()
    return 2 * x + y
