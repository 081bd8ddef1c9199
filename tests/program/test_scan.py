"""Scans: every result is the reduction of its prefix, in every layout of a file; text, JSON, .npy, and refusals."""

import gzip
import importlib.util
import io
import itertools
import json
import math
import os
import pty
import random
import struct
import subprocess
import unittest
import zipfile
from fractions import Fraction

from support import PROGRAM, TYPES, ProgramTest, flat, in_fortran_order, npy, packed, read_npy

CUBE = list(range(24))  # 2 x 3 x 4


def scanned_lines(values, shape, axis, scan):
    """An array, its values in C order, with each of its lines along an axis replaced by scan(line)."""
    out = list(values)
    step = math.prod(shape[axis + 1:])
    for first in range(len(values)):
        if first // step % shape[axis] == 0:
            places = range(first, first + step * shape[axis], step)
            for place, x in zip(places, scan([values[p] for p in places])):
                out[place] = x
    return out


class ScanTest(ProgramTest):
    def scanned(self, *words, **more):
        """The JSON of a scan that must succeed."""
        return json.loads(self.output("scan", *words, "--format", "json", **more))

    def refuse(self, code, pieces, *words, **more):
        """A scan that must fail, and how."""
        self.check_error(self.run_program("scan", *words, **more), code, *pieces)


class Numbers(ScanTest):
    def test_text(self):
        self.assertEqual(self.output("scan", "sum", given="1 2 3"), "1\n3\n6\n")
        self.assertEqual(self.output("scan", "product", given="1 2 3 4"), "1\n2\n6\n24\n")
        self.assertEqual(self.output("scan", "max", "--dtype", "i32", given="2 1 5 3"), "2\n2\n5\n5\n")
        self.assertEqual(self.output("scan", "argmin", given="3 4 1 1 0"), "0\n0\n2\n2\n4\n")
        self.assertEqual(self.output("scan", "mean", given="1 2 6"), "1\n1.5\n3\n")
        self.assertEqual(self.output("scan", "minmax", given="2 1 5"), "# i min max\n0 2 2\n1 1 2\n2 1 5\n")

    def test_integers_of_every_type(self):
        generator = random.Random(1)
        for dtype in ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"):
            size = 8 * struct.calcsize("<" + TYPES[dtype][1])
            low = -2 ** (size - 1) if dtype[0] == "i" else 0
            values = [generator.randrange(low, low + 2 ** size) for _ in range(5000)]
            path = self.file("a.npy", npy(dtype, values))
            totals = [total % 2 ** 64 for total in itertools.accumulate(values)]  # sums wrap in 64 bits
            if dtype[0] == "i":
                totals = [total - 2 ** 64 if total >= 2 ** 63 else total for total in totals]
            r = self.scanned("sum", path)
            self.assertEqual((r["value"], r["result_dtype"], r["n"]), (totals, dtype[0] + "64", 5000))
            self.assertEqual(self.scanned("min", path)["value"], list(itertools.accumulate(values, min)))

    def test_sums_that_need_no_rounding(self):
        generator = random.Random(2)
        values = [generator.randrange(-2 ** 20, 2 ** 20) / 2 ** 10 for _ in range(20000)]
        exact = list(itertools.accumulate(map(Fraction, values)))
        for dtype, accuracies in (("f64", ("native", "wide", "kahan")), ("f32", ("wide",))):
            path = self.file("a.npy", npy(dtype, values))
            for accuracy in accuracies:
                words = ["--result", "f64"] if dtype == "f32" else []
                found = self.scanned("sum", path, "--accuracy", accuracy, *words)["value"]
                self.assertEqual([Fraction(x) for x in found], exact, (dtype, accuracy))

    def test_errors_of_sums(self):
        """wide and kahan are nearly correctly rounded; native is within gamma of the depth of the order."""
        generator = random.Random(3)
        values = [generator.uniform(-1, 1) * 2.0 ** generator.randrange(-20, 20) for _ in range(10000)]
        path = self.file("a.npy", npy("f64", values))
        exact = list(itertools.accumulate(map(Fraction, values)))
        size = list(itertools.accumulate(Fraction(abs(x)) for x in values))
        u = Fraction(1, 2 ** 53)
        for accuracy, of_size in (("native", 40 * u), ("wide", 2 ** 12 * u * u), ("kahan", 2 ** 12 * u * u)):
            found = self.scanned("sum", path, "--accuracy", accuracy)["value"]
            for x, s, t in zip(found, exact, size):
                self.assertLessEqual(abs(Fraction(x) - s), u * abs(s) + of_size * t, accuracy)

    def test_nan_zeros_and_infinities(self):
        text = lambda op, given, *words: self.output("scan", op, *words, given=given).split()
        for op in ("sum", "max", "min", "product", "mean"):
            self.assertEqual(text(op, "1 nan 3")[1:], ["nan", "nan"], op)
        self.assertEqual(text("fmax", "nan 1 nan 3 2"), ["nan", "1", "1", "3", "3"])
        self.assertEqual(text("argmax", "1 nan 3 nan"), ["0", "1", "1", "1"])
        self.assertEqual(text("sum", "inf 1 -inf 2"), ["inf", "inf", "nan", "nan"])
        self.assertEqual(text("sum", "-0.0 -0.0"), ["0", "0"])
        self.assertEqual(text("min", "0.0 -0.0 0.0"), ["0", "-0", "-0"])
        self.assertEqual(text("all", "1 2 0 3"), ["true", "true", "false", "false"])
        self.assertEqual(self.scanned("sum", given="1 nan")["bits"][1], "0x7ff8000000000000")

    def test_verbs_name_operations(self):
        for verb, op in (("cumsum", "sum"), ("cumprod", "product"), ("cummin", "min"), ("CumMax", "max")):
            found = self.scanned(verb, given="3 1 4 1 5")
            self.assertEqual((found["op"], found["bits"]), (op, self.scanned(op, given="3 1 4 1 5")["bits"]))


