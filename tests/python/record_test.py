"""record_test.py SCRIPTS: the reader of CUPTI's activity records, against a library in Python that
hands over records of the real form."""

import ctypes
import struct
import sys
import unittest

SCRIPTS = sys.argv.pop(1)
sys.path.insert(0, SCRIPTS)
import record


class Cupti:
    """Hands over one buffer of records when it is flushed, as CUPTI does."""

    def __init__(self, refuses=()):
        self.refuses, self.enabled = refuses, set()
        self.name = ctypes.create_string_buffer(b"_ZN2at6native4reluEv")
        self.plain = ctypes.create_string_buffer(b"mine")

    def __getattr__(self, name):
        if name in self.refuses:
            return lambda *ignored: 7
        raise AttributeError(name)

    def cuptiActivityRegisterCallbacks(self, requested, completed):
        self.requested, self.completed = requested, completed
        return 0

    def cuptiActivityEnable(self, kind):
        self.enabled.add(kind.value)
        return 7 if "cuptiActivityEnable" in self.refuses else 0

    def cuptiActivityDisable(self, kind):
        self.enabled.discard(kind.value)
        return 0

    @staticmethod
    def of(kind, start, end, name=0):
        return struct.pack("I12xQQ72xQ", kind, start, end, name)

    def cuptiActivityFlushAll(self, forced):
        records = [
            self.of(10, 1000, 3000, ctypes.addressof(self.name)),
            self.of(10, 3000, 4000, ctypes.addressof(self.plain)),
            self.of(38, 0, 0),
            self.of(1, 4000, 4500),
            self.of(10, 5000, 6000),
        ]
        place, size, most = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_size_t()
        self.requested(ctypes.pointer(place), ctypes.pointer(size), ctypes.pointer(most))
        assert size.value >= sum(map(len, records)) and place.value % 8 == 0
        ctypes.memmove(place.value, b"".join(records), sum(map(len, records)))
        self.at, self.length = 0, len(records[0])
        self.completed(None, 0, place, size, sum(map(len, records)))
        return 0

    def cuptiActivityGetNextRecord(self, buffer, valid, found):
        if self.at * self.length >= valid.value:
            return 12
        ctypes.cast(found, ctypes.POINTER(ctypes.c_void_p))[0] = (
            buffer.value + self.at * self.length
        )
        self.at += 1
        return 0


class Records(unittest.TestCase):
    def test_are_read_with_their_names_and_times(self):
        cupti = Cupti()
        recorder = record.Recorder(cupti)
        self.assertTrue(recorder.start())
        self.assertEqual(cupti.enabled, {1, 2, 10})
        found = recorder.stop()
        self.assertEqual(
            [name for _, _, name in found], ["at::native::relu()", "mine", "Memcpy", "?"]
        )
        self.assertAlmostEqual(found[0][1] - found[0][0], 2e-6)
        self.assertEqual(cupti.enabled, set(), "nothing is recorded unless asked")
        self.assertEqual(recorder.buffers, {}, "buffers are let go")

    def test_start_anew_each_time(self):
        recorder = record.Recorder(Cupti())
        for _ in range(2):
            recorder.start()
            self.assertEqual(len(recorder.stop()), 4)

    def test_without_cupti_say_so(self):
        self.assertFalse(record.Recorder(None).start())
        self.assertFalse(record.Recorder(Cupti(refuses=("cuptiActivityEnable",))).start())


unittest.main()
