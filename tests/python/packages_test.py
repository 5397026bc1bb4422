"""The wheel that tools/make_wheel.py makes, and what tools/check_glibc.sh refuses: packages_test.py
TOOLS_FOLDER"""

import base64
import csv
import hashlib
import io
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

TOOLS = Path(sys.argv.pop(1))


class Wheel(unittest.TestCase):
    def test_carries_the_binary_where_pip_puts_commands(self):
        with tempfile.TemporaryDirectory() as folder:
            stub = Path(folder, "hone")
            stub.write_text("#!/bin/sh\necho 'hone 1.2.3 (abc, portable)'\n")
            stub.chmod(0o755)
            subprocess.run(
                [sys.executable, TOOLS / "make_wheel.py", stub, Path(folder, "dist")],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            (wheel,) = Path(folder, "dist").iterdir()
            self.assertRegex(wheel.name, r"^hone-1\.2\.3-py3-none-manylinux_2_34_\w+\.whl$")
            with zipfile.ZipFile(wheel) as archive:
                self.assertEqual(archive.read("hone-1.2.3.data/scripts/hone"), stub.read_bytes())
                self.assertTrue(
                    archive.getinfo("hone-1.2.3.data/scripts/hone").external_attr >> 16 & 0o111
                )
                record = list(
                    csv.reader(io.StringIO(archive.read("hone-1.2.3.dist-info/RECORD").decode()))
                )
                self.assertEqual({name for name, _, _ in record}, set(archive.namelist()))
                for name, digest, size in record[:-1]:
                    text = archive.read(name)
                    kept = (
                        base64.urlsafe_b64encode(hashlib.sha256(text).digest())
                        .rstrip(b"=")
                        .decode()
                    )
                    self.assertEqual((digest, int(size)), (f"sha256={kept}", len(text)))


class OldestCLibrary(unittest.TestCase):
    def check(self, version):
        return subprocess.run(
            [TOOLS / "check_glibc.sh", "/bin/true", version], capture_output=True, text=True
        )

    def test_a_binary_that_wants_a_newer_one_is_refused(self):
        refused = self.check("2.0")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("newer than 2.0", refused.stderr)
        self.assertEqual(self.check("99").returncode, 0)


unittest.main()
