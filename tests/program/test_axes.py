"""Reductions over axes: which elements belong to each result, in every layout of a file; text, JSON, and refusals."""

import gzip
import importlib.util
import io
import itertools
import json
import math
import os
import pty
import random
import subprocess
import unittest
import zipfile

from support import PROGRAM, ProgramTest, flat, in_fortran_order, npy, packed


def slices(values, shape, axes):
    """The elements of each result, both in C order, of an array whose values are given in C order."""
    rank = len(shape)
    axes = {a % rank for a in axes}
    place = lambda index: sum(i * math.prod(shape[d + 1:]) for d, i in enumerate(index))
    kept = [range(shape[d]) if d not in axes else [None] for d in range(rank)]
    for outer in itertools.product(*kept):
        inner = [[i] if i is not None else range(shape[d]) for d, i in enumerate(outer)]
        yield [values[place(index)] for index in itertools.product(*inner)]


CUBE = list(range(24))  # 2 x 3 x 4


class Axes(ProgramTest):
    def cube(self, fortran=False, order="<"):
        values = in_fortran_order(CUBE, (2, 3, 4)) if fortran else CUBE
        return self.file("cube.npy", npy("i32", values, (2, 3, 4), fortran=fortran, order=order))

    def test_every_choice_of_axes_in_every_layout(self):
        for fortran, order in itertools.product((False, True), "<>"):
            path = self.cube(fortran, order)
            for axes in ([0], [1], [2], [-1], [0, 1], [2, 0], [-3, -2], [0, 1, 2]):
                with self.subTest(fortran=fortran, order=order, axes=axes):
                    words = [w for a in axes for w in ("--axis", a)]
                    r = self.reduced("sum", path, *words)
                    self.assertEqual(flat(r["value"]), [sum(s) for s in slices(CUBE, (2, 3, 4), axes)])
                    left = [e for d, e in enumerate((2, 3, 4)) if d not in {a % 3 for a in axes}]
                    self.assertEqual((r["shape"], r["extents"], r["n"]), ([2, 3, 4], left, 24))
                    r = self.reduced("sum", path, "--keep", "--axis", ",".join(map(str, axes)))
                    self.assertEqual(r["extents"], [1 if d in {a % 3 for a in axes} else e
                                                    for d, e in enumerate((2, 3, 4))])
                    self.assertEqual(flat(r["value"]), [sum(s) for s in slices(CUBE, (2, 3, 4), axes)])

    def test_no_copy_where_strides_tell(self):
        for fortran in (False, True):
            r = self.reduced("argmax", self.cube(fortran), "--axis", "1", "--explain")
            self.assertEqual((r["inputs"][0]["how"], flat(r["value"])), ("mapped", [2] * 8))
        r = self.reduced("argmax", self.cube(True), "--explain")
        self.assertEqual((r["inputs"][0]["how"], r["value"]), ("mapped", 23))

    def test_each_result_has_the_bits_of_its_elements_alone(self):
        generator = random.Random(11)
        shape = (5, 3, 2500)
        values = [generator.uniform(-1, 1) * 2.0 ** generator.randrange(-20, 20) for _ in range(math.prod(shape))]
        files = [self.file("c.npy", npy("f64", values, shape)),
                 self.file("f.npy", npy("f64", in_fortran_order(values, shape), shape, fortran=True))]
        for op, axes, words in (("sum", [2], []), ("sum", [0], ["--accuracy", "kahan", "--threads", 2]),
                                ("mean", [0, 2], ["--accuracy", "exact"]), ("norm2", [1, 2], ["--result", "f32"])):
            named = [w for a in axes for w in ("--axis", a)]
            results = [flat(self.reduced(op, f, *named, *words)["bits"]) for f in files]
            self.assertEqual(results[0], results[1])
            for i, part in itertools.islice(enumerate(slices(values, shape, axes)), 4):
                alone = self.reduced(op, self.file("s.npy", npy("f64", part)), *words)
                self.assertEqual(results[0][i], alone["bits"], (op, axes, i))

    def test_backends_and_threads(self):
        values = [r.gauss(0, 1) for r in [random.Random(3)] for _ in range(300 * 700)]
        path = self.file("m.npy", npy("f32", values, (300, 700)))
        for axis in (0, 1):
            seen = set()
            for name in self.available_backends():
                if name == "cuda":
                    continue
                r = self.reduced("sum", path, "--axis", axis, "--backend", name)
                self.assertEqual(r["backend"], name)
                seen.add(json.dumps(r["bits"]))
            self.assertEqual(len(seen), 1)

    def test_initial_value_and_several_numbers(self):
        path = self.cube()
        self.assertEqual(flat(self.reduced("max", path, "--axis", "0,1", "--init", "21")["value"]), [21, 21, 22, 23])
        r = self.reduced("minmax", path, "--axis", "0,1")
        self.assertEqual(r["value"], {"min": [0, 1, 2, 3], "max": [20, 21, 22, 23]})
        self.assertEqual(r["result_dtype"], {"min": "i32", "max": "i32"})
        self.assertEqual(r["bits"]["min"][1], "0x00000001")
        self.assertEqual(self.reduced("moments", path, "--axis", "0,1,2")["value"], {"n": 24, "mean": 11.5, "m2": 1150.0})

    def test_archives_compressed_files_and_streams(self):
        content = npy("f32", [1, 2, 3, 4, 5, 6], (2, 3), fortran=True, order=">")
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as out:
            out.writestr("a.npy", content)
            out.writestr("b.npy", b"")
        for words, given in (([self.file("a.npz", archive.getvalue()) + ":a"], b""),
                             ([self.file("a.npy.gz", gzip.compress(content))], b""), (["-"], content)):
            r = self.reduced("sum", *words, "--axis", "1", given=given)
            self.assertEqual((r["value"], r["shape"]), ([9, 12], [2, 3]))

    def test_axes_without_elements(self):
        path = self.file("e.npy", npy("f32", [], (3, 0)))
        self.assertEqual(self.reduced("sum", path, "--axis", "1")["value"], [0, 0, 0])
        r = self.reduced("sum", path, "--axis", "0")
        self.assertEqual((r["value"], r["extents"]), ([], [0]))
        self.assertEqual(self.output("reduce", "sum", path, "--axis", "0"), "")
        self.assertEqual(flat(self.reduced("max", path, "--axis", "1", "--init", "4")["value"]), [4, 4, 4])
        self.refused(3, ["e.npy: max of no elements has no value: the axes that are reduced are empty"], "max", path,
                     "--axis", "1")
        self.refused(3, ["e.npy: max of no elements has no value: the input is empty"], "max", path)
        for shape in ((2**40, 0), (2**62, 2**62, 0)):
            path = self.file("h.npy", npy("i8", [], shape))
            self.assertEqual(self.reduced("max", path, "--axis", "0")["value"], [])
            self.assertEqual(self.reduced("sum", path)["value"], 0)
            self.refused(3, ["the input is empty"], "argmax", path)
        self.refused(2, ["h.npy: ", "more results than there are addresses"], "sum", path, "--axis", "2")
        # As tolist() nests what is empty.
        for shape, axis, nested in (((2, 3, 0), 0, [[], [], []]), ((2, 3, 0), 1, [[], []]), ((3, 0, 2), 0, []),
                                    ((2, 0, 3), 2, [[], []]), ((2, 2, 1, 0), 1, [[[]], [[]]])):
            path = self.file("h.npy", npy("f32", [], shape))
            r = self.reduced("sum", path, "--axis", axis)
            self.assertEqual((r["value"], r["bits"]), (nested, nested), (shape, axis))
        path = self.file("r.npy", npy("i8", [], (2**60, 0)))
        self.refused(1, ["memory"], "sum", path, "--axis", "1")

    def test_positions_count_in_c_order_by_any_number_of_axes(self):
        values = list(range(512))
        random.Random(5).shuffle(values)
        path = self.file("n.npy", npy("i16", values, (2,) * 9))
        self.assertEqual(self.reduced("argmax", path)["value"], values.index(511))
        shape = (1, 2, 1, 4, 1, 8, 1, 8, 1, 1)
        path = self.file("f.npy", npy("i16", in_fortran_order(values, shape), shape, fortran=True))
        self.assertEqual(self.reduced("argmin", path)["value"], values.index(0))
        fortran = self.file("g.npy", npy("i16", in_fortran_order(values, (2,) * 9), (2,) * 9, fortran=True))
        self.refused(2, ["g.npy: a view of 9 axes is not supported; at most 8"], "argmin", fortran)
        self.refused(3, ["f.npy: expected C order", "found Fortran order"], "argmin", path, path)


