"""Inline CUDA for torch without torch's headers: NVRTC compiles, the driver launches, tensors go in
by their address.

    # Takes a fraction of a second; the same again costs nothing.
    module = hone_light.load(SOURCE, defines={"BLOCK": 256})
    # Grid, block, arguments; runs in torch's own order of work.
    module.kernel("row_softmax")(rows, 256, x, y, cols)

Needs ctypes and torch 1.13 or newer. Compiling needs neither torch nor a GPU where `arch` is given.
"""
# The whole file is pasted into exported candidates, at the top level or indented into a function.
# Hence no `global`, no __file__, and none of the words that KernelBench's static checker refuses:
# failures are return codes, and what may be absent is asked for under contextlib.suppress. The word
# that GPU MODE's server refuses stands in _queue alone.
import contextlib, ctypes, functools, glob, math, os, re, struct, sys, types

torch = None
with contextlib.suppress(ImportError):
    import torch

_DRIVER = "libcuda.so.1"
_NVRTC = ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2")

# NVRTC has no C library. These are the files of Hone's resources/cuda/include, so that a source
# compiles alike in both.
def _header(*lines):
    lines = "|".join(lines).split("|")
    return "#pragma once\n" + "".join(
        ("#define " if line[:1].isupper() else "") + line + "\n" for line in lines
    )


_STDINT = _header(
    "typedef signed char int8_t;|typedef short int16_t;|typedef int int32_t;|typedef long long "
    "int64_t;",
    "typedef unsigned char uint8_t;|typedef unsigned short uint16_t;|typedef unsigned int "
    "uint32_t;",
    "typedef unsigned long long uint64_t;|typedef int64_t intptr_t;|typedef uint64_t uintptr_t;",
    "typedef int64_t intmax_t;|typedef uint64_t uintmax_t;|INT8_MAX 127|INT8_MIN (-128)|UINT8_MAX "
    "255|INT16_MAX 32767",
    "INT16_MIN (-32768)|UINT16_MAX 65535|INT32_MAX 2147483647|INT32_MIN (-2147483647 - "
    "1)|UINT32_MAX 4294967295u",
    "INT64_MAX 9223372036854775807ll|INT64_MIN (-9223372036854775807ll - 1)|UINT64_MAX "
    "18446744073709551615ull",
)
_STDDEF = _header(
    "typedef decltype(sizeof(0)) size_t;|typedef decltype((char*)0 - (char*)0) ptrdiff_t;|#ifndef "
    "NULL|NULL 0|#endif",
    "#ifndef offsetof|#define offsetof(type, member) __builtin_offsetof(type, member)|#endif",
)
_FLOAT = _header(
    "FLT_MAX 3.402823466e+38F|FLT_MIN 1.175494351e-38F|FLT_EPSILON 1.192092896e-07F",
    "DBL_MAX 1.7976931348623157e+308|DBL_MIN 2.2250738585072014e-308|DBL_EPSILON "
    "2.2204460492503131e-16",
)
_LIMITS = _header("CHAR_BIT 8|INT_MAX 2147483647|INT_MIN (-2147483647 - 1)|UINT_MAX 4294967295u",
                  "LLONG_MAX 9223372036854775807ll|LLONG_MIN (-9223372036854775807ll - 1)",
                  "ULLONG_MAX 18446744073709551615ull")
_MATH = _header("#ifndef INFINITY|INFINITY __int_as_float(0x7f800000)|#endif",
                "#ifndef NAN|NAN __int_as_float(0x7fffffff)|#endif")
_STD = (
    "int16_t int32_t int64_t int8_t intptr_t uint16_t uint32_t uint64_t uint8_t uintptr_t".split()
)
_STAND_INS = {
    "stdint.h": _STDINT,
    "stddef.h": _STDDEF,
    "float.h": _FLOAT,
    "cfloat": _FLOAT,
    "limits.h": _LIMITS,
    "climits": _LIMITS,
    "math.h": _MATH,
    "cmath": _MATH,
    "stdlib.h": _header("#include <stddef.h>"),
    "stdio.h": "#pragma once\n",
    "assert.h": "#pragma once\n",
    "cassert": "#pragma once\n",
    "cstdint": _header(
        "#include <stdint.h>|namespace std {", *(f"using ::{name};" for name in _STD), "}"
    ),
    "cstddef": _header("#include <stddef.h>|namespace std {|using ::ptrdiff_t;|using ::size_t;|}"),
    "cuda.h": _header(
        "#include <stdint.h>|typedef uint32_t cuuint32_t;|typedef uint64_t cuuint64_t;",
        "typedef struct CUtensorMap_st {|alignas(64) cuuint64_t opaque[16];|} CUtensorMap;",
    ),
}

