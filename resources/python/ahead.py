"""What a candidate compiles while it is loaded, compiled before its turn: a process without a
device loads it once, and what its compilers left behind becomes an archive of files, which its own
worker unpacks before it loads the candidate again. The files are as hostile as the candidate, and
belong to it alone.
"""
import contextlib
import hashlib
import io
import os
import socket
import sys
import tarfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch

import blocks

KEPT = "/tmp/compiled"
FOLDERS = (KEPT, "/tmp/torch_extensions")
ARCHITECTURES = "TORCH_CUDA_ARCH_LIST"
TIME = "HONE.time"


def keep(loader, arch=None):
    """Has the light loader keep what it compiles, and take what is kept. `arch`: there is no device
    to ask for it."""
    compile_now = loader._compile
    if arch is not None:
        loader._arch = lambda: arch

    def compiled(source, options, arch):
        path = os.path.join(
            KEPT, hashlib.sha256(repr((source, list(options), arch)).encode()).hexdigest()
        )
        if os.path.exists(path + ".log"):
            with open(path, "rb") as image, open(path + ".log", encoding="utf-8") as log:
                return image.read(), log.read()
        image, log = compile_now(source, options, arch)
        os.makedirs(KEPT, exist_ok=True)
        with open(path, "wb") as file:
            file.write(image)
        # last: it says that both are there
        with open(path + ".log", "w", encoding="utf-8") as file:
            file.write(log)
        return image, log

    loader._compile = compiled


def packed(folders=FOLDERS):
    """The files as an archive, with the times by which builders tell what is new. Those are whole
    nanoseconds, of which a tar keeps too few: a file that seems newer than its builder remembers is
    built again."""
    def timed(info):
        # Of a builder that is still at it, and will not be there
        if os.path.basename(info.name) == "lock":
            return None
        info.pax_headers[TIME] = str(os.stat("/" + info.name, follow_symlinks=False).st_mtime_ns)
        return info

    to = io.BytesIO()
    with tarfile.open(fileobj=to, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for folder in folders:
            if os.path.isdir(folder):
                archive.add(folder, arcname=folder.lstrip("/"), filter=timed)
    return to.getvalue()


def unpack(contents):
    # Python 3.12 and newer
    trusted = {"filter": "fully_trusted"} if hasattr(tarfile, "fully_trusted_filter") else {}
    with tarfile.open(fileobj=io.BytesIO(contents), mode="r:") as archive:
        archive.extractall("/", **trusted)
        for info in archive.getmembers():
            if TIME in info.pax_headers:
                time = int(info.pax_headers[TIME])
                os.utime("/" + info.name, ns=(time, time), follow_symlinks=False)


def take(contents):
    """In the candidate's own worker."""
    import hone_light

    try:
        unpack(contents)
    except Exception:
        return  # the candidate's own doing: it compiles once more
    keep(hone_light)


def torch_name(arch):
    """What torch calls an architecture where it asks a device itself: "sm_90a" is "9.0+PTX"."""
    digits = "".join(letter for letter in arch if letter.isdigit())
    return f"{digits[:-1]}.{digits[-1]}+PTX"


def load_once(image, arch):
    import candidate
    import hone_light

    os.environ[ARCHITECTURES] = torch_name(arch)
    keep(hone_light, arch)
    candidate.Callee(torch.device("cpu")).load(image)


def main():
    control = socket.socket(fileno=blocks.CONTROL)
    message, descriptors = blocks.receive(control)
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))  # others are being timed
    torch.set_num_threads(1)
    # It may need a device. What was compiled until then is kept all the same
    with contextlib.suppress(BaseException):
        load_once(blocks.json_of(descriptors[0]), message["arch"])
    blocks.send(control, {"ok": True}, [blocks.memory_file(packed(), "compiled")])


if __name__ == "__main__":
    main()