class Shape(ProgramTest):
    def test_raw_elements_and_text(self):
        raw = self.file("a.bin", packed("f32", range(6)))
        text = self.file("a.txt", "0 1 2\n3 4 5\n")
        table = self.file("t.csv", "x,y\n" + "".join(f"{i},{i}\n" for i in range(6)))
        for words in ([raw, "--dtype", "f32"], [text], [table, "--column", "y"], [raw, "--dtype", "f32", "--threads", 2]):
            r = self.reduced("sum", *words, "--shape", "2x3", "--axis", "0")
            self.assertEqual((r["value"], r["shape"]), ([3, 5, 7], [2, 3]))
        self.assertEqual(self.reduced("sum", "--shape", "3x2", "--axis", "1", given="0 1 2 3 4 5")["value"], [1, 5, 9])
        self.assertEqual(self.reduced("sum", raw, raw, "--dtype", "f32", "--shape", "2x2x3", "--axis", "1,2")["value"],
                         [15, 15])
        r = self.reduced("sum", raw, "--dtype", "f32", "--shape", "6")
        self.assertEqual((r["value"], r["shape"], r["extents"]), (15, [6], []))
        self.assertEqual(self.reduced("sum", "--dtype", "i8", "--input", "raw", "--shape", "2^10x3", "--axis", "0",
                                      given=bytes([1, 2, 3] * 1024))["value"], [1024, 2048, 3072])
        self.assertEqual(self.reduced("sum", "--shape", "0x3", "--axis", "0", given="")["value"], [0, 0, 0])

    def test_that_does_not_fit(self):
        raw = self.file("a.bin", packed("f32", range(6)))
        for shape, count in (("2x4", 8), ("5", 5), ("0x3", 0), ("2x2", 4)):
            self.refused(3, [f"a.bin: expected {count} elements (--shape {shape}), found 6"], "sum", raw, "--dtype",
                         "f32", "--shape", shape)
        self.refused(3, ["standard input: expected 4 elements (--shape 2x2), found 3"], "sum", "--shape", "2x2",
                     given="1 2 3")
        self.refused(2, ["than there are addresses"], "sum", raw, "--dtype", "f32", "--shape", "2^40x2^40")

    def test_words(self):
        for word in ("", "x", "2x", "x2", "2xx3", "-2x3", "2,3", "axb", "1x1x1x1x1x1x1x1x1", "2..4"):
            self.refused(2, ["--shape: expected 1 to 8 extents with x between them, such as 100x200", f'"{word}"'],
                         "sum", "--shape=" + word, given="1")
        self.refused(2, ["--shape", "2^53"], "sum", "--shape", "2^60", given="1")

    def test_where_it_is_needed_and_where_not(self):
        for words in (["--axis", "0"], ["--keep"]):
            self.refused(2, [f"a.txt: {words[0]} requires the shape of the array, which is missing in text",
                             "--shape 100x200"], "sum", self.file("a.txt", "1"), *words)
            self.refused(2, ["a.bin: ", "missing in a file of raw elements", "--shape 100x200"], "sum",
                         self.file("a.bin", bytes(8)), "--dtype", "f32", *words)
        path = self.file("a.npy", npy("f32", [1, 2], (2,)))
        self.refused(2, ["a.npy: --shape is for raw elements and text; an .npy file has its own shape"], "sum", path,
                     "--shape", "2")
        self.refused(2, ["a.npy: --axis applies to one .npy file; several are read as a list"], "sum", path,
                     path, "--axis", "0")


