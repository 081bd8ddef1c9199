"""What pyarrow exports through the C interfaces, reduced by arrow.hpp: the bits of the program over the valid elements,
and all memory given back. Skipped (77) where neither this Python nor the one that ONEFOLD_PYTHON names has pyarrow."""

import ctypes
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest

try:
    import pyarrow as pa
except ImportError:
    other = os.environ.pop("ONEFOLD_PYTHON", None)
    if other:
        os.execvp(other, [other, "-B", *sys.argv])
    print("skipped: this Python lacks pyarrow (pip install pyarrow, and name it in ONEFOLD_PYTHON)")
    sys.exit(77)

BRIDGE = ctypes.CDLL(os.environ["BRIDGE"])
PROGRAM = os.environ["ONEFOLD_PROGRAM"]
BRIDGE.reduce_stream.restype = BRIDGE.reduce_array.restype = ctypes.c_char_p
LETTERS = {"i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "u16": "H", "u32": "I", "u64": "Q", "f16": "e", "f32": "f",
           "f64": "d"}
TYPES = {"i8": pa.int8(), "i16": pa.int16(), "i32": pa.int32(), "i64": pa.int64(), "u8": pa.uint8(), "u16": pa.uint16(),
         "u32": pa.uint32(), "u64": pa.uint64(), "f16": pa.float16(), "f32": pa.float32(), "f64": pa.float64()}
OPERATIONS = "sum mean argmax"


class Room:
    """Memory for a struct of the interfaces, all of which are smaller."""

    def __init__(self):
        self.memory = (ctypes.c_int64 * 16)()
        self.address = ctypes.addressof(self.memory)


def reduce_stream(reader, column=None, operations=OPERATIONS):
    room = Room()
    reader._export_to_c(room.address)
    return BRIDGE.reduce_stream(ctypes.c_void_p(room.address), column and column.encode(), operations.encode()).decode()


def reduce_array(array, column=None, operations=OPERATIONS):
    room, schema = Room(), Room()
    array._export_to_c(room.address, schema.address)
    return BRIDGE.reduce_array(ctypes.c_void_p(room.address), ctypes.c_void_p(schema.address), column and column.encode(),
                               operations.encode()).decode()


class Exported(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(5)

    def values(self, name, n, nulls):
        r = self.random
        value = {"f": lambda: r.uniform(-9, 9), "i": lambda: r.randrange(-100, 100), "u": lambda: r.randrange(200)}[name[0]]
        some = [None if r.random() < nulls else value() for _ in range(n)]
        if name == "f16":  # which pa.array makes of NumPy's numbers only
            return pa.array(some, pa.float32()).cast(pa.float16())
        return pa.array(some, TYPES[name])

    def wanted(self, name, rows):
        """By the program, from raw elements; argmax is a row."""
        valid = [(i, v) for i, v in enumerate(rows) if v is not None]
        with tempfile.NamedTemporaryFile() as file:
            file.write(struct.pack(f"<{len(valid)}{LETTERS[name]}", *(v for _, v in valid)))
            file.flush()
            done = subprocess.run([PROGRAM, "reduce", OPERATIONS.replace(" ", ","), file.name, "--input", "raw", "--dtype",
                                   name, "--format", "json"], capture_output=True, check=True,
                                  env={**os.environ, "ONEFOLD_PROFILE": "none"})
        results = [json.loads(line) for line in done.stdout.splitlines()]
        bits = [r["bits"] for r in results[:2]] + [f"0x{valid[results[2]['value']][0]:016x}"]
        return " ".join([str(len(valid)), str(len(rows) - len(valid)), name, *bits])

    def test_streams(self):
        before = pa.total_allocated_bytes()
        for name in TYPES:
            for nulls in (0, 0.1, 0.9):
                pieces = [self.values(name, n, nulls) for n in (1000, 1, 0, 4097, 77)]
                other = [pa.array(["x"] * len(p)) for p in pieces]
                batches = [pa.record_batch([o, p], ["text", "price"]) for o, p in zip(other, pieces)]
                batches.append(batches[0].slice(13, 500))  # offsets
                schema = batches[0].schema
                rows = [v for b in batches for v in b.column(1).to_pylist()]
                with self.subTest(name=name, nulls=nulls):
                    self.assertEqual(reduce_stream(pa.RecordBatchReader.from_batches(schema, batches), "price"),
                                     self.wanted(name, rows))
                    del pieces, other, batches
        self.assertEqual(pa.total_allocated_bytes(), before)

    def test_arrays(self):
        before = pa.total_allocated_bytes()
        for name in ("i16", "f64"):
            x = self.values(name, 5000, 0.3).slice(3, 4000)
            self.assertEqual(reduce_array(x), self.wanted(name, x.to_pylist()))
            records = pa.StructArray.from_arrays([x, x], ["a", "b"], mask=pa.array([i % 5 == 0 for i in range(4000)]))
            records = records.slice(11, 3000)
            rows = [r and r["b"] for r in records.to_pylist()]
            self.assertEqual(reduce_array(records, "b"), self.wanted(name, rows))
            del x, records
        flags = pa.array([None if i % 7 == 0 else i % 3 == 0 for i in range(1000)]).slice(9)
        got = reduce_array(flags, operations="sum").split()
        self.assertEqual((int(got[0]), int(got[3], 16)), (flags.drop_null().__len__(), flags.true_count))
        del flags
        self.assertEqual(pa.total_allocated_bytes(), before)

    def test_errors(self):
        before = pa.total_allocated_bytes()
        table = pa.table({"day": pa.array([1, 2], pa.int32()).cast(pa.date32()), "code": pa.array(["a", "b"]).dictionary_encode(),
                          "x": [1.5, 2.5]})
        self.assertIn("date32", reduce_stream(table.to_reader(), "day"))
        self.assertIn("dictionary-encoded", reduce_stream(table.to_reader(), "code"))
        self.assertIn('unknown column "y"', reduce_stream(table.to_reader(), "y"))
        self.assertIn("choose one: day, code, x", reduce_stream(table.to_reader()))

        def failing():
            yield table.to_batches()[0]
            raise ValueError("the disk is on fire")
        told = reduce_stream(pa.RecordBatchReader.from_batches(table.schema, failing()), "x")
        self.assertIn("error: the Arrow stream could not be read: ", told)
        self.assertIn("the disk is on fire", told)
        del table
        self.assertEqual(pa.total_allocated_bytes(), before)


if __name__ == "__main__":
    unittest.main()
