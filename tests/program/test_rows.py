"""Row operations: values against plain Python, the same bits on every backend, text, JSON, .npy, and refusals."""

import itertools
import json
import math
import os
import random
import struct
import unittest

from support import TYPES, ProgramTest, flat, in_fortran_order, npy, packed, read_npy

OPERATIONS = ("softmax", "log_softmax", "logsumexp", "layer_norm", "rms_norm", "normalize_l1", "normalize_l2",
              "normalize_max", "standardize")


def divided(line, by):
    return [x / by for x in line]


def softmax(line):
    top = max(line)
    e = [math.exp(x - top) for x in line]
    return divided(e, math.fsum(e))


def logsumexp(line):
    top = max(line)
    return top + math.log(math.fsum(math.exp(x - top) for x in line))


def log_softmax(line):
    log = logsumexp(line)
    return [x - log for x in line]


def centered(line, eps=0.0):
    mean = math.fsum(line) / len(line)
    variance = math.fsum((x - mean) ** 2 for x in line) / len(line)
    return divided([x - mean for x in line], math.sqrt(variance + eps))


def squares(line):
    return math.fsum(x * x for x in line)


#: Each operation of a line, with its default eps; logsumexp gives one number.
MEANT = {
    "softmax": softmax,
    "log_softmax": log_softmax,
    "logsumexp": lambda line: [logsumexp(line)],
    "layer_norm": lambda line: centered(line, 1e-5),
    "rms_norm": lambda line: divided(line, math.sqrt(squares(line) / len(line) + 1e-5)),
    "normalize_l1": lambda line: divided(line, math.fsum(map(abs, line))),
    "normalize_l2": lambda line: divided(line, math.sqrt(squares(line))),
    "normalize_max": lambda line: divided(line, max(map(abs, line))),
    "standardize": centered,
}
TOLERANCE = {"f64": 1e-13, "f32": 2e-5, "f16": 2e-3}


def mapped_lines(values, shape, axis, operation):
    """An array's values in C order, with each of its lines along an axis replaced by operation(line)."""
    step = math.prod(shape[axis + 1:])
    lines = {}
    for first in range(len(values)):
        if first // step % shape[axis] == 0:
            lines[first] = operation([values[p] for p in range(first, first + step * shape[axis], step)])
    if all(len(line) == 1 for line in lines.values()) and shape[axis] != 1:
        return [line[0] for line in lines.values()]
    out = list(values)
    for first, line in lines.items():
        for i, x in enumerate(line):
            out[first + i * step] = x
    return out


def rounded(dtype, values):
    """The values as elements of a type."""
    letter = "<" + TYPES[dtype][1]
    return [struct.unpack(letter, struct.pack(letter, x))[0] for x in values]


class RowsTest(ProgramTest):
    def rows(self, *words, **more):
        """The JSON of a row operation that must succeed."""
        return json.loads(self.output("rows", *words, "--format", "json", **more))

    def written(self, *words, **more):
        """What --output makes of a row operation, whose standard output stays empty."""
        path = os.path.join(self.directory, "out.npy")
        self.assertEqual(self.output("rows", *words, "--output", path, **more), "")
        return read_npy(path)

    def refuse(self, code, pieces, *words, **more):
        """A row operation that must fail, and how."""
        self.check_error(self.run_program("rows", *words, **more), code, *pieces)

    def check_close(self, found, meant, dtype, what):
        self.assertEqual(len(found), len(meant), what)
        for x, y in zip(found, meant):
            self.assertLessEqual(abs(x - y), TOLERANCE[dtype] * max(1, abs(y)), what)