class PrefixLaw(ScanTest):
    """Bits equal to those of onefold reduce over each prefix alone."""

    PLACES = (0, 1, 7, 8, 127, 128, 2047, 4095, 4096, 9000, 12345, 69999)

    def test_prefixes_of_a_file(self):
        generator = random.Random(4)
        values = [generator.gauss(0, 1) * 2.0 ** generator.randrange(-10, 10) for _ in range(70000)]
        path = self.file("a.npy", npy("f32", values))
        for op, words in (("sum", []), ("sum", ["--accuracy", "kahan"]), ("sum", ["--accuracy", "wide", "--result", "f64"]),
                          ("norm2", []), ("variance", []), ("max", []), ("argmin", []), ("moments", []),
                          ("sum", ["--init", "0.1"])):
            scan = self.scanned(op, path, *words, "--threads", 3)
            parts = scan["bits"] if isinstance(scan["bits"], dict) else {"value": scan["bits"]}
            for i in self.PLACES:
                alone = self.reduced(op, self.file("p.npy", npy("f32", values[:i + 1])), *words)["bits"]
                alone = alone if isinstance(alone, dict) else {"value": alone}
                self.assertEqual({name: bits[i] for name, bits in parts.items()}, alone, (op, words, i))

    def test_exclusive_results_are_the_inclusive_ones_before(self):
        generator = random.Random(5)
        values = [generator.gauss(0, 1) for _ in range(5000)]
        path = self.file("a.npy", npy("f64", values))
        for op, first, words in (("sum", 0.0, []), ("product", 1.0, []), ("count", 0, []), ("sum", 0.5, ["--init", "0.5"]),
                                 ("max", -3.25, ["--init", "-3.25"])):
            inclusive, exclusive = self.scanned(op, path, *words), self.scanned(op, path, "--exclusive", *words)
            self.assertEqual((inclusive["scan"], exclusive["scan"]), ("inclusive", "exclusive"))
            self.assertEqual(exclusive["value"][0], first)
            self.assertEqual(exclusive["bits"][1:], inclusive["bits"][:-1])

    def test_backends_and_threads(self):
        generator = random.Random(6)
        values = [generator.gauss(0, 1) for _ in range(300 * 700)]
        path = self.file("m.npy", npy("f32", values, (300, 700)))
        for words in ([], ["--axis", 0], ["--axis", 1]):
            seen = set()
            for backend, threads in itertools.product(self.available_backends(), (1, 2, 5)):
                if backend == "cuda":
                    continue
                out = os.path.join(self.directory, "out.npy")
                r = self.scanned("sum", path, *words, "--backend", backend, "--threads", threads, "-o", out)
                self.assertEqual(r["backend"], backend)
                seen.add(read_npy(out)[2])
            self.assertEqual(len(seen), 1, words)
            self.assertEqual(len(seen.pop()), 4 * 300 * 700)


