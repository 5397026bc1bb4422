"""What Hone's Python processes share: the wire on which the judge talks to them, and the judge's
memory as tensors.

A message is one packet of JSON with a few descriptors beside it, on the socket that is descriptor
3. Memory comes as blocks: memory files on a CPU, exported allocations on CUDA. The judge's blocks
are mapped at addresses that have not been used before, and a part of a block becomes a torch tensor
without a copy. Nothing here trusts what is done with a tensor: blocks are unmapped even where code
still holds tensors over them.
"""
import array
import ctypes
import json
import mmap
import os
import random
import socket

import torch

if torch.__version__.startswith("1."):
    # The oneDNN of these versions uses AMX without having asked the kernel for it: the process is
    # killed (SIGILL) by its first product in bf16. It reads this at its first use.
    os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")

CONTROL = 3
LARGEST_MESSAGE = 128 << 10
MOST_DESCRIPTORS = 32

DTYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
          "i64": torch.int64, "i32": torch.int32, "i8": torch.int8, "u8": torch.uint8}
NAMES = {**{dtype: name for name, dtype in DTYPES.items()}, torch.bool: "u8"}
INPUT, OUTPUT = 0, 1  # roles of a plan's buffers


class Refused(Exception):
    """What was asked for cannot be done, and the text says why."""


# ---- the wire

def receive(control):
    """The next message, and the descriptors that came with it; (None, []) when the other side is
    gone."""
    text, ancillary, _, _ = control.recvmsg(
        LARGEST_MESSAGE, socket.CMSG_SPACE(MOST_DESCRIPTORS * 4)
    )
    descriptors = array.array("i")
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
    return (json.loads(text) if text else None), list(descriptors)


def send(control, message, descriptors=()):
    """Sends a message; the descriptors stay open here."""
    rights = (
        [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
        if descriptors
        else []
    )
    control.sendmsg([json.dumps(message).encode()], rights)


def read_file(descriptor):
    """All of a memory file, which may have been read before."""
    size, parts, done = os.fstat(descriptor).st_size, [], 0
    while done < size:
        part = os.pread(descriptor, min(size - done, 1 << 26), done)
        if not part:
            break
        parts.append(part)
        done += len(part)
    return b"".join(parts)


def json_of(descriptor):
    return json.loads(read_file(descriptor))


def memory_file(contents, name):
    """A descriptor of a memory file with these bytes, for `send`."""
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC)
    view = memoryview(contents)
    while view:
        view = view[os.write(descriptor, view):]
    return descriptor


# ---- blocks

class Blocks:
    """The judge's blocks by number, in the order in which they came. `kind` below maps and
    unmaps."""

    def __init__(self, kind):
        self.kind, self.blocks = kind, []  # [handle, bytes, address or 0]

    def take(self, descriptor, size):
        """Keeps a block; the caller closes its descriptor. Returns the block's number."""
        handle, size = self.kind.take(descriptor, size)
        self.blocks.append([handle, size, 0])
        return len(self.blocks) - 1

    def map(self, wanted, fresh=True):
        """Maps these blocks; `fresh`: at addresses that were not used before, everything else
        unmapped."""
        for number in wanted:
            if not 0 <= number < len(self.blocks):
                raise ValueError(f"block {number} was never given")
        if fresh:
            self.unmap()
        order = sorted(set(wanted))
        random.SystemRandom().shuffle(order)
        for number in order:
            block = self.blocks[number]
            if not block[2]:
                block[2] = self.kind.map(block[0], block[1])

    def unmap(self):
        for block in self.blocks:
            if block[2]:
                address, block[2] = block[2], 0
                self.kind.unmap(address, block[1])

    def drop(self):
        self.unmap()
        for block in self.blocks:
            self.kind.release(block[0])
        self.blocks.clear()

    def address(self, number, offset, size):
        """Where these bytes of a mapped block lie."""
        if not 0 <= number < len(self.blocks) or not self.blocks[number][2]:
            raise ValueError(f"block {number} is not mapped")
        if offset < 0 or size < 0 or offset + size > self.blocks[number][1]:
            raise ValueError(f"{size} bytes from {offset} reach past block {number}")
        return self.blocks[number][2] + offset

    def tensor(self, number, offset, dtype, shape):
        """That part of a mapped block as a contiguous tensor; `dtype` is torch's."""
        elements = 1
        for extent in shape:
            elements *= extent
        size = elements * torch.empty(0, dtype=dtype).element_size()
        address = self.address(number, offset, size)
        if size == 0:
            return torch.empty(tuple(shape), dtype=dtype, device=self.kind.device)
        return self.kind.bytes(address, size).view(dtype).reshape(tuple(shape))


class HostMemory:
    """Memory files."""
    device = "cpu"
    # The wide middle of the address space
    _LOWEST, _RANGE, _UNIT = 0x200000000000, 0x400000000000, 2 << 20

    def __init__(self):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.libc.mmap.restype = ctypes.c_void_p
        self.libc.mmap.argtypes = [
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_int64,
        ]
        self.libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        self.dice = random.SystemRandom()

    def take(self, descriptor, size):
        there = os.fstat(descriptor).st_size
        if there < size:
            raise ValueError(f"a block of {there} bytes was announced with {size}")
        return os.dup(descriptor), size

    def map(self, handle, size):
        hint = self._LOWEST + self.dice.randrange(self._RANGE) // self._UNIT * self._UNIT
        populate = 0x8000  # now, not while a call is timed
        address = self.libc.mmap(
            hint, size, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED | populate, handle, 0
        )
        if address == ctypes.c_void_p(-1).value:
            raise OSError(
                ctypes.get_errno(),
                f"{size} bytes cannot be mapped: {os.strerror(ctypes.get_errno())}",
            )
        return address

    def unmap(self, address, size):
        self.libc.munmap(address, size)

    def release(self, handle):
        os.close(handle)

    def bytes(self, address, size):
        return torch.frombuffer((ctypes.c_char * size).from_address(address), dtype=torch.uint8)