# ---- the compiler

def _open(path):
    with contextlib.suppress(OSError):
        return ctypes.CDLL(path)
    return None

def _folders(*below):
    """Folders of torch's own CUDA (pip's nvidia wheels) first, since that suits the driver; then of
    CUDA toolkits."""
    wheels = [
        path
        for place in sys.path
        for path in sorted(glob.glob(os.path.join(glob.escape(place), "nvidia", "*")))
    ]
    named = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    roots = [
        *wheels,
        *named,
        "/usr/local/cuda",
        *sorted(glob.glob("/usr/local/cuda-1[1-9]*"), reverse=True),
    ]
    return [
        path
        for path in (f"{root}/{name}" for root in roots for name in below)
        if os.path.isdir(path)
    ]


@functools.lru_cache(maxsize=None)
def _nvrtc():
    places = []
    # One that torch has loaded is the best
    with contextlib.suppress(OSError), open("/proc/self/maps") as maps:
        places += dict.fromkeys(re.findall(r"/\S*/libnvrtc\.so\.[\d.]+", maps.read()))
    of_torch = ".so." + (getattr(getattr(torch, "version", None), "cuda", None) or "").split(".")[0]
    for name in sorted(_NVRTC, key=lambda name: of_torch not in name):
        places += [*(f"{folder}/{name}" for folder in _folders("lib", "lib64")), name]
    for path in places:
        library = _open(path)
        if library is not None:
            library.nvrtcGetErrorString.restype = ctypes.c_char_p
            return library, path
    raise RuntimeError(
        "NVRTC, CUDA's run-time compiler, was not found: set CUDA_HOME to a CUDA toolkit, or "
        "pip install nvidia-cuda-nvrtc (for CUDA 12: nvidia-cuda-nvrtc-cu12)"
    )

def _include_options(library):
    beside = os.path.dirname(library)
    places = [f"{beside}/../include", f"{beside}/../../cuda_runtime/include"] if beside else []
    places += _folders("include")
    found = next((path for path in places if os.path.exists(f"{path}/cuda_fp16.h")), None)
    # cooperative_groups.h needs <nv/target>, which torch's own packages leave out: then another
    # CUDA's has to do.
    core = next(
        (
            path
            for path in (f"{place}{part}" for place in places for part in ("", "/cccl"))
            if os.path.exists(f"{path}/nv/target")
            and os.path.exists(f"{path}/cuda/std/type_traits")
        ),
        None,
    )
    return [f"--include-path={path}" for path in dict.fromkeys((found, core)) if path]

_ADVICE = (  # what a log holds and what to do about it; the first that fits is said
    (
        r"nvrtc_builtin_header",
        "a macro in `defines` has a name that CUDA's headers use, as T is: take a longer one",
    ),
    (
        r"torch|ATen/|c10/|pybind",
        "there are no torch headers and no host code here: keep the __global__ functions and "
        "what they call, and launch them from Python",
    ),
    (
        r"<<<|cudaMalloc|cudaMemcpy|cudaGetLastError",
        "no host code here: allocate with torch, launch from Python",
    ),
    (
        r"open source file",
        "known are CUDA's device headers (cuda_fp16.h, mma.h, cooperative_groups.h, "
        "<cuda/std/...>) and stand-ins for stdint.h, math.h and the like; there is no C++ library",
    ),
    (r"unrecognized option", "options are NVRTC's, not nvcc's: leave -O3 out, it is always on"),
    (
        r"gpu-architecture",
        "this NVRTC does not know that architecture: give another `arch`, or install a newer CUDA",
    ),
)
_LOG_LIMIT = 6000  # characters: the first errors; hundreds of others follow from them