class Lines(ScanTest):
    def test_every_axis_in_every_layout(self):
        totals = lambda line: itertools.accumulate(line)
        for fortran, order in itertools.product((False, True), "<>"):
            values = in_fortran_order(CUBE, (2, 3, 4)) if fortran else CUBE
            path = self.file("cube.npy", npy("i32", values, (2, 3, 4), fortran=fortran, order=order))
            for axis in (0, 1, 2, -1):
                r = self.scanned("sum", path, "--axis", axis)
                self.assertEqual(flat(r["value"]), scanned_lines(CUBE, (2, 3, 4), axis % 3, totals), (fortran, axis))
                self.assertEqual((r["axis"], r["shape"], r["extents"], r["n"]), (axis, [2, 3, 4], [2, 3, 4], 24))
            r = self.scanned("sum", path)
            self.assertEqual(r["value"], list(totals(CUBE)), fortran)
            self.assertFalse({"axis", "shape"} & set(r))

    def test_many_axes_in_c_order(self):
        values = random.Random(7).sample(range(512), 512)
        path = self.file("n.npy", npy("i32", values, (2,) * 9))
        self.assertEqual(self.scanned("sum", path)["value"], list(itertools.accumulate(values)))
        shape = (1, 2, 1, 4, 1, 8, 1, 8, 1, 1)
        path = self.file("f.npy", npy("i32", in_fortran_order(values, shape), shape, fortran=True))
        self.assertEqual(self.scanned("max", path)["value"], list(itertools.accumulate(values, max)))
        path = self.file("g.npy", npy("i32", in_fortran_order(values, (2,) * 9), (2,) * 9, fortran=True))
        self.refuse(2, ["g.npy: a view of 9 axes is not supported; at most 8"], "sum", path)

    def test_a_shape_for_raw_elements_and_text(self):
        raw = self.file("a.bin", packed("f32", range(6)))
        for words, given in (([raw, "--dtype", "f32"], ""), (["-"], "0 1 2\n3 4 5\n")):
            r = self.scanned("sum", *words, "--shape", "2x3", "--axis", "1", given=given)
            self.assertEqual((r["value"], r["shape"]), ([[0, 1, 3], [3, 7, 12]], [2, 3]))
            r = self.scanned("sum", *words, "--shape", "2x3", given=given)
            self.assertEqual((r["value"], r["extents"]), ([0, 1, 3, 6, 10, 15], [6]))

    def test_several_files_archives_and_tables(self):
        one, two = self.file("1.npy", npy("f32", [1, 2])), self.file("2.npy", npy("f32", [3, 4], (2, 1)))
        self.assertEqual(self.scanned("sum", one, two)["value"], [1, 3, 6, 10])
        fortran = self.file("f.npy", npy("f32", [1, 3, 2, 4], (2, 2), fortran=True))
        self.refuse(3, ["f.npy: expected C order", "found Fortran order"], "sum", one, fortran)
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as out:
            out.writestr("a.npy", npy("i32", [5, 6]))
        self.assertEqual(self.scanned("sum", self.file("a.npz", archive.getvalue()))["value"], [5, 11])
        self.assertEqual(self.scanned("sum", given=gzip.compress(b"7 8"))["value"], [7, 15])
        table = self.file("t.csv", "day,price\nmon,1.5\ntue,\nwed,2\n")
        words = ["sum", table, "--column", "price", "--missing", "skip"]
        self.assertEqual(self.noted("scan", *words), ("1.5\n3.5\n", "1 missing value (--missing skip)"))
        self.assertEqual(self.scanned(*words)["missing"], 1)
        self.assertEqual(self.noted("scan", "sum", table, "--column", 2, "--header", "--missing", "zero"),
                         ("1.5\n1.5\n3.5\n", "1 missing value (--missing zero)"))
        self.refuse(2, ['--column: expected one column, found "price,day"'], "sum", table, "--column", "price,day")

    def test_without_elements(self):
        self.assertEqual(self.output("scan", "sum", given=""), "")
        self.assertEqual(self.output("scan", "max", given=""), "")
        r = self.scanned("max", given="")
        self.assertEqual((r["n"], r["value"], r["bits"]), (0, [], []))
        path = self.file("e.npy", npy("f32", [], (3, 0)))
        for axis in (0, 1):
            r = self.scanned("min", path, "--axis", axis)
            self.assertEqual((r["extents"], r["value"]), ([3, 0], [[], [], []]))
        out = os.path.join(self.directory, "out.npy")
        self.output("scan", "mean", path, "--axis", 1, "-o", out)
        self.assertEqual(read_npy(out), ("<f4", (3, 0), b""))
        path = self.file("s.npy", npy("f32", [7], ()))
        self.assertEqual(self.scanned("sum", path)["value"], [7])