class WrongAxes(ProgramTest):
    def test_words(self):
        path = self.file("a.npy", npy("f32", [0] * 6, (2, 3)))
        for word in ("x", "1.5", "", "9", "-9", "0,", "99999999999999999999"):
            self.refused(2, ["--axis: expected an integer from -8 to 7"], "sum", path, "--axis=" + word)
        self.refused(2, ["a.npy: axis 2 is out of range for a view of 2 axes; expected -2 to 1"], "sum", path, "--axis", 2)
        self.refused(2, ["a.npy: axis -3 is out of range"], "sum", path, "--axis", -3)
        for words in (["--axis", "1", "--axis", "1"], ["--axis", "1,-1"], ["--axis", "-1", "--axis", "1"]):
            self.refused(2, ["a.npy: axis ", "1 is named twice"], "sum", path, *words)
        self.refused(2, ["9 axes are named; a view has at most 8"], "sum", path, "--axis", "0,1,2,3,4,5,6,7,0")
        self.refused(2, ["--keep: expected no value"], "sum", path, "--keep=x")
        self.refused(2, ["--shape: given twice"], "sum", path, "--axis", 0, "--axis", 1, "--shape", 1, "--shape", 1)
        self.refused(2, ["b.npy: axis 0 is out of range for a view of 0 axes"], "sum",
                     self.file("b.npy", npy("f32", [1], ())), "--axis", "0")
        self.refused(2, ["b.npy: a view of 9 axes is not supported; at most 8"], "sum",
                     self.file("b.npy", npy("f32", [1], (1,) * 9)), "--axis", "0")

    def test_before_the_elements_are_read(self):
        # A header and nothing after it: what is wrong with the axes is said first.
        path = self.file("a.npy", npy("f32", [], (2, 3)))
        self.refused(2, ["axis 2 is out of range"], "sum", path, "--axis", 2)
        self.refused(3, ["expected 24 bytes of elements"], "sum", path, "--axis", 1)
        for content, words, pieces in (
                (npy("f32", [0] * 2000, (2000, 3000)), ["--axis", 2], "standard input: axis 2 is out of range"),
                (bytes(8000), ["--dtype", "f32", "--input", "raw", "--shape", "2^40x2^40"], "than there are addresses")):
            reader, writer = os.pipe()
            with os.fdopen(reader) as given, os.fdopen(writer, "wb", buffering=0) as never_ends:
                never_ends.write(content)
                self.refused(2, [pieces], "sum", *words, stdin=given)

    def test_results_that_cannot_be(self):
        path = self.file("a.npy", npy("i64", [2**63 - 1] * 4, (2, 2)))
        self.refused(3, ["a.npy: sum has no result"], "sum", path, "--axis", 0, "--accuracy", "exact")
        self.refused(2, ["argmax takes no initial value"], "argmax", path, "--axis", 0, "--init", 1)

    def test_suggested_command_lines_keep_the_axes(self):
        path = self.file("a.npy.zst", b"\x28\xb5\x2f\xfd" + bytes(20))
        self.refused(3, ["onefold reduce sum --axis=-1 --axis=0 --keep -"], "sum", path, "--axis", -1, "--keep", "--axis=0")