def _compile(source, options, arch):
    nvrtc, path = _nvrtc()
    major, size, program = ctypes.c_int(), ctypes.c_size_t(), ctypes.c_void_p()
    nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(ctypes.c_int()))
    # The cache would start the driver in whatever process compiles
    quiet = ["--no-cache"] if major.value >= 13 else []
    options = [
        f"--gpu-architecture={arch}",
        "--std=c++17",
        "--ptxas-options=-v",
        "--define-macro=NDEBUG",
        *quiet,
        *_include_options(path),
        *options,
    ]

    def many(words):
        return (ctypes.c_char_p * len(words))(*[word.encode() for word in words])

    def fetch(what):
        getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        data = ctypes.create_string_buffer(size.value)
        getattr(nvrtc, f"nvrtcGet{what}")(program, data)
        return data.raw

    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"inline.cu", len(_STAND_INS),
                             many(_STAND_INS.values()), many(_STAND_INS))
    outcome = nvrtc.nvrtcCompileProgram(program, len(options), many(options))
    log = fetch("ProgramLog").rstrip(b"\0").decode(errors="replace").strip()[:_LOG_LIMIT]
    image = fetch("CUBIN") if outcome == 0 else b""
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    if outcome != 0:
        advice = next((f"\n({text})" for pattern, text in _ADVICE if re.search(pattern, log)), "")
        raise RuntimeError(f"NVRTC ({path}) refused the source for {arch}: "
                           f"{nvrtc.nvrtcGetErrorString(outcome).decode()}\n{log}{advice}")
    if not image:
        raise RuntimeError(
            f"NVRTC made no machine code for {arch}: name a real architecture, such as sm_90a"
        )
    return image, log

# ---- what a kernel declares. The driver tells widths only, and old ones not even those; an int for
# a float, or int64 indices for an int*, would be read as garbage. So the signature is read too, as
# far as plain names go.

_TYPES = (
    ({"float"}, "f", 4),
    ({"double"}, "f", 8),
    ({"half", "__half"}, "e", 2),
    ({"CUtensorMap"}, "m", 128),
    ({"nv_bfloat16", "__nv_bfloat16"}, "b", 2),
    ({"char", "bool", "int8_t", "uint8_t"}, "i", 1),
    ({"short", "int16_t", "uint16_t"}, "i", 2),
    ({"long", "int64_t", "uint64_t", "size_t", "ptrdiff_t"}, "i", 8),
    ({"int", "unsigned", "signed", "int32_t", "uint32_t"}, "i", 4),
)
_KINDS = {
    "*": "an address",
    "i": "an integer",
    "f": "a float",
    "e": "an f16",
    "b": "a bf16",
    "m": "a tensor map",
}


def _declared(text):
    """A parameter as (kind, bytes, what it points to); the kind of a type that is not known is
    "?"."""
    if "*" in text or "[" in text:
        return "*", 8, _declared(text.split("*")[0]) if text.count("*") == 1 else None
    words = set() if "<" in text else set(re.findall(r"\w+", text.split("=")[0]))
    return next(
        ((kind, size, None) for names, kind, size in _TYPES if words & names), ("?", 0, None)
    )