class Output(ScanTest):
    def written(self, *words, **more):
        """What --output makes of a scan, whose standard output stays empty."""
        path = os.path.join(self.directory, "out.npy")
        self.assertEqual(self.output("scan", *words, "--output", path, **more), "")
        return read_npy(path)

    def test_npy(self):
        path = self.file("a.npy", npy("i32", range(6), (2, 3)))
        self.assertEqual(self.written("sum", path), ("<i8", (6,), packed("i64", [0, 1, 3, 6, 10, 15])))
        self.assertEqual(self.written("sum", path, "--axis", 1), ("<i8", (2, 3), packed("i64", [0, 1, 3, 3, 7, 12])))
        self.assertEqual(self.written("max", path, "--axis", 0, "--exclusive", "--init", 2),
                         ("<i4", (2, 3), packed("i32", [2, 2, 2, 2, 2, 2])))
        self.assertEqual(self.written("any", path), ("|b1", (6,), b"\0\1\1\1\1\1"))
        self.assertEqual(self.written("mean", path, "--result", "f32")[:2], ("<f4", (6,)))
        self.assertEqual(self.written("sum,argmax", path, "--axis", 1)[:2], ([("sum", "<i8"), ("argmax", "<i8")], (2, 3)))
        self.assertEqual(self.written("minmax", given="2 1"),
                         ([("min", "<f8"), ("max", "<f8")], (2,), packed("f64", [2, 2, 1, 2])))

    def test_npy_read_again(self):
        out = os.path.join(self.directory, "out.npy")
        self.output("scan", "sum", "-o", out, given="1 2 3")
        self.assertEqual(self.output("reduce", "max", out), "6\n")

    def test_never_over_an_input(self):
        content = npy("f32", [1, 2])
        path = self.file("a.npy", content)
        self.refuse(2, ["--output: ", "a.npy is an input; expected another file"], "sum", path, "-o", path)
        self.refuse(2, ["--output: expected a name that ends in .npy"], "sum", path, "-o", "a.txt")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), content)

    def test_several_operations(self):
        self.assertEqual(self.output("scan", "sum,max", given="1 3 2"), "# sum\n1\n4\n6\n\n# max\n1\n3\n3\n")
        lines = self.output("scan", "cumsum,max", "--format", "json", given="1 3 2").splitlines()
        self.assertEqual([(l["op"], l["value"]) for l in map(json.loads, lines)], [("sum", [1, 4, 6]), ("max", [1, 3, 3])])

    def test_json_and_explain(self):
        path = self.file("a.npy", npy("f64", range(12), (3, 4)))
        r = self.scanned("sum", path, "--axis", -2, "--explain", "--threads", 1)
        self.assertEqual((r["op"], r["scan"], r["axis"], r["dtype"], r["threads"], r["accuracy"]),
                         ("sum", "inclusive", -2, "f64", 1, "native"))
        self.assertTrue(r["why"] and r["inputs"][0]["how"] == "mapped" and r["backend"] and r["isa"])
        text = self.output("scan", "sum", path, "--axis", 0, "--explain")
        self.assertIn("inclusive scan: sum of 12 f64 along axis 0 (3x4): 12 results (3x4)\n", text)
        self.assertIn("\ninput: ", text)
        text = self.output("scan", "max", "--exclusive", "--init", 0, "--explain", given="1 2")
        self.assertIn("0\n1\nexclusive scan: max of 2 f64\n", text)
        out = os.path.join(self.directory, "out.npy")
        r = self.scanned("sum", path, "-o", out)
        self.assertEqual((r["output"], "value" in r, "bits" in r), (out, False, False))

    def test_rows_and_matrices(self):
        path = self.file("a.npy", npy("i32", CUBE, (2, 3, 4)))
        self.assertEqual(self.output("scan", "sum", path, "--axis", 2).splitlines()[:5],
                         ["# [0, :, :]", "0 1 3 6", "4 9 15 22", "8 17 27 38", ""])
        path = self.file("m.npy", npy("i32", range(6), (2, 3)))
        self.assertEqual(self.output("scan", "sum", path, "--axis", 0), "0 1 2\n3 5 7\n")

    def test_many_results_on_a_terminal(self):
        path = self.file("a.npy", npy("u8", [1] * 2000))
        master, slave = pty.openpty()
        with os.fdopen(master, "rb", buffering=0) as shown:
            subprocess.run([PROGRAM, "scan", "sum", path], stdin=subprocess.DEVNULL, stdout=slave, check=True,
                           timeout=self.limit)
            os.close(slave)
            text = shown.read(65536).decode().replace("\r\n", "\n")
        self.assertEqual(text, "1\n2\n3\n...\n1998\n1999\n2000\n# 2000 results in all; --output FILE.npy, --format json or a "
                               "pipe shows every one\n")
        self.assertEqual(self.output("scan", "sum", path), "".join(f"{i}\n" for i in range(1, 2001)))