class _Location(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("id", ctypes.c_int)]


class _Properties(ctypes.Structure):  # CUmemAllocationProp
    _fields_ = [
        ("type", ctypes.c_int),
        ("handles", ctypes.c_int),
        ("location", _Location),
        ("meta", ctypes.c_void_p),
        ("flags", ctypes.c_ubyte * 8),
    ]


class _Access(ctypes.Structure):
    _fields_ = [("location", _Location), ("flags", ctypes.c_int)]


class CudaMemory:
    """Exported allocations of the driver, in the primary context, which is the one that torch
    uses."""
    _POSIX_FD, _ON_DEVICE, _PINNED, _READ_WRITE, _MINIMUM = 1, 1, 1, 3, 0
    # Addresses stay reserved for a while, and mappings start at a random place in theirs
    _RANGES_KEPT, _PLACES = 256, 16

    def __init__(self, ordinal, library="libcuda.so.1"):
        self.driver, self.ordinal, self.device = ctypes.CDLL(library), ordinal, f"cuda:{ordinal}"
        # Reserved, and which mapping lies in which
        self.ranges, self.starts, self.dice = [], {}, random.SystemRandom()
        device, context, unit = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_size_t()
        self.call("cuInit", ctypes.c_uint(0))
        self.call("cuDeviceGet", ctypes.byref(device), ctypes.c_int(ordinal))
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.location = _Location(self._ON_DEVICE, device.value)
        properties = _Properties(self._PINNED, self._POSIX_FD, self.location)
        self.call("cuMemGetAllocationGranularity", ctypes.byref(unit), ctypes.byref(properties),
                  ctypes.c_int(self._MINIMUM))
        self.unit = unit.value

    def call(self, name, *arguments):
        code = getattr(self.driver, name)(*arguments)
        if code != 0:
            text = ctypes.c_char_p()
            self.driver.cuGetErrorString(ctypes.c_int(code), ctypes.byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'error').decode()} ({code})")

    def take(self, descriptor, size):
        handle = ctypes.c_uint64()
        self.call(
            "cuMemImportFromShareableHandle",
            ctypes.byref(handle),
            ctypes.c_void_p(descriptor),
            ctypes.c_int(self._POSIX_FD),
        )
        return handle.value, -(-size // self.unit) * self.unit

    def map(self, handle, size):
        base, room = ctypes.c_uint64(), size + self._PLACES * self.unit
        self.call(
            "cuMemAddressReserve",
            ctypes.byref(base),
            ctypes.c_size_t(room),
            ctypes.c_size_t(0),
            ctypes.c_uint64(0),
            ctypes.c_uint64(0),
        )
        self.ranges.append((base.value, room))
        address = base.value + self.dice.randrange(self._PLACES) * self.unit
        self.call("cuMemMap", ctypes.c_uint64(address), ctypes.c_size_t(size), ctypes.c_size_t(0),
                  ctypes.c_uint64(handle), ctypes.c_uint64(0))
        self.starts[address] = base.value
        access = _Access(self.location, self._READ_WRITE)
        self.call(
            "cuMemSetAccess",
            ctypes.c_uint64(address),
            ctypes.c_size_t(size),
            ctypes.byref(access),
            ctypes.c_size_t(1),
        )
        return address

    def unmap(self, address, size):
        self.call("cuMemUnmap", ctypes.c_uint64(address), ctypes.c_size_t(size))
        del self.starts[address]
        self._forget(self._RANGES_KEPT)

    def _forget(self, keep):
        used = set(self.starts.values())
        idle = [one for one in self.ranges if one[0] not in used]
        for base, room in idle[: max(0, len(idle) - keep)]:
            self.call("cuMemAddressFree", ctypes.c_uint64(base), ctypes.c_size_t(room))
            self.ranges.remove((base, room))

    def release(self, handle):
        self.call("cuMemRelease", ctypes.c_uint64(handle))
        if not self.starts:
            self._forget(0)

    def bytes(self, address, size):
        # A view over these very bytes: torch looks the address up and takes the device from it.
        described = type(
            "Bytes",
            (),
            {
                "__cuda_array_interface__": {
                    "shape": (size,),
                    "typestr": "|u1",
                    "data": (address, False),
                    "strides": None,
                    "version": 2,
                }
            },
        )()
        return torch.as_tensor(described, device=self.device)


def open_blocks(device):
    """`device` as the judge names it: "cuda:0", or anything else for memory of the host."""
    kind, _, ordinal = device.partition(":")
    return Blocks(CudaMemory(int(ordinal or 0)) if kind == "cuda" else HostMemory())


def torch_device(device):
    """The same device in torch's words."""
    return device if device.startswith("cuda") else "cpu"
