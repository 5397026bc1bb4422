"""Tests of the light loader without a GPU: python3 hone_light_test.py HONE_LIGHT FAKE_DRIVER
OLD_FAKE_DRIVER

Launches go to a library that stands in for the driver and writes down what it is told. The loader's
own `import torch` fails here on purpose; a stand-in takes torch's place, and what needs the real
one is skipped where there is none.
"""

import ast
import ctypes
import importlib.util
import math
import os
import pathlib
import re
import struct
import sys
import textwrap
import types
import unittest
import unittest.mock

LOADER, FAKE, OLD_FAKE = sys.argv[1:4]
TEXT = pathlib.Path(LOADER).read_text()
QUEUE = 0x7F00DEADBEEF  # wider than an int, as real handles are


def import_loader():
    spec = importlib.util.spec_from_file_location("hone_light", LOADER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


sys.modules["torch"] = None  # an import of it fails: compiling must not need it
light = import_loader()
del sys.modules["torch"]


class Cuda:
    device, capability, there = 0, (9, 0), True

    def current_device(self):
        return self.device

    def current_stream(self):
        return types.SimpleNamespace(cuda_stream=QUEUE)

    def is_available(self):
        return self.there

    def get_device_capability(self):
        return self.capability


class Tensor:
    """As much of a torch.Tensor as the loader looks at."""

    def __init__(
        self,
        shape=(4, 8),
        dtype="float32",
        width=4,
        device="cuda:0",
        contiguous=True,
        address=0x10000,
    ):
        self.shape, self.dtype, self.width, self.address = shape, f"torch.{dtype}", width, address
        self.is_cuda, self.contiguous = device.startswith("cuda"), contiguous
        self.device = type(
            "Device",
            (),
            {"index": int(device.partition(":")[2] or 0), "__str__": lambda self: device},
        )()

    def data_ptr(self):
        return self.address

    def element_size(self):
        return self.width

    def is_contiguous(self):
        return self.contiguous

    def numel(self):
        return math.prod(self.shape)


class Launching(unittest.TestCase):
    driver = FAKE

    def setUp(self):
        light._DRIVER = self.driver
        light._driver.cache_clear()
        light._arch.cache_clear()
        light._MODULES.clear()
        light.torch = types.SimpleNamespace(cuda=Cuda(), version=types.SimpleNamespace(cuda="13.0"))
        self.fake = ctypes.CDLL(self.driver)
        self.fake.fake_log.restype = ctypes.c_char_p
        self.fake.fake_reset()

    def module(self, source, *sizes, names=("k",)):
        """A module as if it had been compiled; the first kernel has parameters of these sizes."""
        for size in sizes:
            self.fake.fake_parameter(names[0].encode(), ctypes.c_size_t(size))
        image = b"\x7fELF" + b"".join(b".nv.constant0.%s\0" % name.encode() for name in names)
        return light._Module(source, {}, image, "")

    def kernel(self, parameters, *sizes, **words):
        return self.module(f'extern "C" __global__ void k({parameters}) {{}}', *sizes).kernel(
            "k", **words
        )

    def log(self):
        return self.fake.fake_log().decode().splitlines()

    def launched(self, kernel, *arguments, **words):
        """The bytes of each argument as the driver copied them."""
        kernel(1, 1, *arguments, **words)
        return [bytes.fromhex(word) for word in self.log()[-1].split(f"queue {QUEUE}")[1].split()]

    def refused(self, text, kernel, *arguments, **words):
        with self.assertRaisesRegex(RuntimeError, text):
            kernel(1, 1, *arguments, **words)


class Kernels(Launching):
    def test_are_launched_with_grid_block_shared_memory_and_torchs_queue(self):
        self.kernel("float* x", 8, shared=1024)((3, 2), 256, Tensor())
        self.assertEqual(
            self.log(),
            [
                "cuInit",
                "cuDeviceGet 0",
                "cuDevicePrimaryCtxRetain",
                "cuCtxSetCurrent ours",
                "cuModuleLoadData 7f454c46",
                "cuModuleGetFunction k",
                "cuFuncSetAttribute k 8=1024",
                f"cuLaunchKernel k grid 3,2,1 block 256,1,1 shared 1024 queue {QUEUE} "
                "0000010000000000",
            ],
        )

    def test_are_prepared_once(self):
        kernel = self.kernel("float* x, int n", 8, 4)
        kernel(1, 1, Tensor(), 1)
        before = len(self.log())
        kernel(1, 1, Tensor(address=0x20000), 2)
        self.assertEqual(
            [line.split(" queue")[0] for line in self.log()[before:]],
            ["cuLaunchKernel k grid 1,1,1 block 1,1,1 shared 0"],
        )
        self.assertTrue(self.log()[-1].endswith("0000020000000000 02000000"))
        self.assertIs(kernel.module.kernel("k"), kernel)
        self.assertIsNot(kernel.module.kernel("k", shared=16), kernel)

    def test_share_a_loaded_module_and_load_it_again_on_another_device(self):
        module = self.module('__global__ void k() {} __global__ void l() {}', names=("k", "l"))
        module.kernel("k")(1, 1)
        module.kernel("l")(1, 1)
        self.assertEqual(self.log().count("cuModuleLoadData 7f454c46"), 1)
        light.torch.cuda.device = 1
        module.kernel("k")(1, 1)
        self.assertEqual(self.log().count("cuModuleLoadData 7f454c46"), 2)
        self.assertIn("cuDeviceGet 1", self.log())

    def test_ask_for_more_shared_memory_only_when_it_grows(self):
        kernel = self.kernel("")
        for shared in (100_000, 50_000, 200_000, 200_000):
            kernel(1, 1, shared=shared)
        self.assertEqual(
            [line for line in self.log() if "Attribute" in line],
            ["cuFuncSetAttribute k 8=100000", "cuFuncSetAttribute k 8=200000"],
        )
        self.assertIn("shared 50000", "".join(self.log()))

    def test_say_so_when_the_device_has_less_shared_memory(self):
        self.fake.fake_fail(b"cuFuncSetAttribute", 1)
        self.refused(
            "k: 300000 bytes of shared memory.*CUDA_ERROR_INVALID_VALUE 1",
            self.kernel(""),
            shared=300_000,
        )
        self.assertFalse([line for line in self.log() if "Launch" in line])

    def test_are_launched_in_clusters_and_cooperatively(self):
        self.kernel("int n", 4, cluster=2)(4, 32, 7)
        self.assertEqual(
            self.log()[-1],
            f"cuLaunchKernelEx k grid 4,1,1 block 32,1,1 shared 0 queue {QUEUE} "
            "attribute 4=2,1,1 07000000",
        )
        self.kernel("int n", cluster=(4, 4), cooperative=True, shared=64)((8, 8), (16, 16), 7)
        self.assertIn(
            "cuFuncSetAttribute k 14=1", self.log()
        )  # sixteen blocks are more than every device has
        self.assertEqual(
            self.log()[-1],
            f"cuLaunchKernelEx k grid 8,8,1 block 16,16,1 shared 64 queue {QUEUE} "
            "attribute 2=1,0,0 attribute 4=4,4,1 07000000",
        )

    def test_name_the_error_what_was_launched_and_what_to_do(self):
        self.fake.fake_fail(b"cuLaunchKernel", 1)
        self.refused(
            r"launching k with grid \(1, 1, 1\), block \(1, 1, 1\), 0 bytes of shared memory: "
            r"CUDA_ERROR_INVALID_VALUE 1 \(invalid argument\): grid, block",
            self.kernel(""),
        )
        self.fake.fake_fail(b"cuLaunchKernelEx", 720)
        self.refused(
            "TOO_LARGE 720 .*resident at once: use fewer", self.kernel("", cooperative=True)
        )
        self.fake.fake_fail(b"cuLaunchKernel", 4711)  # one that this driver has no words for
        self.refused(r"CUDA error 4711 \(not known\)$", self.kernel(""))

    def test_name_a_broken_driver(self):
        self.fake.fake_fail(b"cuInit", 100)
        self.refused("starting CUDA: .*there is no GPU", self.kernel(""))
        self.fake.fake_reset()
        self.fake.fake_fail(b"cuModuleLoadData", 209)
        self.refused("loading what was compiled: .*another GPU: leave `arch` out", self.kernel(""))
        light._DRIVER = "libcuda-that-is-not-here.so"
        light._driver.cache_clear()
        self.refused("libcuda-that-is-not-here.so was not found", self.kernel(""))

    def test_take_up_torchs_context_in_a_thread_that_has_none(self):
        kernel = self.kernel("int n", 4)
        kernel(1, 1, 1)
        self.fake.fake_fail(b"cuLaunchKernel", -201)  # once
        kernel(1, 1, 2)
        self.assertEqual(
            [line.split()[0] for line in self.log()[-5:]],
            [
                "cuLaunchKernel",
                "cuDeviceGet",
                "cuDevicePrimaryCtxRetain",
                "cuCtxSetCurrent",
                "cuLaunchKernel",
            ],
        )
        self.assertTrue(self.log()[-1].endswith("02000000"))

    def test_are_found_by_their_plain_or_mangled_name(self):
        module = self.module(
            "", names=("plain", "_Z3addPfi", "_ZL5quietPf", "_Z4tileILi4EEvPf", "_Z4tileILi8EEvPf")
        )
        self.assertEqual(module.kernel("plain").entry, "plain")
        self.assertEqual(module.kernel("add").entry, "_Z3addPfi")
        self.assertEqual(module.kernel("quiet").entry, "_ZL5quietPf")
        self.assertEqual(module.kernel("_Z4tileILi8EEvPf").entry, "_Z4tileILi8EEvPf")
        with self.assertRaisesRegex(
            RuntimeError, "several kernels tile: give one of _Z4tileILi4EEvPf, _Z4tileILi8EEvPf"
        ):
            module.kernel("tile")
        with self.assertRaisesRegex(RuntimeError, "no kernel ad: give one of _Z3addPfi, .*plain"):
            module.kernel("ad")


class Arguments(Launching):
    def test_take_the_width_that_the_kernel_declares(self):
        kernel = self.kernel(
            "int a, long long b, unsigned char c, short d, float e, double f, bool g",
            4,
            8,
            1,
            2,
            4,
            8,
            1,
        )
        self.assertEqual(
            self.launched(kernel, -2, -3, 255, -1, 1.5, 0.1, True),
            [
                struct.pack("<i", -2),
                struct.pack("<q", -3),
                b"\xff",
                b"\xff\xff",
                struct.pack("<f", 1.5),
                struct.pack("<d", 0.1),
                b"\x01",
            ],
        )

    def test_are_converted_where_a_float_is_declared_and_an_int_given(self):
        self.assertEqual(
            self.launched(
                self.kernel("float a, double b, __half c, __nv_bfloat16 d", 4, 8, 2, 2), 1, 2, 3, 4
            ),
            [struct.pack("<f", 1), struct.pack("<d", 2), struct.pack("<e", 3), b"\x80\x40"],
        )

    def test_are_refused_where_an_int_is_declared_and_a_float_given(self):
        self.refused(
            r"k: argument 2 \(int n\) cannot be 1.5: give an integer",
            self.kernel("float* x, int n", 8, 4),
            None,
            1.5,
        )

    def test_are_refused_where_they_do_not_fit(self):
        kernel = self.kernel("unsigned n, char c", 4, 1)
        self.assertEqual(self.launched(kernel, 2**32 - 1, -128), [b"\xff\xff\xff\xff", b"\x80"])
        self.refused(
            r"argument 1 \(unsigned n\) is given 4294967296, which does not fit 4 bytes",
            kernel,
            2**32,
            0,
        )
        self.refused(
            r"argument 2 \(char c\) is given -129, which does not fit 1 bytes", kernel, 0, -129
        )
        with self.assertRaisesRegex(RuntimeError, "does not fit 4 bytes"):
            light.i32(1 << 40)

    def test_are_counted(self):
        kernel = self.kernel("float* x, int n", 8, 4)
        self.refused(
            r"k takes 2 arguments, not 1: argument 1 \(float\* x\); argument 2 \(int n\)",
            kernel,
            Tensor(),
        )
        self.refused("k takes 2 arguments, not 3", kernel, Tensor(), 1, 2)

    def test_go_by_the_drivers_widths_where_the_signature_says_nothing(self):
        kernel = self.kernel("Index n, Real x, Pair p, Half h", 8, 4, 12, 2)
        self.assertEqual(
            self.launched(kernel, 5, 2.5, b"abcdefghijkl", light.f16(1)),
            [struct.pack("<q", 5), struct.pack("<f", 2.5), b"abcdefghijkl", b"\x00\x3c"],
        )
        self.refused(
            "argument 4 .*cannot be 2.5: give bytes or a typed value",
            kernel,
            5,
            2.5,
            b"abcdefghijkl",
            2.5,
        )
        self.refused(
            "argument 3 .*is something of 12 bytes, and is given something of 3",
            kernel,
            5,
            2.5,
            b"abc",
            light.f16(1),
        )

    def test_may_be_typed_and_must_then_agree(self):
        kernel = self.kernel(
            "long n, double x, __half h, nv_bfloat16 b, int m, float f", 8, 8, 2, 2, 4, 4
        )
        self.assertEqual(
            self.launched(
                kernel,
                light.i64(-1),
                light.f64(0.5),
                light.f16(-2),
                light.bf16(1.5),
                light.i32(7),
                light.f32(2),
            ),
            [
                b"\xff" * 8,
                struct.pack("<d", 0.5),
                b"\x00\xc0",
                b"\xc0\x3f",
                struct.pack("<i", 7),
                struct.pack("<f", 2),
            ],
        )
        self.fake.fake_reset()
        self.refused(
            r"argument 1 \(int m\) is an integer of 4 bytes, and is given an integer of 8",
            self.kernel("int m", 4),
            light.i64(1),
        )
        self.refused(
            "is an integer of 4 bytes, and is given a float of 4",
            self.kernel("int m"),
            light.f32(1),
        )

    def test_round_halves_as_the_hardware_does(self):
        self.assertEqual(light.bf16(1 + 2**-8).data, b"\x80\x3f")  # halfway: to even
        self.assertEqual(light.bf16(1 + 3 * 2**-8).data, b"\x82\x3f")
        self.assertEqual(light.bf16(float("nan")).data, b"\xc0\x7f")
        self.assertEqual(light.bf16(-math.inf).data, b"\x80\xff")
        self.assertEqual(light.f16(65519).data, b"\xff\x7b")
        self.assertEqual(light.f16(-65520).data, b"\x00\xfc")
        self.assertEqual(light.f32(1e300).data, struct.pack("<f", math.inf))

    def test_that_are_tensors_go_by_address_and_none_is_a_null_pointer(self):
        self.assertEqual(
            self.launched(
                self.kernel("const float* __restrict__ x, float* bias", 8, 8),
                Tensor(address=0x7FFFDEADBE00),
                None,
            ),
            [struct.pack("<Q", 0x7FFFDEADBE00), bytes(8)],
        )

    def test_that_are_unfit_tensors_are_refused(self):
        kernel = self.kernel("const float* x", 8)
        where = r"k: argument 1 \(const float\* x\) is given a tensor "
        self.refused(where + "on cpu: move it to the GPU", kernel, Tensor(device="cpu"))
        self.refused(
            where + "on cuda:1 while cuda:0 is the current device", kernel, Tensor(device="cuda:1")
        )
        self.refused(
            where + r"that is not contiguous: give x.contiguous\(\), or raw\(x\)",
            kernel,
            Tensor(contiguous=False),
        )
        self.refused(
            where + "of torch.float64: convert it", kernel, Tensor(dtype="float64", width=8)
        )
        self.refused("cannot be 5: give an address", kernel, 5)
        self.assertFalse([line for line in self.log() if "Launch" in line])

    def test_that_are_raw_are_not_checked(self):
        self.assertEqual(
            self.launched(
                self.kernel("const float* x, void* y", 8, 8),
                light.raw(Tensor(dtype="float64", width=8, contiguous=False)),
                light.raw(0x42),
            ),
            [struct.pack("<Q", 0x10000), struct.pack("<Q", 0x42)],
        )

    def test_know_the_two_halves_apart_and_leave_bytes_and_structs_alone(self):
        half, bfloat = Tensor(dtype="float16", width=2), Tensor(dtype="bfloat16", width=2)
        kernel = self.kernel(
            "const __half* a, __nv_bfloat16* b, const char* c, float4* d, unsigned short* e",
            8,
            8,
            8,
            8,
            8,
        )
        kernel(1, 1, half, bfloat, half, Tensor(), half)
        self.refused(
            "argument 1 .*a tensor of torch.bfloat16", kernel, bfloat, bfloat, half, Tensor(), half
        )
        self.refused(
            "argument 2 .*a tensor of torch.float16", kernel, half, half, half, Tensor(), half
        )

    def test_that_are_tensors_are_refused_where_a_number_is_declared(self):
        self.refused(
            "is an integer of 4 bytes, and is given an address of 8",
            self.kernel("int n", 4),
            Tensor(),
        )
        self.fake.fake_reset()
        self.refused(
            "is an integer of 8 bytes, and is given an address of 8",
            self.kernel("size_t n", 8),
            Tensor(),
        )

    def test_of_two_threads_do_not_share_their_room(self):
        kernel, meanwhile = self.kernel("int n", 4), [2]
        kernel(1, 1, 0)

        # Another thread's turn after the arguments were written and before they are launched
        def in_between():
            if meanwhile:
                kernel(1, 1, meanwhile.pop())
            return types.SimpleNamespace(cuda_stream=QUEUE)

        light.torch.cuda.current_stream = in_between
        kernel(1, 1, 1)
        self.assertEqual([line[-8:] for line in self.log()[-2:]], ["02000000", "01000000"])


class TensorMaps(Launching):
    def test_turn_row_major_inside_out(self):
        made = light.tensor_map(
            Tensor((6, 128, 64), "bfloat16", 2), (1, 32, 64), swizzle="128B", l2="256B"
        )
        self.assertEqual(
            self.log()[-1],
            "cuTensorMapEncodeTiled type 9 at 65536 [64,128,64,1] [128,16384,32,1] [6,0,1,1] "
            "interleave 0 swizzle 3 l2 3 fill 0",
        )
        self.assertEqual(
            self.launched(
                self.kernel("const __grid_constant__ CUtensorMap map, int n", 128, 4), made, 3
            ),
            [b"\x5a" * 128, struct.pack("<i", 3)],
        )

    def test_see_a_tensor_with_another_shape(self):
        light.tensor_map(
            Tensor((1024,)),
            [16],
            shape=[32, 32][:1],
            element_strides=[2],
            interleave="none",
            fill="nan",
        )
        self.assertIn(
            "type 7 at 65536 [32,0,16,2] interleave 0 swizzle 0 l2 0 fill 1", self.log()[-1]
        )
        light.tensor_map(Tensor((64,), "float8_e4m3fn", 1), (16,))
        self.assertIn("type 0 ", self.log()[-1])

    def test_that_cannot_be_are_refused(self):
        for text, tensor, box, words in (
            ("1 to 5 dimensions", Tensor((2,) * 6), (1,) * 6, {}),
            ("as many in the box", Tensor(), (4,), {}),
            ("no more elements than the tensor's 32", Tensor(), (4, 8), {"shape": (5, 8)}),
            (
                "swizzle is '96B'; it can be none, 32B, 64B, 128B",
                Tensor(),
                (4, 8),
                {"swizzle": "96B"},
            ),
            ("not contiguous", Tensor(contiguous=False), (4, 8), {}),
            ("on cpu", Tensor(device="cpu"), (4, 8), {}),
        ):
            with self.subTest(text), self.assertRaisesRegex(RuntimeError, text):
                light.tensor_map(tensor, box, **words)
        self.fake.fake_fail(b"cuTensorMapEncodeTiled", 1)
        with self.assertRaisesRegex(
            RuntimeError, r"over \[4, 8\] with the box \[4, 3\] \(rows .*16 bytes.*INVALID_VALUE 1"
        ):
            light.tensor_map(Tensor(), (4, 3))

    def test_are_no_numbers(self):
        made = light.tensor_map(Tensor(), (4, 8))
        self.refused(
            "is an integer of 8 bytes, and is given a tensor map of 128",
            self.kernel("long n", 8),
            made,
        )


class OldDriver(Launching):
    driver = OLD_FAKE

    def test_has_its_widths_read_from_the_signature(self):
        kernel = self.kernel(
            "const float* x, long long n, int m = 3, __half h = 0, double d", 8, 8, 4, 2, 8
        )
        self.assertEqual(
            self.launched(kernel, Tensor(), 5, 6, 1, 2),
            [
                struct.pack("<Q", 0x10000),
                struct.pack("<q", 5),
                struct.pack("<i", 6),
                b"\x00\x3c",
                struct.pack("<d", 2),
            ],
        )

    def test_is_told_about_when_the_signature_cannot_be_read(self):
        self.refused(
            "does not tell parameters, and the signature .*Pair p.* CUDA 12.4",
            self.kernel("Pair p"),
            b"",
        )
        self.refused(
            "the signature None could not be read", self.module("MAKE_KERNEL(k)").kernel("k")
        )

    def test_is_told_about_when_it_lacks_a_feature(self):
        self.refused("need a driver for CUDA 11.8", self.kernel("", cluster=2))
        with self.assertRaisesRegex(RuntimeError, "needs a driver for CUDA 12"):
            light.tensor_map(Tensor(), (4, 8))

    def test_may_have_the_function_and_not_serve_it(self):
        light._DRIVER = FAKE
        fake = ctypes.CDLL(FAKE)
        fake.fake_reset()
        fake.fake_fail(b"cuFuncGetParamInfo", 801)
        fake.fake_parameter(b"k", ctypes.c_size_t(4))
        self.kernel("int n")(1, 1, 9)
        fake.fake_log.restype = ctypes.c_char_p
        self.assertTrue(fake.fake_log().decode().endswith("09000000\n"))


class Loading(Launching):
    def setUp(self):
        super().setUp()
        self.compiled, real = [], light._compile
        light._compile = lambda source, words, arch: (
            self.compiled.append((source, words, arch)),
            (b"image", "log"),
        )[1]
        self.addCleanup(setattr, light, "_compile", real)

    def test_compiles_the_same_once(self):
        first = light.load("a", defines={"BLOCK": 256})
        self.assertIs(light.load("a", defines={"BLOCK": 256}), first)
        self.assertIs(light.load_inline("a", defines={"BLOCK": "256"}, arch="sm_90a"), first)
        for words in (
            {"defines": {"BLOCK": 128}},
            {"options": ["--use_fast_math"]},
            {"arch": "sm_80"},
        ):
            self.assertIsNot(light.load("a", **words), first)
        self.assertIsNot(light.load("b"), first)
        self.assertEqual(len(self.compiled), 5)

    def test_hands_on_macros_and_options(self):
        light.load(
            "a", options="--use_fast_math", defines={"BLOCK": 256, "FAST": True, "REAL": "float"}
        )
        self.assertEqual(
            self.compiled[0][1],
            [
                "--define-macro=BLOCK=256",
                "--define-macro=FAST=1",
                "--define-macro=REAL=float",
                "--use_fast_math",
            ],
        )

    def test_is_for_the_gpu_that_is_there(self):
        for capability, arch in (((8, 0), "sm_80"), ((9, 0), "sm_90a"), ((10, 0), "sm_100a")):
            light._arch.cache_clear()
            light.torch.cuda.capability = capability
            light.load("a")
            self.assertEqual(self.compiled[-1][2], arch)

    def test_says_what_to_do_without_a_gpu_or_torch(self):
        light.torch.cuda.there = False
        with self.assertRaisesRegex(
            RuntimeError, 'no GPU to compile for: name one, as in load.source, arch="sm_90a"'
        ):
            light.load("a")
        light.torch = None
        with self.assertRaisesRegex(RuntimeError, "no GPU to compile for"):
            light.load("a")
        light.load("a", arch="sm_90a")

    def test_touches_no_driver(self):
        light._DRIVER = "libcuda-that-is-not-here.so"
        light.load("a", arch="sm_90a").kernel


class Signatures(unittest.TestCase):
    def read(self, source, name="k", **defines):
        return [
            [light._declared(text)[:2] for text in texts]
            for texts in light._signatures(source, name, defines)
        ]

    def test_are_read_through_attributes_comments_and_layout(self):
        self.assertEqual(
            self.read(
                '''
            // __global__ void k(int wrong);
            extern "C" __global__ void __launch_bounds__(256, 2) __cluster_dims__(2, 1, 1)
            k(const float* __restrict__ x,   /* , int also_wrong */
              unsigned long long n, std::uint16_t m, const __grid_constant__ CUtensorMap map,
              volatile unsigned char* const* table, float y[], signed char s = f(1, 2)) { g(1); }'''
            ),
            [[("*", 8), ("i", 8), ("i", 2), ("m", 128), ("*", 8), ("*", 8), ("i", 1)]],
        )

    def test_are_those_of_the_kernel_asked_for(self):
        source = (
            "__global__ void kk(int a); __global__ void k(float b) { } void k2(double c); "
            "__global__ void k();")
        self.assertEqual(self.read(source), [[("f", 4)], []])
        self.assertEqual(self.read(source, "kk"), [[("i", 4)]])
        self.assertEqual(self.read(source, "k2"), [])

    def test_have_given_macros_put_in_and_leave_other_types_open(self):
        source = (
            "template <typename T> __global__ void k(REAL a, T b, float4 c, array<int, 3> d, REAL* "
            "e)")
        self.assertEqual(
            self.read(source, REAL="double"), [[("f", 8), ("?", 0), ("?", 0), ("?", 0), ("*", 8)]]
        )
        texts = next(light._signatures(source, "k", {"REAL": "double"}))
        self.assertEqual(light._declared(texts[4])[2], ("f", 8, None))

    def test_that_never_end_are_survived(self):
        self.assertEqual(len(self.read("__global__ void k(int a, ")), 1)


class Compiling(unittest.TestCase):
    """With a real NVRTC, which needs no GPU."""

    @classmethod
    def setUpClass(cls):
        light.torch = None
        if not any(map(light._open, light._NVRTC)) and not any(
            os.path.exists(f"{folder}/{name}")
            for folder in light._folders("lib", "lib64")
            for name in light._NVRTC
        ):
            raise unittest.SkipTest("there is no NVRTC here")

    def test_makes_machine_code_with_every_stand_in_header(self):
        source = (
            "".join(f"#include <{name}>\n" for name in light._STAND_INS)
            + """
            __global__ void k(float* x, std::size_t n, const __grid_constant__ CUtensorMap map,
                              REAL a) {
              if (n < INT32_MAX) x[n] = INFINITY * a + FLT_MAX + sizeof(map) + BLOCK; }"""
        )
        module = light.load(source, defines={"REAL": "float", "BLOCK": 256}, arch="sm_90a")
        self.assertEqual(module.image[:4], b"\x7fELF")
        self.assertTrue(module.kernel("k").entry.startswith("_Z1kPf"))
        self.assertIn("registers", module.log)
        self.assertIs(
            light.load(source, defines={"REAL": "float", "BLOCK": 256}, arch="sm_90a"), module
        )

    def test_makes_machine_code_of_the_example_in_the_documentation(self):
        page = pathlib.Path(LOADER).parents[2] / "docs" / "python.md"
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
        (example,) = [text for text in blocks if "hone_light.load" in text]
        source = re.search(r'SOURCE = r"""(.*?)"""', example, re.S)[1]
        block = int(re.search(r"BLOCK = (\d+)", example)[1])
        module = light.load(source, defines={"BLOCK": block}, arch="sm_90a")
        declared = next(light._signatures(source, "relu", {}))
        kinds = [light._declared(text)[:2] for text in declared]
        self.assertEqual(kinds, [("*", 8), ("*", 8), ("i", 8)])
        self.assertEqual(module.kernel("relu").entry, "_Z4reluPKfPfx")

    def test_names_the_line_and_what_to_do(self):
        for text, source, words in (
            (
                r'inline.cu\(2\): error: identifier "undefined" is undefined',
                "__global__ void k() {\nundefined(); }",
                {},
            ),
            ("no torch headers and no host code", "#include <torch/extension.h>", {}),
            ("there is no C[+][+] library", "#include <vector>", {}),
            ("leave -O3 out", "", {"options": ["-O3"]}),
            ("for sm_12345.*give another `arch`", "", {"arch": "sm_12345"}),
            ("take a longer one", "", {"defines": {"T": "float"}}),
            ("name a real architecture", "", {"arch": "compute_90"}),
        ):
            with self.subTest(text), self.assertRaisesRegex(RuntimeError, f"(?s){text}") as caught:
                light.load(source, **{"arch": "sm_90a", **words})
            self.assertLess(len(str(caught.exception)), light._LOG_LIMIT + 1000)


class Text(unittest.TestCase):
    def test_has_none_of_the_words_that_evaluators_refuse(self):
        for word in ("try", "except", "pass", "threading", "multiprocessing", "_make_subclass"):
            self.assertIsNone(re.search(rf"\b{word}\b", TEXT), word)
        self.assertIn("load_inline", re.sub(r"(#|//).*", "", TEXT))
        start = TEXT.index("def _queue")
        outside = TEXT[:start] + TEXT[TEXT.index("\n\n", start) :]
        self.assertNotIn("stream", outside.lower())

    def test_is_python_3_9(self):
        ast.parse(TEXT, feature_version=(3, 9))

    def test_can_be_pasted(self):
        body = textwrap.indent(TEXT, '    ')
        indented = f"def paste():\n{body}\n    return hone_light\nhone_light = paste()\n"
        for text in (TEXT, indented):
            place = {}  # as KernelBench does: no __file__, no __name__
            with unittest.mock.patch.dict(sys.modules, {"torch": None}):
                exec(
                    compile(
                        text + "\nnumber = hone_light.i64(3)\nload = None\n", "<string>", "exec"
                    ),
                    place,
                )
            self.assertEqual(place["number"].data, struct.pack("<q", 3))
            with self.assertRaisesRegex(RuntimeError, "no GPU to compile for"):
                place["hone_light"].load("a")

    def test_carries_the_headers_of_hones_own_compiler(self):
        folder = pathlib.Path(LOADER).parent.parent / "cuda" / "include"
        files = {
            path.name: re.sub(r"//.*", "", path.read_text()).split() for path in folder.iterdir()
        }
        self.assertEqual({name: text.split() for name, text in light._STAND_INS.items()}, files)


class RealTorch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if importlib.util.find_spec("torch") is None:
            raise unittest.SkipTest(f"{sys.executable} has no torch")
        cls.light = import_loader()
        cls.torch = cls.light.torch

    def test_has_its_cpu_tensors_refused(self):
        with self.assertRaisesRegex(RuntimeError, "x is given a tensor on cpu: move it to the GPU"):
            self.light._encoded(self.torch.zeros(3), "x", "*", 8, ("f", 4, None), 0)

    def test_has_its_parameters_and_views_taken_raw(self):
        for tensor in (
            self.torch.nn.Parameter(self.torch.zeros(3, 4)),
            self.torch.zeros(3, 4).t()[1:],
        ):
            self.assertEqual(self.light.raw(tensor).data, struct.pack("<Q", tensor.data_ptr()))

    def test_rounds_halves_alike(self):
        values = [
            0.1,
            -1 / 3,
            3.14159e4,
            65519.0,
            1e-8,
            6e-5,
            2.0**-133,
            math.inf,
            1 + 2**-8,
            1 + 2**-11,
            3.4e38,
        ]
        for dtype, kind in (
            (self.torch.float16, self.light.f16),
            (self.torch.bfloat16, self.light.bf16),
        ):
            bits = (
                self.torch.tensor(values, dtype=self.torch.float32)
                .to(dtype)
                .view(self.torch.int16)
                .tolist()
            )
            self.assertEqual([struct.unpack("<h", kind(value).data)[0] for value in values], bits)

    def test_names_its_types_as_the_loader_expects(self):
        self.assertEqual(
            [str(getattr(self.torch, name)) for name in ("float16", "bfloat16", "int64")],
            ["torch.float16", "torch.bfloat16", "torch.int64"],
        )


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)