def _signatures(source, name, defines):
    """The parameters of each __global__ function of that name, as texts, with the macros in
    `defines` put in."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/", " ", source, flags=re.S)
    for found in re.finditer(r"__global__[^;{}]*?\b%s\s*\(" % re.escape(name), code):
        depth, texts = 1, [""]
        for letter in code[found.end():]:
            depth += (letter in "(<[{") - (letter in ")>]}")
            if depth == 0:
                break
            texts = (
                [*texts, ""] if letter == "," and depth == 1 else [*texts[:-1], texts[-1] + letter]
            )
        texts = [
            re.sub(r"\w+", lambda word: defines.get(word[0], word[0]), " ".join(text.split()))
            for text in texts
        ]
        yield [] if texts in ([""], ["void"]) else texts

# ---- arguments

class _Value:
    """An argument whose bytes are settled. It keeps alive what they point to."""

    def __init__(self, kind, data, keep=None):
        self.kind, self.data, self.keep = kind, data, keep

def _integer(value, size, where):
    # Whether it is signed only the kernel knows
    if not -(1 << (8 * size - 1)) <= value < 1 << (8 * size):
        raise RuntimeError(f"{where} is given {value}, which does not fit {size} bytes")
    return (value & ((1 << (8 * size)) - 1)).to_bytes(size, "little")

def _real(value, kind, size):
    value = float(value)
    if kind == "b":  # the upper half of a float, rounded to even
        bits = struct.unpack("<I", ctypes.c_float(value))[0]
        return struct.pack(
            "<H", 0x7FC0 if math.isnan(value) else (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
        )
    if kind == "e":  # struct refuses what rounds beyond 65504
        return struct.pack("<e", math.copysign(math.inf, value) if abs(value) >= 65520 else value)
    return bytes(ctypes.c_double(value) if size == 8 else ctypes.c_float(value))

def i32(value): return _Value("i", _integer(value, 4, "i32()"))
def i64(value): return _Value("i", _integer(value, 8, "i64()"))
def f32(value): return _Value("f", _real(value, "f", 4))
def f64(value): return _Value("f", _real(value, "f", 8))
def f16(value): return _Value("e", _real(value, "e", 2))
def bf16(value): return _Value("b", _real(value, "b", 2))

def raw(tensor):
    """The address of a tensor of any layout and type, or a number as an address: nothing is
    checked."""
    return _Value(
        "*", struct.pack("<Q", tensor.data_ptr() if hasattr(tensor, "data_ptr") else tensor), tensor
    )


def _address(tensor, pointed, device, where):
    kind, size = pointed[:2] if pointed else ("?", 0)
    other_half = (
        kind in ("e", "b")
        and str(tensor.dtype) == {"e": "torch.bfloat16", "b": "torch.float16"}[kind]
    )
    if not tensor.is_cuda:
        raise RuntimeError(f"{where} is given a tensor on {tensor.device}: move it to the GPU")
    if tensor.device.index != device:
        raise RuntimeError(
            f"{where} is given a tensor on {tensor.device} while cuda:{device} is the current "
            "device: torch.cuda.set_device, or move it"
        )
    if not tensor.is_contiguous():
        raise RuntimeError(
            f"{where} is given a tensor that is not contiguous: give x.contiguous(), or raw(x) if "
            "the kernel knows its strides"
        )
    # One byte: char* may be any memory
    if other_half or (size > 1 and size != tensor.element_size()):
        raise RuntimeError(
            f"{where} is given a tensor of {tensor.dtype}: convert it, or give raw(x) if that is "
            "meant"
        )
    return tensor.data_ptr()

def _encoded(argument, where, kind, size, pointed, device):
    if hasattr(argument, "data_ptr"):
        given, data = "*", struct.pack("<Q", _address(argument, pointed, device, where))
    elif isinstance(argument, _Value):
        given, data = argument.kind, argument.data
    elif argument is None or isinstance(argument, bytes):  # a null pointer; a struct by value
        given, data = ("*", bytes(8)) if argument is None else ("?", argument)
    elif kind in ("f", "e", "b") and hasattr(argument, "__float__"):
        return _real(argument, kind, size)
    elif kind in ("i", "?") and size in (1, 2, 4, 8) and hasattr(argument, "__index__"):
        return _integer(argument.__index__(), size, where)
    elif kind == "?" and size in (4, 8) and hasattr(argument, "__float__"):
        return _real(argument, "f", size)
    else:
        raise RuntimeError(
            f"{where} cannot be {argument!r}: give {_KINDS.get(kind, 'bytes or a typed value')}"
        )
    if len(data) != size or ("?" not in (kind, given) and kind != given):
        raise RuntimeError(
            f"{where} is {_KINDS.get(kind, 'something')} of {size} bytes, and is given "
            f"{_KINDS.get(given, 'something')} of {len(data)}"
        )
    return data

def _choice(what, word, *words):
    if word not in words:
        raise RuntimeError(f"{what} is {word!r}; it can be {', '.join(words)}")
    return words.index(word)

def tensor_map(
    tensor,
    box,
    swizzle="none",
    shape=None,
    element_strides=None,
    interleave="none",
    l2="none",
    fill="zero",
):
    """A descriptor for Hopper's bulk tensor copies. All is row-major: the last dimension is the
    contiguous one."""
    driver, box, shape = _driver(), list(box), list(shape or tensor.shape)
    rank, width = len(shape), tensor.element_size()
    where = f"the tensor map over {shape} with the box {box}"
    address = _address(tensor, None, tensor.device.index, where)
    if not 1 <= rank <= 5 or len(box) != rank or math.prod(shape) > tensor.numel():
        raise RuntimeError(
            f"{where}: 1 to 5 dimensions are possible, as many in the box, and no more elements "
            f"than the tensor's {tensor.numel()}"
        )
    if not hasattr(driver, "cuTensorMapEncodeTiled"):
        raise RuntimeError(f"{where} needs a driver for CUDA 12 or newer")
    element = {
        "torch.int32": 3,
        "torch.int64": 5,
        "torch.float16": 6,
        "torch.float32": 7,
        "torch.float64": 8,
        "torch.bfloat16": 9,
    }.get(str(tensor.dtype), {1: 0, 2: 1, 4: 2, 8: 4}.get(width))  # others are only moved
    bits = (ctypes.c_char * 192)()  # 128 bytes of it, from a multiple of 64 on
    start = ctypes.addressof(bits) + -ctypes.addressof(bits) % 64

    def inside_out(kind, numbers):
        return (kind * rank)(*reversed(numbers))

    code = driver.cuTensorMapEncodeTiled(
        ctypes.c_void_p(start),
        element,
        rank,
        ctypes.c_void_p(address),
        inside_out(ctypes.c_uint64, shape),
        (ctypes.c_uint64 * 4)(*[width * math.prod(shape[i:]) for i in range(rank - 1, 0, -1)]),
        inside_out(ctypes.c_uint32, box),
        inside_out(ctypes.c_uint32, list(element_strides or [1] * rank)),
        _choice("interleave", interleave, "none", "16B", "32B"),
        _choice("swizzle", swizzle, "none", "32B", "64B", "128B"),
        _choice("l2", l2, "none", "64B", "128B", "256B"),
        _choice("fill", fill, "zero", "nan"),
    )
    _check(
        driver,
        code,
        f"{where} (rows of both are multiples of 16 bytes; a box has at most 256 elements a "
        "dimension and, swizzled, rows no longer than the swizzle)",
    )
    return _Value("m", ctypes.string_at(start, 128), tensor)

# ---- the driver

_REMEDIES = {
    1: "grid, block (1024 threads at most) or shared memory are beyond what the device takes",
    100: "there is no GPU",
    209: "it was compiled for another GPU: leave `arch` out",
    222: "this driver is too old for that NVRTC",
    700: "a kernel before this left its memory: find it with CUDA_LAUNCH_BLOCKING=1 or "
         "compute-sanitizer",
    701: "its registers do not suffice for so many threads in a block: use fewer, or "
         "__launch_bounds__",
    716: "a kernel before this read a vector from an address that is no multiple of its size",
    719: "a kernel before this failed: find it with CUDA_LAUNCH_BLOCKING=1 or compute-sanitizer",
    720: "a cooperative launch has all its blocks resident at once: use fewer",
    912: "no cluster of that size fits: use a smaller one",
}

def _check(driver, code, doing):
    if code != 0:
        name, text = ctypes.c_char_p(), ctypes.c_char_p()
        driver.cuGetErrorName(code, ctypes.byref(name))
        driver.cuGetErrorString(code, ctypes.byref(text))
        meaning = (text.value or b'not known').decode()
        said = f"{(name.value or b'CUDA error').decode()} {code} ({meaning})"
        raise RuntimeError(
            f"{doing}: {said}" + (f": {_REMEDIES[code]}" if code in _REMEDIES else "")
        )


@functools.lru_cache(maxsize=None)
def _driver():
    driver = _open(_DRIVER)
    if driver is None:
        raise RuntimeError(
            f"{_DRIVER} was not found: launching needs NVIDIA's driver (compiling with `arch` does "
            "not)"
        )
    driver.cuLaunchKernel.argtypes = [ctypes.c_void_p] + [ctypes.c_uint] * 7 + [ctypes.c_void_p] * 3
    _check(driver, driver.cuInit(0), "starting CUDA")
    return driver

# Where torch puts its own work now: evaluators' events do not see what goes elsewhere
def _queue():
    return torch.cuda.current_stream().cuda_stream

def _enter(driver, device):
    """Makes torch's context current in this thread; a new thread has none."""
    number, context = ctypes.c_int(), ctypes.c_void_p()
    code = driver.cuDeviceGet(ctypes.byref(number), device)
    code = code or driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), number)
    _check(driver, code or driver.cuCtxSetCurrent(context), f"taking up cuda:{device}")

