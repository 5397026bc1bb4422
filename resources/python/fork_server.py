"""The fork server: a Python that has imported torch and forks for every worker that is asked for;
the child enters a sandbox of its own before it runs anything. The server itself never computes,
never runs code of a task or a candidate, and never starts CUDA: torch's threads and CUDA do not
survive a fork.

A child's sandbox is the one that src/runner/sandbox_child.cc makes for a new process: namespaces of
its own inside those of this process, an empty folder in memory, a /proc of its own, no
capabilities, limits, the same filter of system calls. The judge learns the pids from the messages
"init" and "ready", each sent by the process that it is about.
"""
import ctypes
import glob
import os
import resource
import runpy
import signal
import socket
import struct
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)

import torch

import blocks

NEW_MOUNTS, NEW_IPC, NEW_PIDS = 0x20000, 0x8000000, 0x20000000
NEW_NETWORK, NEW_HOST = 0x40000000, 0x4000000
RECURSIVE, PRIVATE, BIND, NO_SUID, NO_DEVICES, NO_EXEC = 0x4000, 0x40000, 0x1000, 2, 4, 8
PARENT_DEATH, NO_NEW_PRIVILEGES, SET_FILTER, FILTER_MODE = 1, 38, 22, 2
CAPABILITIES = 0x20080522
NOT_INITIALIZED = 3  # of the CUDA driver

libc = ctypes.CDLL(None, use_errno=True)
scripts = {
    name: open(os.path.join(FOLDER, name), "rb").read()
    for name in os.listdir(FOLDER)
    if name.endswith(".py")
}


USUAL = ("torch.nn.functional", "torch.utils.cpp_extension", "triton", "triton.language")
COMPILING = (
    "torch._dynamo",
    "torch._functorch.aot_autograd",
    "torch._inductor.compile_fx",
    "torch._inductor.lowering",
    "torch._inductor.scheduler",
    "torch._inductor.codegen.triton",
    "torch._inductor.codegen.wrapper",
    "torch._inductor.runtime.triton_heuristics",
    "torch._inductor.fx_passes.joint_graph",
    "torch._inductor.fx_passes.post_grad",
    "triton.compiler",
)


def import_ahead(compiles):
    """What most candidates import as well, and what torch.compile does; what is not installed is
    left out."""
    for name in USUAL + (COMPILING if compiles else ()):
        try:
            __import__(name)
        except Exception:
            continue


def cuda_has_started():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return driver.cuDeviceGetCount(ctypes.byref(ctypes.c_int())) != NOT_INITIALIZED


def must(code, what):
    if code != 0:
        raise OSError(f"{what}: {os.strerror(ctypes.get_errno())}")


def hide_gpu():
    """A worker without a device, though this process has it: the GPU's device nodes are covered."""
    for path in (*glob.glob("/dev/nvidia*"), *glob.glob("/dev/dri"), *glob.glob("/dev/kfd")):
        if os.path.isdir(path):
            must(
                libc.mount(b"hone", path.encode(), b"tmpfs", NO_SUID | NO_DEVICES, b"size=4096"),
                "hiding the GPU",
            )
        else:
            must(libc.mount(b"/dev/null", path.encode(), None, BIND, None), "hiding the GPU")


def build_sandbox_folders(scratch, gpu_hidden):
    must(libc.mount(None, b"/", None, RECURSIVE | PRIVATE, None), "making mounts private")
    if gpu_hidden:
        hide_gpu()
    for place in (b"/tmp", b"/dev/shm"):
        must(
            libc.mount(
                b"hone", place, b"tmpfs", NO_SUID | NO_DEVICES, b"mode=1777,size=%d" % scratch
            ),
            "mounting a scratch folder",
        )
    must(
        libc.mount(b"proc", b"/proc", b"proc", NO_SUID | NO_EXEC | NO_DEVICES, None),
        "mounting /proc",
    )
    os.chdir("/tmp")
    os.mkdir(FOLDER)
    for name, contents in scripts.items():
        with open(os.path.join(FOLDER, name), "wb") as file:
            file.write(contents)


def lower(which, value):
    """As far as the fork server's own limit allows."""
    _, hard = resource.getrlimit(which)
    value = min(value, (1 << 63) - 1 if hard == resource.RLIM_INFINITY else hard)
    resource.setrlimit(which, (value, value))


def drop_rights(message, program):
    lower(resource.RLIMIT_FSIZE, message["file"])
    lower(resource.RLIMIT_DATA, message["memory"])
    lower(resource.RLIMIT_NPROC, message["processes"])
    must(libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0), "dropping privileges")
    header, none = (ctypes.c_uint32 * 2)(CAPABILITIES, 0), (ctypes.c_uint32 * 6)()
    must(libc.capset(ctypes.byref(header), ctypes.byref(none)), "dropping capabilities")
    code = ctypes.create_string_buffer(program, len(program))
    described = ctypes.create_string_buffer(
        struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    )
    must(libc.prctl(SET_FILTER, FILTER_MODE, described, 0, 0), "filtering system calls")


def become_worker(message, control, program):
    libc.prctl(PARENT_DEATH, signal.SIGKILL, 0, 0, 0)
    drop_rights(message, program)
    control.send(b"ready")
    if control.fileno() != blocks.CONTROL:
        os.dup2(control.detach(), blocks.CONTROL, inheritable=False)
    else:
        control.detach()
    os.closerange(blocks.CONTROL + 1, 256)
    sys.argv = [os.path.join(FOLDER, message["script"]), *message["words"]]
    runpy.run_path(sys.argv[0], run_name="__main__")


def be_first(message, control, status, program):
    """The first process of the new pid namespace: starts the worker, and reports its exit
    status."""
    libc.prctl(PARENT_DEATH, signal.SIGKILL, 0, 0, 0)
    control.send(b"init")
    build_sandbox_folders(message["scratch"], message["gpu_hidden"])
    worker = os.fork()
    if worker == 0:
        os.close(status)
        become_worker(message, control, program)
        os._exit(0)
    control.close()
    while True:
        done, how = os.waitpid(-1, 0)
        if done == worker:
            os.write(status, struct.pack("i", how))
            os._exit(0)


def be_supervisor(message, control, log, status, program):
    libc.prctl(PARENT_DEATH, signal.SIGKILL, 0, 0, 0)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setpgid(0, 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    network = 0 if message["network"] else NEW_NETWORK
    must(
        libc.unshare(NEW_MOUNTS | NEW_IPC | NEW_PIDS | NEW_HOST | network),
        "no namespaces can be made",
    )
    first = os.fork()
    if first == 0:
        be_first(message, control, status, program)
    control.close()
    os.close(status)
    os.waitpid(first, 0)


def spawn(message, descriptors):
    """In the child: never returns."""
    control, log, status, program = descriptors
    talk = socket.socket(fileno=control)
    code = 1
    try:
        be_supervisor(message, talk, log, status, blocks.read_file(program))
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException as error:
        try:
            talk.send(f"{type(error).__name__}: {error}".encode())
        except OSError:
            sys.excepthook(type(error), error, error.__traceback__)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def main():
    import_ahead("compile" in sys.argv[1:])
    control = socket.socket(fileno=blocks.CONTROL)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel removes supervisors that have ended
    blocks.send(
        control, {"error": "an import has started CUDA"} if cuda_has_started() else {"ok": True}
    )
    while True:
        message, descriptors = blocks.receive(control)
        if message is None:
            return
        if os.fork() == 0:
            control.close()
            spawn(message, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


main()