class Values(RowsTest):
    def test_every_operation_type_and_axis(self):
        generator = random.Random(1)
        shape = (3, 4, 50)
        for dtype in ("f64", "f32", "f16"):
            values = rounded(dtype, [generator.uniform(-3, 3) for _ in range(math.prod(shape))])
            path = self.file("a.npy", npy(dtype, values, shape))
            for op, axis in itertools.product(OPERATIONS, (None, 0, 1, 2, -1)):
                r = self.rows(op, path, *([] if axis is None else ["--axis", axis]))
                along = -1 if axis is None else axis
                meant = mapped_lines(values, shape, along % 3, MEANT[op])
                self.check_close(flat(r["value"]), meant, dtype, (op, dtype, axis))
                extents = [e for d, e in enumerate(shape) if op != "logsumexp" or d != along % 3]
                self.assertEqual((r["op"], r["axis"], r["shape"], r["extents"], r["dtype"], r["result_dtype"], r["n"]),
                                 (op, along, list(shape), extents, dtype, dtype, 600))

    def test_long_lines(self):
        generator = random.Random(2)
        values = [generator.gauss(0, 1) for _ in range(20000)]
        path = self.file("a.npy", npy("f64", values))
        for op in OPERATIONS:
            found = self.rows(op, path)["value"]
            self.check_close(flat(found) if op != "logsumexp" else [found], MEANT[op](values), "f64", op)

    def test_text(self):
        self.assertEqual(self.output("rows", "softmax", given="0 0"), "0.5\n0.5\n")
        self.assertEqual(self.output("rows", "logsumexp", given="0"), "0\n")
        self.assertEqual(self.output("rows", "Normalize_Max", given="1 -4"), "0.25\n-1\n")
        self.assertEqual(self.output("rows", "normalize_l1", "--shape", "2x2", given="1 3 3 -1"), "0.25 0.75\n0.75 -0.25\n")
        self.assertEqual(self.output("rows", "normalize_l1", "--shape", "2x2", "--axis", 0, given="1 3 3 -1"),
                         "0.25 0.75\n0.75 -0.25\n")
        self.assertEqual(self.output("rows", "standardize", given="1 3"), "-1\n1\n")

    def test_special_values(self):
        text = lambda op, given: self.output("rows", op, given=given).split()
        self.assertEqual(text("softmax", "1 nan"), ["nan", "nan"])
        self.assertEqual(text("softmax", "1 -inf"), ["1", "0"])
        self.assertEqual(text("logsumexp", "-inf -inf"), ["-inf"])
        self.assertEqual(text("logsumexp", "inf 1"), ["inf"])
        self.assertEqual(text("standardize", "2 2"), ["nan", "nan"])
        self.assertEqual(text("normalize_l2", "0 0"), ["0", "0"])

    def test_eps(self):
        self.assertEqual(self.output("rows", "normalize_l2", "--eps", 8, given="3 4"), "0.375\n0.5\n")
        self.assertEqual(self.output("rows", "rms_norm", "--eps", 0, given="2 2"), "1\n1\n")
        self.check_close(self.rows("layer_norm", "--eps", "0.5", given="1 2 4")["value"], centered([1, 2, 4], 0.5), "f64", "")

    def test_weight_and_bias(self):
        generator = random.Random(3)
        for dtype in ("f32", "f64"):
            x, w, b = (rounded(dtype, [generator.uniform(-2, 2) for _ in range(n)]) for n in (24, 6, 6))
            path, weight, bias = (self.file(name, npy(dtype, values, shape)) for name, values, shape in
                                  (("x.npy", x, (4, 6)), ("w.npy", w, (6,)), ("b.npy", b, (6,))))
            parameters = ["--weight", weight, "--bias", bias]
            meant = [y * w[i % 6] + b[i % 6] for i, y in enumerate(mapped_lines(x, (4, 6), 1, MEANT["layer_norm"]))]
            self.check_close(flat(self.rows("layer_norm", path, *parameters)["value"]), meant, dtype, dtype)
            meant = [y * w[i % 6] for i, y in enumerate(mapped_lines(x, (4, 6), 1, MEANT["rms_norm"]))]
            self.check_close(flat(self.rows("rms_norm", path, "--weight", weight)["value"]), meant, dtype, dtype)
            down = self.file("d.npy", npy(dtype, w[:4]))
            meant = [y * w[i // 6] for i, y in enumerate(mapped_lines(x, (4, 6), 0, MEANT["rms_norm"]))]
            found = self.rows("rms_norm", path, "--axis", 0, "--weight", down)
            self.check_close(flat(found["value"]), meant, dtype, dtype)
        self.assertEqual(self.output("rows", "rms_norm", "--eps", 0, "--weight", self.file("w.txt", "3 5"), given="2 -2"),
                         "3\n-5\n")


class Bits(RowsTest):
    def test_backends_and_threads(self):
        generator = random.Random(4)
        values = [generator.gauss(0, 1) for _ in range(20 * 5000)]
        path = self.file("m.npy", npy("f32", values, (20, 5000)))
        out = os.path.join(self.directory, "out.npy")
        for op, axis in itertools.product(OPERATIONS, (0, 1)):
            seen = set()
            for backend, threads in itertools.product(self.available_backends(), (1, 3)):
                if backend == "cuda":
                    continue
                r = self.rows(op, path, "--axis", axis, "--backend", backend, "--threads", threads, "-o", out)
                self.assertEqual(r["backend"], backend)
                seen.add(read_npy(out)[2])
            self.assertEqual(len(seen), 1, (op, axis))
            self.assertEqual(len(seen.pop()), 4 * (20 * 5000 if op != "logsumexp" else (5000, 20)[axis]))

    def test_layouts_of_files(self):
        generator = random.Random(5)
        values = [generator.gauss(0, 1) for _ in range(24)]
        for op, axis in itertools.product(OPERATIONS, (0, 1, 2)):
            seen = set()
            for fortran, order in itertools.product((False, True), "<>"):
                stored = in_fortran_order(values, (2, 3, 4)) if fortran else values
                path = self.file("a.npy", npy("f32", stored, (2, 3, 4), fortran=fortran, order=order))
                seen.add(json.dumps(self.rows(op, path, "--axis", axis)["bits"]))
            self.assertEqual(len(seen), 1, (op, axis))

    def test_accuracies(self):
        generator = random.Random(6)
        values = [generator.gauss(5, 1) for _ in range(3000)]
        path = self.file("a.npy", npy("f64", values))
        for op in ("layer_norm", "standardize", "rms_norm", "normalize_l2"):
            for accuracy in ("native", "exact"):
                r = self.rows(op, path, "--accuracy", accuracy)
                self.assertEqual(r["accuracy"], accuracy)
                self.check_close(r["value"], MEANT[op](values), "f64", (op, accuracy))
        for op in ("softmax", "log_softmax", "logsumexp"):
            self.refuse(2, [f"{op} supports accuracy native only, not kahan"], op, path, "--accuracy", "kahan")


class Output(RowsTest):
    def test_npy_has_the_type_of_the_data(self):
        for dtype in ("f16", "f32", "f64"):
            path = self.file("a.npy", npy(dtype, [1, 3, 3, -1], (2, 2)))
            letters = "<" + TYPES[dtype][0]
            self.assertEqual(self.written("normalize_l1", path), (letters, (2, 2), packed(dtype, [0.25, 0.75, 0.75, -0.25])))
            self.assertEqual(self.written("logsumexp", path)[:2], (letters, (2,)))
        self.assertEqual(self.written("normalize_max", "--dtype", "f32", given="1 -4"),
                         ("<f4", (2,), packed("f32", [0.25, -1])))
        self.assertEqual(self.written("normalize_linf", "--dtype", "f32", given="1 -4"),
                         ("<f4", (2,), packed("f32", [0.25, -1])))
        self.assertEqual(self.written("logsumexp", given="0"), ("<f8", (), packed("f64", [0])))

    def test_without_elements(self):
        self.assertEqual(self.output("rows", "softmax", given=""), "")
        self.assertEqual(self.output("rows", "logsumexp", given=""), "-inf\n")
        path = self.file("e.npy", npy("f32", [], (3, 0)))
        for axis in (0, 1):
            self.assertEqual(self.written("layer_norm", path, "--axis", axis), ("<f4", (3, 0), b""))
        self.assertEqual(self.written("logsumexp", path), ("<f4", (3,), packed("f32", [-math.inf] * 3)))

    def test_never_over_an_input(self):
        path, weight = self.file("a.npy", npy("f32", [1, 2])), self.file("w.npy", npy("f32", [1, 2]))
        for target in (path, weight):
            self.refuse(2, [" is an input; expected another file"], "rms_norm", path, "--weight", weight, "-o", target)

    def test_explain(self):
        path = self.file("a.npy", npy("f64", range(12), (3, 4)))
        text = self.output("rows", "softmax", path, "--explain")
        self.assertIn("softmax of 12 f64 along axis -1 (3x4): 12 results (3x4)\n", text)
        self.assertIn("\ninput: ", text)
        text = self.output("rows", "logsumexp", path, "--axis", 0, "--explain")
        self.assertIn("logsumexp of 12 f64 along axis 0 (3x4): 4 results (4)\n", text)

    def test_several_files_and_tables(self):
        one, two = self.file("1.npy", npy("f32", [1, 1])), self.file("2.npy", npy("f32", [2, 4]))
        self.assertEqual(self.rows("normalize_l1", one, two)["value"], [0.125, 0.125, 0.25, 0.5])
        table = self.file("t.csv", "day,price\nmon,1\ntue,\nwed,3\n")
        words = ["normalize_l1", table, "--column", "price", "--missing", "skip"]
        self.assertEqual(self.noted("rows", *words), ("0.25\n0.75\n", "1 missing value (--missing skip)"))


class Refused(RowsTest):
    def test_operations(self):
        self.refuse(2, ['unknown row operation "sofmax"; did you mean softmax?'], "sofmax", given="1")
        self.refuse(2, ['unknown row operation "frobnicate"; choices: softmax, ', "standardize"], "frobnicate", given="1")
        self.refuse(2, ['unknown row operation "softmax,logsumexp"'], "softmax,logsumexp", given="1")
        self.refuse(2, ['expected an operation, found the file name "a.npy"; to take softmax of the file: onefold rows '
                        "softmax a.npy\n"], "a.npy")

    def test_integers(self):
        path = self.file("a.npy", npy("i32", [1, 2]))
        for op in OPERATIONS:
            self.refuse(2, [f"{op} of i32 is not supported; row operations take f16, bf16, f32 or f64"], op, path)
        self.refuse(2, ["softmax of u8 is not supported"], "softmax", "--dtype", "u8", given="1")

    def test_axes(self):
        path = self.file("a.npy", npy("f32", [0] * 6, (2, 3)))
        self.refuse(2, ["a.npy: axis 2 is out of range for a view of 2 axes; expected -2 to 1"], "softmax", path, "--axis", 2)
        self.refuse(2, ["--axis: expected an integer from -8 to 7"], "softmax", path, "--axis", "x")
        self.refuse(2, ["rows: --axis: given twice, expected once"], "softmax", path, "--axis", 0, "--axis", 1)
        # Before the elements are read: there are none.
        self.refuse(2, ["axis 5 is out of range"], "softmax", self.file("h.npy", npy("f32", [], (2, 3))), "--axis", 5)

    def test_parameters(self):
        path = self.file("a.npy", npy("f32", [0] * 6, (2, 3)))
        weight, double, matrix = (self.file(name, npy(dtype, [1] * 4, shape)) for name, dtype, shape in
                                  (("w.npy", "f32", (4,)), ("d.npy", "f64", (4,)), ("m.npy", "f32", (2, 2))))
        self.refuse(2, ["the weight has 4 values, but there are 3 positions"], "layer_norm", path, "--weight", weight)
        self.refuse(2, ["the bias has 4 values, but there are 3 positions"], "layer_norm", path, "--bias", weight)
        self.refuse(2, ["--weight: expected elements of type f32, as those of the data, found f64"], "layer_norm", path,
                    "--weight", double)
        self.refuse(3, ["m.npy: expected one axis, found 2"], "layer_norm", path, "--weight", matrix)
        self.refuse(2, ["softmax takes no weight"], "softmax", path, "--weight", weight)
        self.refuse(2, ["rms_norm takes no bias"], "rms_norm", path, "--bias", weight)
        # That comes first, whatever the file is.
        self.refuse(2, ["softmax takes no weight"], "softmax", path, "--weight", double)
        self.refuse(2, ["standardize takes no bias"], "standardize", path, "--bias", "missing.npy")
        self.refuse(2, ['--weight: expected a file, found "-"'], "rms_norm", path, "--weight", "-")
        self.refuse(3, ["missing.npy: "], "rms_norm", path, "--weight", os.path.join(self.directory, "missing.npy"))

    def test_parameters_without_values(self):
        path, no_text, none = (self.file(*given) for given in
                               (("a.npy", npy("f32", [0] * 6, (2, 3))), ("w.txt", ""), ("n.npy", npy("f32", [], (0,)))))
        for option in ("--weight", "--bias"):
            for empty in (no_text, none):
                self.refuse(2, [f"{option}: expected 3 values, found none"], "layer_norm", path, option, empty, "--dtype",
                            "f32")
        lines = self.rows("layer_norm", self.file("e.npy", npy("f32", [], (2, 0))), "--weight", none)
        self.assertEqual(lines["shape"], [2, 0])

    def test_no_lines_of_any_length(self):
        for extent in (1 << 50, 1 << 62):
            path = self.file("a.npy", npy("f32", [], (extent, 0)))
            for op in OPERATIONS:
                self.assertEqual(flat(self.rows(op, path, "--axis", 0)["value"]), [])

    def test_eps(self):
        for word in ("-1", "x", "nan", "inf"):
            self.refuse(2, [f'--eps: expected a finite, non-negative number, found "{word}"'], "rms_norm", "--eps=" + word,
                        given="1")
        for op in ("softmax", "standardize"):
            self.refuse(2, [f"{op} takes no eps"], op, "--eps", 1, given="1")

    def test_input(self):
        self.refuse(3, ["standard input: line 2, character 1"], "softmax", given="1\nx")
        self.refuse(2, ['unknown option "--exclusive"'], "softmax", "--exclusive", given="1")


if __name__ == "__main__":
    unittest.main()
