"""What a device did during a call: kernels, copies and fills by name, from CUPTI's activity
records, read by ctypes. torch's own profiler knows the same, but takes five seconds to start, which
is more than a verdict takes. Code that shares the process could forge all of it: it is told, and
decides nothing.
"""
import ctypes
import struct

COPY, FILL, KERNEL, CONCURRENT_KERNEL = 1, 2, 3, 10
# Where the fields stand; newer versions of a record have added theirs behind these
# (src/device/cuda_cupti.cc).
START, NAME = 16, 104
BUFFER = 4 << 20

_REQUESTED = ctypes.CFUNCTYPE(
    None,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_size_t),
    ctypes.POINTER(ctypes.c_size_t),
)
_COMPLETED = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t
)


def open_cupti():
    """The one that torch has loaded, or None."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        paths = [line.split()[-1] for line in maps if "libcupti" in line]
    for name in [*dict.fromkeys(paths), "libcupti.so.13", "libcupti.so.12"]:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def demangled(name):
    try:
        library = ctypes.CDLL("libstdc++.so.6")
        library.__cxa_demangle.restype = ctypes.c_void_p
        text = library.__cxa_demangle(name, None, None, None)
    except (OSError, AttributeError):
        return name.decode(errors="replace")
    if not text:
        return name.decode(errors="replace")
    plain = ctypes.string_at(text).decode(errors="replace")
    libc = ctypes.CDLL(None)
    libc.free.argtypes = [ctypes.c_void_p]
    libc.free(text)
    return plain


class Recorder:
    def __init__(self, cupti):
        self.cupti = cupti
        self.buffers, self.found = {}, []
        # CUPTI keeps their addresses
        self.callbacks = _REQUESTED(self.requested), _COMPLETED(self.completed)
        self.works = cupti is not None and self.ok(
            "cuptiActivityRegisterCallbacks", *self.callbacks
        )

    def ok(self, name, *arguments):
        function = getattr(self.cupti, name, None)
        return function is not None and function(*arguments) == 0

    def start(self):
        """Whether it records now."""
        self.found = []
        kinds = (CONCURRENT_KERNEL, COPY, FILL)
        return self.works and all(
            self.ok("cuptiActivityEnable", ctypes.c_uint32(kind)) for kind in kinds
        )

    def stop(self):
        """[start, end, name] of all since `start`, in seconds. The device must have finished
        them."""
        self.ok("cuptiActivityFlushAll", ctypes.c_uint32(1))
        for kind in (CONCURRENT_KERNEL, COPY, FILL):
            self.ok("cuptiActivityDisable", ctypes.c_uint32(kind))
        return [[1e-9 * start, 1e-9 * end, name] for start, end, name in self.found]

    def requested(self, buffer, size, most):
        memory = ctypes.create_string_buffer(BUFFER + 8)
        place = (ctypes.addressof(memory) + 7) // 8 * 8
        self.buffers[place] = memory
        buffer[0], size[0], most[0] = place, BUFFER, 0

    def completed(self, context, stream, buffer, size, valid):
        record = ctypes.c_void_p()
        following = self.cupti.cuptiActivityGetNextRecord
        while (
            valid
            and following(ctypes.c_void_p(buffer), ctypes.c_size_t(valid), ctypes.byref(record))
            == 0
        ):
            self.read(record.value)
        self.buffers.pop(buffer, None)

    def read(self, record):
        kind = struct.unpack("I", ctypes.string_at(record, 4))[0]
        if kind not in (COPY, FILL, KERNEL, CONCURRENT_KERNEL):
            return
        start, end = struct.unpack("QQ", ctypes.string_at(record + START, 16))
        name = "Memcpy" if kind == COPY else "Memset"
        if kind in (KERNEL, CONCURRENT_KERNEL):
            text = struct.unpack("Q", ctypes.string_at(record + NAME, 8))[0]
            name = demangled(ctypes.string_at(text)) if text else "?"
        self.found.append((start, end, name))


_recorder = None


def recorder():
    global _recorder
    if _recorder is None:
        _recorder = Recorder(open_cupti())
    return _recorder