class Text(ProgramTest):
    def test_of_one_two_and_more_axes(self):
        path = self.file("a.npy", npy("f32", [i / 2 for i in CUBE], (2, 3, 4)))
        text = lambda *words: self.output("reduce", *words, path)
        self.assertEqual(text("sum", "--axis", "0,1,2"), "138\n")
        self.assertEqual(text("sum", "--axis", "0", "--axis=-1"), "30\n46\n62\n")
        self.assertEqual(text("max", "--axis", "0"), "6 6.5 7 7.5\n8 8.5 9 9.5\n10 10.5 11 11.5\n")
        self.assertEqual(text("max", "--axis", "1", "--keep"), "# [0, :, :]\n4 4.5 5 5.5\n\n# [1, :, :]\n10 10.5 11 11.5\n")
        self.assertEqual(text("argmin", "--axis", "0,1,2", "--keep"), "# [0, :, :]\n0\n")
        self.assertEqual(text("minmax", "--axis", "1,2"), "# i min max\n0 0 5.5\n1 6 11.5\n")
        self.assertEqual(text("minmax", "--axis", "1,2", "--keep"), "# i j k min max\n0 0 0 0 5.5\n1 0 0 6 11.5\n")
        # As text the program reads it again.
        self.assertEqual(self.output("reduce", "sum", given=text("max", "--axis", "1", "--keep")), "62\n")

    def test_explain(self):
        path = self.file("a.npy", npy("f32", CUBE, (2, 3, 4), fortran=True))
        text = self.output("reduce", "sum", path, "--axis", "1", "--explain")
        for piece in ("sum of 24 f32 (2x3x4): 8 results (2x4)\n", "a.npy: npy, 24 elements, mapped", "backend", "GB/s"):
            self.assertIn(piece, text)
        self.assertIn("sum of 24 f32 (2x3x4): 1 result\n", self.output("reduce", "sum", path, "--axis", "0,1,2", "--explain"))

    def on_terminal(self, *words):
        """What the program writes to a terminal."""
        terminal, other = pty.openpty()
        with subprocess.Popen([PROGRAM, "reduce", *words], stdout=other) as run:
            os.close(other)
            text = b""
            try:
                while piece := os.read(terminal, 65536):
                    text += piece
            except OSError:
                pass
            self.assertEqual(run.wait(self.limit), 0)
        os.close(terminal)
        return text.decode().replace("\r\n", "\n")

    def test_many_results_are_shortened_on_a_terminal_only(self):
        path = self.file("a.npy", npy("i32", range(2 * 1200), (2, 1200)))
        whole = self.output("reduce", "max", path, "--axis", "0")
        self.assertEqual(whole, "".join(f"{i}\n" for i in range(1200, 2400)))
        self.assertEqual(self.on_terminal("max", path, "--axis", "0"),
                         "1200\n1201\n1202\n...\n2397\n2398\n2399\n# 1200 results in all; --output FILE.npy, --format json "
                         "or a pipe shows every one\n")
        self.assertTrue(self.on_terminal("max", path, "--axis", "0", "--keep").startswith(
            "1200 1201 1202 ... 2397 2398 2399\n# 1200 results"))
        self.assertEqual(self.on_terminal("max", path, "--axis", "1"), "1199\n2399\n")
        self.assertEqual(len(json.loads(self.on_terminal("max", path, "--axis", "0", "--format", "json"))["value"]), 1200)