class Refused(ScanTest):
    def test_operations(self):
        self.refuse(2, ['unknown operation "cumsom"; did you mean cumsum?'], "cumsom", given="1")
        self.refuse(2, ['unknown operation "frobnicate"; choices: sum, ', "cummax"], "frobnicate", given="1")
        self.refuse(2, ["cumsum: given twice, expected once"], "sum,cumsum", given="1")
        self.refuse(2, ['expected an operation, found the file name "a.npy"; to scan the file: onefold scan sum a.npy\n'],
                    "a.npy")
        self.refuse(2, ["sum_with_bound", "u8"], "sum_with_bound", "--dtype", "u8", given="1")

    def test_exact(self):
        self.refuse(2, ["a scan of sum of f32 at accuracy exact is not supported: each prefix would take an exact sum of "
                        "its own; the nearest accuracy is kahan"], "sum", "--dtype", "f32", "--accuracy", "exact", given="1")
        # What adds nothing has nothing to be exact about.
        self.assertEqual(self.output("scan", "max", "--accuracy", "exact", given="1 3 2"), "1\n3\n3\n")

    def test_no_first_result(self):
        path = self.file("a.npy", npy("f32", [1, 2]))
        for op in ("max", "fmin"):
            self.refuse(2, [f"onefold: --exclusive: the first result is {op} of no elements, which has no value; add "
                            "--init NUMBER\n"], op, path, "--exclusive")
        for op in ("argmin", "mean"):
            self.refuse(2, [f"--exclusive: the first result is {op} of no elements", "; leave out --exclusive\n"], op, path,
                        "--exclusive")
        self.refuse(2, ["argmax takes no initial value"], "argmax", path, "--init", 1)
        self.refuse(2, ['--init: expected a number in the range of f32, found "x"'], "sum", path, "--init", "x")

    def test_axes(self):
        path = self.file("a.npy", npy("f32", [0] * 6, (2, 3)))
        self.refuse(2, ["a.npy: axis 2 is out of range for a view of 2 axes; expected -2 to 1"], "sum", path, "--axis", 2)
        for word in ("x", "0,1", "", "9"):
            self.refuse(2, ["--axis: expected an integer from -8 to 7"], "sum", path, "--axis=" + word)
        self.refuse(2, ["scan: --axis: given twice, expected once"], "sum", path, "--axis", 0, "--axis", 1)
        self.refuse(2, ["a.txt: --axis requires the shape of the array, which is missing in text", "--shape 100x200"], "sum",
                    self.file("a.txt", "1"), "--axis", 0)
        self.refuse(2, ["a.npy: --axis applies to one .npy file; several are read as a list"], "sum", path, path, "--axis", 0)
        # Before the elements are read: there are none.
        self.refuse(2, ["axis 5 is out of range"], "sum", self.file("h.npy", npy("f32", [], (2, 3))), "--axis", 5)

    def test_input(self):
        self.refuse(3, ["standard input: line 2, character 1"], "sum", given="1\nx")
        self.refuse(3, ["missing.npy: "], "sum", os.path.join(self.directory, "missing.npy"))
        self.refuse(3, ["a.npy: byte offset 132: expected 24 bytes of elements"], "sum", self.file("a.npy", npy("f32", [1], (6,))))
        self.refuse(2, ['unknown option "--keep"'], "sum", "--keep", given="1")
        self.refuse(2, ['unknown option "--by"'], "sum", "--by", "2", given="1")

    def test_suggested_command_lines_are_scans(self):
        path = self.file("a.npy.zst", b"\x28\xb5\x2f\xfd" + bytes(20))
        self.refuse(3, ["onefold scan cumsum --axis=-1 --exclusive -"], "cumsum", path, "--axis", -1, "--exclusive")


@unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not installed: the other tests write their files")
class AgainstNumpy(ScanTest):
    def test_axes_as_numpy(self):
        import numpy
        array = numpy.random.default_rng(2).integers(-9, 9, size=(3, 4, 5, 2))
        path, out = os.path.join(self.directory, "n.npy"), os.path.join(self.directory, "out.npy")
        for order, axis in itertools.product("CF", (0, 1, -1, None)):
            numpy.save(path, numpy.array(array, order=order))
            words = [] if axis is None else ["--axis", axis]
            for op, scan in (("sum", numpy.cumsum), ("product", numpy.cumprod), ("max", numpy.maximum.accumulate)):
                if axis is None and op == "max":
                    continue
                self.output("scan", op, path, *words, "-o", out)
                found, meant = numpy.load(out), scan(array, axis=axis)
                self.assertEqual((found.shape, found.tolist()), (meant.shape, meant.tolist()), (op, order, axis))


if __name__ == "__main__":
    unittest.main()
