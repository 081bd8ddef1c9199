"""The .npy reader: every type, version, order and shape; and what is no numeric array."""

import importlib.util
import os
import random
import struct
import time
import unittest

from support import TYPES, ProgramTest, bits, described, npy, npy_header, packed


class Npy(ProgramTest):
    def test_every_type_version_and_byte_order(self):
        for dtype in TYPES:
            values = [3, 1, 2] if dtype[0] == "u" else [-3, 1, 2]
            for version in (1, 2, 3):
                for order in "<>=":
                    with self.subTest(dtype=dtype, version=version, order=order):
                        content = npy(dtype, values, version=version, order=order)
                        path = self.file("a.npy", content)
                        r = self.reduced("sum", path)
                        self.assertEqual((r["dtype"], r["n"], r["value"]), (dtype, 3, sum(values)))

    def test_bool_is_u8(self):
        path = self.file("b.npy", npy_header(described("|b1", (4,))) + b"\1\0\1\1")
        r = self.reduced("sum", path)
        self.assertEqual((r["dtype"], r["value"]), ("u8", 3))
        self.assertEqual(self.output("reduce", "all", path), "false\n")

    def test_bfloat16_as_opaque_bytes(self):
        content = npy_header(described("<V2", (2,))) + struct.pack("<2H", 0x3F80, 0x4000)
        path = self.file("b.npy", content)
        self.assertEqual(self.reduced("sum", path, "--dtype", "bf16")["value"], 3.0)
        self.refused(3, ["b.npy", "--dtype bf16"], "sum", path)

    def test_shapes(self):
        for shape, count in (((), 1), ((6,), 6), ((2, 3), 6), ((1, 2, 3), 6), ((0,), 0), ((0, 2**62), 0)):
            with self.subTest(shape=shape):
                path = self.file("s.npy", npy("i32", list(range(1, count + 1)), shape))
                r = self.reduced("sum", path)
                self.assertEqual((r["n"], r["value"]), (count, count * (count + 1) // 2))

    def test_python_2_long_integers(self):
        header = npy_header("{'descr': '<i4', 'fortran_order': False, 'shape': (2L,), }\n")
        path = self.file("l.npy", header + packed("i32", [1, 2]))
        self.assertEqual(self.reduced("sum", path)["value"], 3)

    def test_fortran_order(self):
        a, b, c = 3, 4, 5
        order = list(range(a * b * c))
        random.Random(1).shuffle(order)
        logical = lambda i, j, k: order[(i * b + j) * c + k]
        stored = [logical(i, j, k) for k in range(c) for j in range(b) for i in range(a)]
        for byte_order in "<>":
            path = self.file("f.npy", npy("f32", stored, (a, b, c), order=byte_order, fortran=True))
            self.assertEqual(self.reduced("sum", path)["value"], sum(order))
            self.assertEqual(self.reduced("argmax", path)["value"], order.index(max(order)))
            self.assertEqual(self.reduced("argmin", path)["value"], order.index(0))

    def test_fortran_ties_go_to_the_first_index_in_c_order(self):
        # [[0, 9], [9, 0]] by columns is 0 9 9 0: its first 9 in C order is at 1.
        path = self.file("f.npy", npy("i8", [0, 9, 9, 0], (2, 2), fortran=True))
        self.assertEqual(self.reduced("argmax", path)["value"], 1)
        path = self.file("g.npy", npy("i8", [0, 5, 9, 9, 1, 1], (2, 3), fortran=True))
        self.assertEqual(self.reduced("argmax", path)["value"], 1)

    def test_swapped_bits_equal_native_bits(self):
        values = [r.uniform(-1, 1) for r in [random.Random(2)] for _ in range(20000)]
        little = self.reduced("sum", self.file("l.npy", npy("f64", values)))
        big = self.reduced("sum", self.file("b.npy", npy("f64", values, order=">")))
        self.assertEqual(little["bits"], big["bits"])

    def test_mapped_and_misaligned(self):
        text = "{'descr':'<f8','fortran_order':False,'shape':(2000,)}"
        values = [r.gauss(0, 1) for r in [random.Random(3)] for _ in range(2000)]
        seen = set()
        for padding in range(8):
            path = self.file("m.npy", npy_header(text + " " * padding + "\n") + packed("f64", values))
            r = self.reduced("sum", path, "--explain")
            aligned = (10 + len(text) + padding + 1) % 8 == 0
            self.assertEqual(r["inputs"][0]["how"], "mapped" if aligned else "copied")
            seen.add(r["bits"])
        self.assertEqual(len(seen), 1)

    def test_from_a_stream(self):
        values = [0.5, 0.25, 8.0]
        for order in "<>":
            r = self.reduced("sum", "-", given=npy("f32", values, order=order))
            self.assertEqual((r["dtype"], r["bits"]), ("f32", bits("f32", 8.75)))


class BadNpy(ProgramTest):
    def refuse(self, content, *pieces, code=3, words=()):
        """The same from a file and from a stream."""
        path = self.file("x.npy", content)
        self.refused(code, ["x.npy", *pieces], "sum", path, *words)
        self.refused(code, ["standard input", *pieces], "sum", "-", "--input", "npy", *words, given=content)

    def test_truncated_anywhere(self):
        whole = npy("f64", [1.0, 2.0, 3.0])
        for size in [0, 1, 5, 6, 7, 8, 9, 10, 11, 40, 127, 128, 129, len(whole) - 8, len(whole) - 1]:
            with self.subTest(size=size):
                self.refuse(whole[:size], f"byte offset {0 if size < 6 else size}", "expected", "found")

    def test_not_an_npy(self):
        self.refuse(b"\x89PNG\r\n\x1a\n" * 4, "byte offset 0", "\\x93NUMPY", "PNG")

    def test_versions(self):
        self.refuse(npy("i8", [1], version=1)[:6] + b"\4\0" + npy("i8", [1])[8:], "byte offset 6", "found 4.0")

    def test_header_promises_more_elements(self):
        content = npy_header(described("<f4", (1000,))) + bytes(400)
        self.refuse(content, "byte offset 528", "4000 bytes", "end after 400")

    def test_more_bytes_than_promised(self):
        self.refuse(npy("i8", [1, 2]) + b"\0", "byte offset 130", "the end after 2 elements")

    def test_header_of_4_gigabytes(self):
        for version in (2, 3):
            start = npy_header(b"", version, 0xFFFFFFFF)
            self.refuse(start, "byte offset 8", "at most", "4294967295")
            path = self.file("huge.npy", start)
            os.truncate(path, 12 + 0xFFFFFFFF)
            self.refused(3, ["huge.npy", "byte offset 8"], "sum", path)

    def test_header_longer_than_the_file(self):
        self.refuse(npy_header(b"{'descr'", 1, 60000), "byte offset 18", "expected a header of 60010 bytes")

    def test_types_that_are_no_numbers(self):
        for descr in ("|O", "<U5", "|S3", "<c8", "<c16", "<M8[ns]", "<m8", "|V8", "<f16", "<i3", "", "<", "f", "|b2"):
            with self.subTest(descr=descr):
                self.refuse(npy_header(described(descr, (1,))) + bytes(32), "byte offset 20", "numeric type")
        self.refuse(npy_header(described([("a", "<f4"), ("b", "<i4")], (1,))) + bytes(8), "not a structured one")

    def test_shapes(self):
        head = "{'descr': '<f4', 'fortran_order': False, 'shape': "
        for shape, piece in (("(-1,)", "a length from 0"), ("(3, -4)", "a length from 0"),
                             ("(99999999999999999999,)", "below 2^63"),
                             ("(9223372036854775807,)", "2^63 bytes"), ("(4294967296, 4294967296)", "2^63 bytes"),
                             ("(3)", "found \")"), ("(3,,)", "found \","), ("(,)", "found \","),
                             ("3", "'('"), ("[3]", "'('"), ("(3", "the end"),
                             ("(1.5,)", "','"), ("None", "'('")):
            with self.subTest(shape=shape):
                self.refuse(npy_header(head + shape + (", }\n" if shape != "(3" else "")) + bytes(64), piece)

    def test_dimensions(self):
        # As many as NumPy allows; more are refused before they take time, in C order and in Fortran's.
        path = self.file("d.npy", npy("f64", [1.5], (1,) * 64, version=2))
        self.assertEqual(self.reduced("sum", path)["value"], 1.5)
        for count in (65, 100_000):
            for fortran in (False, True):
                content = npy("f64", [1.5] * 2, (1,) * (count - 1) + (2,), version=2, fortran=fortran)
                begin = time.monotonic()
                self.refuse(content, "at most 64 dimensions", "byte offset")
                self.assertLess(time.monotonic() - begin, 5)

    def test_large_shape_without_the_bytes(self):
        self.refuse(npy_header(described("|u1", (2**62,))) + bytes(9), "expected 4611686018427387904 bytes")

    def test_damaged_headers(self):
        for text in ("", "{", "}", "{}", "[]", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': 1, 'shape': ()}",
                     "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'more': 1}",
                     "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
                     "{'descr': '<f4', 'fortran_order': False, 'shape': ()} x", "{'descr: 4",
                     "{'descr' '<f4'}", "\0" * 50):
            with self.subTest(text=text):
                self.refuse(npy_header(text) + bytes(4), "byte offset", "expected")

    def test_another_type_than_asked_for(self):
        self.refuse(npy("f64", [1.0]), "holds f64", "--dtype says f32", words=("--dtype", "f32"))


@unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not installed: the other tests write their files")
class AgainstNumpy(ProgramTest):
    def test_files_that_numpy_wrote(self):
        import numpy
        generator = numpy.random.default_rng(4)
        for order in "CF":
            array = numpy.array(generator.normal(size=(7, 11, 3)), order=order)
            path = os.path.join(self.directory, "n.npy")
            numpy.save(path, array)
            self.assertEqual(self.reduced("argmax", path)["value"], int(numpy.argmax(array)))
            self.assertEqual(self.reduced("max", path)["value"], float(array.max()))


if __name__ == "__main__":
    unittest.main()