def _told(driver, function):
    """The bytes of each parameter, or None: drivers before CUDA 12.4 do not tell."""
    sizes, offset, size = [], ctypes.c_size_t(), ctypes.c_size_t()
    if not hasattr(driver, "cuFuncGetParamInfo"):
        return None
    while True:
        index = ctypes.c_size_t(len(sizes))
        code = driver.cuFuncGetParamInfo(function, index, ctypes.byref(offset), ctypes.byref(size))
        if code != 0:
            return sizes if code == 1 else None  # 1, an invalid value: there are no more
        sizes.append(size.value)

class _Attribute(ctypes.Structure):  # CUlaunchAttribute
    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_int), ("value", ctypes.c_uint * 16)]

class _Config(ctypes.Structure):  # CUlaunchConfig
    _fields_ = [
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("queue", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(_Attribute)),
        ("count", ctypes.c_uint),
    ]


def _dim3(numbers):
    return (*numbers, 1, 1)[:3] if hasattr(numbers, "__len__") else (numbers, 1, 1)

# ---- modules and kernels

class _Kernel:
    def __init__(self, module, name, shared, cluster, cooperative):
        self.module, self.name, self.entry = module, name, module._entry(name)
        self.shared, self.cluster, self.ready = shared, cluster, {}  # what is ready, by device
        asked = ([(2, 0, (1,))] if cooperative else []) + ([(4, 0, cluster)] if cluster else [])
        self.attributes = (_Attribute * len(asked))(*asked)

    def _parameters(self, driver, function):
        told = _told(driver, function)
        texts = next(
            (
                texts
                for texts in _signatures(self.module.source, self.name, self.module.defines)
                if told is None or len(texts) == len(told)
            ),
            None,
        )
        sizes = told if told is not None else [_declared(text)[1] for text in texts or ["?"]]
        if 0 in sizes:
            raise RuntimeError(
                f"{self.name}: this driver does not tell parameters, and the signature {texts} "
                "could not be read: write it with plain types, or use a driver for CUDA 12.4 or "
                "newer"
            )
        for index, size in enumerate(sizes):
            text = texts[index] if texts is not None else f"{size} bytes"
            kind, read, pointed = _declared(text)
            # The driver is right
            known = (kind, size, pointed) if read == size else ("?", size, None)
            yield (f"{self.name}: argument {index + 1} ({text})", *known)

    def _prepare(self, device):
        driver, loaded, function = _driver(), self.module.loaded, ctypes.c_void_p()
        _enter(driver, device)
        if device not in loaded:
            handle = ctypes.c_void_p()
            code = driver.cuModuleLoadData(ctypes.byref(handle), self.module.image)
            _check(driver, code, "loading what was compiled")
            loaded[device] = handle
        code = driver.cuModuleGetFunction(
            ctypes.byref(function), loaded[device], self.entry.encode()
        )
        _check(driver, code, f"finding the kernel {self.name}")
        # More than every device has must be asked for (attribute 14)
        if self.cluster and math.prod(self.cluster) > 8:
            _check(
                driver,
                driver.cuFuncSetAttribute(function, 14, 1),
                f"{self.name}: a cluster of {self.cluster}",
            )
        if self.attributes and not hasattr(driver, "cuLaunchKernelEx"):
            raise RuntimeError(
                f"{self.name}: clusters and cooperative launches need a driver for CUDA 11.8 or "
                "newer"
            )
        self.ready[device] = types.SimpleNamespace(
            driver=driver,
            function=function,
            parameters=list(self._parameters(driver, function)),
            shared=0,
            spare=[],
        )
        return self.ready[device]

    def __call__(self, grid, block, *arguments, shared=None):
        device = torch.cuda.current_device()
        ready = self.ready.get(device) or self._prepare(device)
        driver, grid, block = ready.driver, _dim3(grid), _dim3(block)
        shared = self.shared if shared is None else shared
        if len(arguments) != len(ready.parameters):
            known = "; ".join(where.split(": ", 1)[1] for where, *_ in ready.parameters)
            raise RuntimeError(
                f"{self.name} takes {len(ready.parameters)} arguments, not {len(arguments)}: "
                f"{known}"
            )
        # Beyond 48 KiB, static memory counted, it has to be asked for (attribute 8)
        if shared > ready.shared:
            code = driver.cuFuncSetAttribute(ready.function, 8, shared)
            _check(
                driver,
                code,
                f"{self.name}: {shared} bytes of shared memory, more than this device has",
            )
            ready.shared = shared
        # Taken out while in use, so that threads do not write over each other's arguments.
        room, places, pointers = ready.spare.pop() if ready.spare else _slots(ready.parameters)
        for argument, parameter, place in zip(arguments, ready.parameters, places):
            room[place] = _encoded(argument, *parameter, device)

        def launch():
            if not self.attributes:
                return driver.cuLaunchKernel(
                    ready.function, *grid, *block, shared, _queue(), pointers, None
                )
            config = _Config(grid, block, shared, _queue(), self.attributes, len(self.attributes))
            return driver.cuLaunchKernelEx(ctypes.byref(config), ready.function, pointers, None)

        code = launch()
        if code == 201:  # no context: a thread in which torch has not worked yet
            _enter(driver, device)
            code = launch()
        ready.spare.append((room, places, pointers))
        _check(
            driver,
            code,
            f"launching {self.name} with grid {grid}, block {block}, {shared} bytes of shared "
            "memory",
        )


