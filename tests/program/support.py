"""What the program's tests share: running it, writing .npy bytes, finding a Python that draws, and what an error must
look like."""

import ast
import itertools
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

#: Whether the program is instrumented by a sanitizer, which reserves terabytes of addresses.
SANITIZED = "SANITIZED" in os.environ
#: Whether the program counts the lines that run, and writes the counts into files when it ends.
COUNTED = "COUNTED" in os.environ
PROGRAM = os.environ["ONEFOLD_PROGRAM"]

# Element types: the program's name -> (NumPy's letter and size, struct's letter).
TYPES = {
    "f32": ("f4", "f"), "f64": ("f8", "d"), "f16": ("f2", "e"),
    "i8": ("i1", "b"), "i16": ("i2", "h"), "i32": ("i4", "i"), "i64": ("i8", "q"),
    "u8": ("u1", "B"), "u16": ("u2", "H"), "u32": ("u4", "I"), "u64": ("u8", "Q"),
}


def packed(dtype, values, order="<"):
    """The values as raw elements."""
    return struct.pack(f"{order}{len(values)}{TYPES[dtype][1]}", *values)


def bits(dtype, value):
    """The value's bits as the program spells them."""
    return "0x" + struct.pack(">" + TYPES[dtype][1], value).hex()


def npy_header(text, version=1, length=None):
    """Magic, version, length and the header's text."""
    text = text.encode() if isinstance(text, str) else text
    length = len(text) if length is None else length
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", length) + text


def described(descr, shape, fortran=False):
    """The header's text as NumPy writes it, padded so that elements are aligned to 64 bytes (version 1)."""
    text = f"{{'descr': {descr!r}, 'fortran_order': {fortran}, 'shape': {shape!r}, }}"
    return text + " " * (-(10 + len(text) + 1) % 64) + "\n"


def npy(dtype, values, shape=None, version=1, order="<", fortran=False):
    """A whole .npy file."""
    shape = (len(values),) if shape is None else shape
    return npy_header(described(order + TYPES[dtype][0], shape, fortran), version) + packed(dtype, values, order)


def read_npy(path):
    """The type, the shape and the bytes of the elements; what must hold of every file that NumPy writes does."""
    with open(path, "rb") as file:
        content = file.read()
    assert content[:8] == b"\x93NUMPY\1\0", content[:8]
    length = struct.unpack("<H", content[8:10])[0]
    text = content[10:10 + length].decode()
    assert (10 + length) % 64 == 0 and text.endswith("\n"), text
    header = ast.literal_eval(text.strip())
    assert list(header) == ["descr", "fortran_order", "shape"] and header["fortran_order"] is False, header
    return header["descr"], header["shape"], content[10 + length:]


def in_fortran_order(values, shape):
    """The same array's values where the first index varies fastest."""
    place = lambda index: sum(i * math.prod(shape[d + 1:]) for d, i in enumerate(index))
    return [values[place(index[::-1])] for index in itertools.product(*map(range, shape[::-1]))]


def flat(nested):
    """The values of nested lists."""
    return [x for part in nested for x in flat(part)] if isinstance(nested, list) else [nested]


def python_with_matplotlib():
    """A Python that can draw, or None."""
    for python in (sys.executable, "/usr/bin/python3", "python3"):
        try:
            if subprocess.run([python, "-Ic", "import matplotlib"], capture_output=True, check=False).returncode == 0:
                return python
        except OSError:
            pass
    return None


class ProgramTest(unittest.TestCase):
    """A test with a directory of its own."""

    limit = 600  # seconds: ends a program that hangs, on a machine that is busy with ten others too

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="onefold-test-")
        self.addCleanup(shutil.rmtree, self.directory)

    def file(self, name, content):
        """Writes a file and returns its path."""
        path = os.path.join(self.directory, name)
        with open(path, "wb") as out:
            out.write(content if isinstance(content, bytes) else content.encode())
        return path

    def run_program(self, *words, given=b"", environment=None, **more):
        """Runs the program to its end; the environment's own choices do not count."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith("ONEFOLD_")}
        clean["ONEFOLD_PROFILE"] = "none"
        clean.update(environment or {})
        if "stdin" not in more:
            more["input"] = given if isinstance(given, bytes) else given.encode()
        for stream in ("stdout", "stderr"):
            more.setdefault(stream, subprocess.PIPE)
        return subprocess.run([PROGRAM, *map(str, words)], env=clean, timeout=self.limit, check=False, **more)

    def output(self, *words, **more):
        """What a run that must succeed writes."""
        done = self.run_program(*words, **more)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def noted(self, *words, **more):
        """What a run that must succeed writes to standard output, and its note on standard error."""
        done = self.run_program(*words, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, rb"\Aonefold: [^\n]*\n\Z")
        return done.stdout.decode(), done.stderr.decode()[len("onefold: "):-1]

    def reduced(self, *words, **more):
        """The JSON of a reduction that must succeed."""
        return json.loads(self.output("reduce", *words, "--format", "json", **more))

    def check_error(self, done, code, *pieces):
        """One line that begins with the program's name and has all the pieces; nothing on standard output."""
        line = done.stderr.decode()
        self.assertEqual(done.returncode, code, line)
        self.assertTrue(line.startswith("onefold: ") and line.endswith("\n") and line.count("\n") == 1, line)
        self.assertIn(done.stdout, (b"", None))
        for piece in pieces:
            self.assertIn(piece, line)

    def refused(self, code, pieces, *words, **more):
        """A reduction that must fail, and how."""
        self.check_error(self.run_program("reduce", *words, **more), code, *pieces)

    def available_backends(self):
        """The names of the backends that can run here."""
        return [b["backend"] for b in json.loads(self.output("backends", "--format", "json"))["backends"]
                if b["available"]]
