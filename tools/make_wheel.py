#!/usr/bin/env python3
"""Makes a Python wheel of the portable binary: tools/make_wheel.py BINARY OUT_FOLDER [GLIBC]

`pip install dist/*.whl` then gives the command `hone`. A wheel is a zip file with three texts
beside its files; pip makes the files in NAME.data/scripts executable and puts them on the path.
Only Python's standard library is needed.
"""

import base64
import hashlib
import platform
import subprocess
import sys
import zipfile
from pathlib import Path

SUMMARY = "Judge GPU kernels and make them faster"
EXECUTABLE, PLAIN = 0o100755 << 16, 0o100644 << 16  # as zip keeps modes
EPOCH = (2020, 1, 1, 0, 0, 0)  # the same binary gives the same wheel


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main(binary, folder, glibc="2.34"):
    words = subprocess.run(
        [binary, "--version"], check=True, capture_output=True, text=True
    ).stdout.split()
    version = words[1]
    tag = f"py3-none-manylinux_{glibc.replace('.', '_')}_{platform.machine()}"
    info, data = f"hone-{version}.dist-info", f"hone-{version}.data"
    readme = Path(__file__).resolve().parent.parent / "README.md"
    metadata = (
        f"Metadata-Version: 2.1\nName: hone\nVersion: {version}\n"
        f"Summary: {SUMMARY}\nLicense: Apache-2.0\n"
        f"Requires-Python: >=3.7\nDescription-Content-Type: text/markdown\n\n{readme.read_text()}"
    )
    files = [
        (f"{data}/scripts/hone", Path(binary).read_bytes(), EXECUTABLE),
        (f"{info}/METADATA", metadata.encode(), PLAIN),
        (
            f"{info}/WHEEL",
            f"Wheel-Version: 1.0\nGenerator: hone\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
            PLAIN,
        ),
    ]
    record = (
        "".join(f"{name},{digest(text)},{len(text)}\n" for name, text, _ in files)
        + f"{info}/RECORD,,\n"
    )
    files.append((f"{info}/RECORD", record.encode(), PLAIN))
    Path(folder).mkdir(parents=True, exist_ok=True)
    wheel = Path(folder) / f"hone-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text, mode in files:
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr, entry.compress_type = mode, zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)
    print(wheel)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