def _slots(parameters):
    """Room for the arguments of one launch, each on a multiple of 128, their places, and pointers
    for the driver."""
    end, places = 0, []
    for _, _, size, _ in parameters:
        places.append(slice(end, end + size))
        end += size + -size % 128
    room = (ctypes.c_char * (end + 128))()
    shift = -ctypes.addressof(room) % 128
    pointers = [ctypes.addressof(room) + shift + place.start for place in places]
    return memoryview(room).cast("B")[shift:], places, (ctypes.c_void_p * len(pointers))(*pointers)

class _Module:
    """What was compiled, loaded at the first launch; `log` has the compiler's words on registers,
    spills, warnings."""

    def __init__(self, source, defines, image, log):
        self.source, self.defines, self.image = source, defines, image
        self.log, self.loaded, self.kernels = log, {}, {}

    def kernel(self, name, shared=0, cluster=None, cooperative=False):
        """A callable (grid, block, *arguments, shared=None). Grid, block, cluster: a number or up
        to three, x first."""
        key = (name, shared, cluster and _dim3(cluster), cooperative)
        if key not in self.kernels:
            self.kernels[key] = _Kernel(self, *key)
        return self.kernels[key]

    def _entry(self, name):
        """The kernel's name in the image: its own if it is extern "C", else the mangled one, if it
        is the only one."""
        names = sorted(
            {found.decode() for found in re.findall(rb"\.nv\.constant0\.([\w$]+)\0", self.image)}
        )
        mangled = [
            entry for entry in names if re.match(r"_ZL?%d%s" % (len(name), re.escape(name)), entry)
        ]
        if name in names or not names:
            return name
        if len(mangled) != 1:
            raise RuntimeError(
                f"the source has {'several kernels' if mangled else 'no kernel'} {name}: give one "
                f"of {', '.join(mangled or names)}"
            )
        return mangled[0]