class SeveralOperations(ProgramTest):
    def test_of_one_result(self):
        self.assertEqual(self.output("reduce", "sum,mean", given="1 2 6"), "sum 9\nmean 3\n")
        self.assertEqual(self.output("sum,minmax,count", given="1 2 0"), "sum 3\nminmax min 0\nminmax max 2\ncount 2\n")
        self.assertEqual(self.noted("reduce", "sum,max", "--missing", "skip", "--column", "1", given="1,2\n,3\n"),
                         ("sum 1\nmax 1\n", "1 missing value (--missing skip)"))
        text = self.output("reduce", "sum,mean", "--explain", given="1 2 6")
        self.assertEqual((text.count("\ninput: "), text.count("time: ")), (1, 2))

    def test_over_axes(self):
        path = self.file("a.npy", npy("f32", CUBE, (2, 3, 4)))
        self.assertEqual(self.output("reduce", "min,mean", path, "--axis", "1,2"), "# min\n0\n12\n\n# mean\n5.5\n17.5\n")

    def test_json_has_a_line_for_each(self):
        path = self.file("a.npy", npy("f32", CUBE, (2, 3, 4)))
        lines = [json.loads(l) for l in
                 self.output("reduce", "min,argmax", path, "--axis", "0,2", "--format", "json").splitlines()]
        self.assertEqual([(l["op"], l["value"]) for l in lines], [("min", [0, 4, 8]), ("argmax", [7, 7, 7])])

    def test_each_has_the_bits_that_it_has_alone(self):
        values = [r.gauss(0, 1) for r in [random.Random(8)] for _ in range(60 * 70)]
        path = self.file("f.npy", npy("f64", values, (60, 70), fortran=True))
        lines = self.output("reduce", "argmax,sum", path, "--format", "json").splitlines()
        for line, op in zip(lines, ("argmax", "sum")):
            self.assertEqual(json.loads(line)["bits"], self.reduced(op, path)["bits"])

    def test_wrong_lists(self):
        self.refused(2, ['"meen"', "did you mean mean"], "sum,meen", given="1")
        self.refused(2, ['unknown operation ""'], "sum,", given="1")
        self.refused(2, ["sum: given twice, expected once"], "sum,mean,sum", given="1")
        self.refused(2, ["max of f32 has no result of type f64"], "sum,max", "--dtype", "f32", "--result", "f64", given="1")
        self.refused(3, ["max of no elements has no value: the input is empty"], "sum,max", given="")


@unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not installed: the other tests write their files")
class AgainstNumpy(ProgramTest):
    def test_axes_as_numpy(self):
        import numpy
        array = numpy.random.default_rng(2).integers(-9, 9, size=(3, 4, 5, 2))
        for order in "CF":
            path = os.path.join(self.directory, "n.npy")
            numpy.save(path, numpy.array(array, order=order))
            for axes in ((0,), (1, -1), (0, 1, 2, 3)):
                r = self.reduced("sum", path, "--axis", ",".join(map(str, axes)))
                self.assertEqual(r["value"], array.sum(axis=axes).tolist())
                r = self.reduced("max", path, "--keep", "--axis", ",".join(map(str, axes)))
                self.assertEqual(r["value"], array.max(axis=axes, keepdims=True).tolist())


if __name__ == "__main__":
    unittest.main()