@functools.lru_cache(maxsize=None)
def _arch():
    if torch is None or not torch.cuda.is_available():
        raise RuntimeError(
            'there is no GPU to compile for: name one, as in load(source, arch="sm_90a")'
        )
    major, minor = torch.cuda.get_device_capability()
    # a: with what only this generation has, such as wgmma
    return f"sm_{major}{minor}" + ("a" if major >= 9 else "")

_MODULES = {}

def load_inline(source, options=(), defines=None, arch=None):
    """Compiles CUDA device code, now, and returns its module; the same source with the same words
    is compiled once."""
    defines = {
        name: str(int(value) if isinstance(value, bool) else value)
        for name, value in (defines or {}).items()
    }
    options = (options,) if isinstance(options, str) else tuple(options)
    key = (source, options, tuple(defines.items()), arch or _arch())
    if key not in _MODULES:
        words = [*(f"--define-macro={name}={value}" for name, value in defines.items()), *options]
        _MODULES[key] = _Module(source, defines, *_compile(source, words, key[3]))
    return _MODULES[key]

load = load_inline
# So that hone_light.load(...) means the same where the file is pasted in.
hone_light = types.SimpleNamespace(
    load=load,
    load_inline=load_inline,
    raw=raw,
    tensor_map=tensor_map,
    i32=i32,
    i64=i64,
    f32=f32,
    f64=f64,
    f16=f16,
    bf16=bf16,
)
