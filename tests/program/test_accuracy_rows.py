"""onefold accuracy of row operations: its errors against decimals, special values, peers, and what it refuses."""

import csv
import decimal
import io
import json
import math
import os
import random
import struct
import subprocess
import sys
import unittest
from decimal import Decimal

from accuracy_support import AccuracyTest
from support import TYPES, npy, python_with_matplotlib, read_npy

OPERATIONS = ("softmax", "log_softmax", "logsumexp", "layer_norm", "rms_norm", "normalize_l1", "normalize_l2",
              "normalize_max", "standardize")
#: Digits before the point, and the exponent of the least number, of each type.
PRECISION = {"f16": (11, -24), "f32": (24, -149), "f64": (53, -1074)}
INF, NAN = math.inf, math.nan
decimal.getcontext().prec = 70


def exact(operation, line):
    """The results of a line, to 60 digits or more."""
    x, n = [Decimal(v) for v in line], len(line)
    if operation in ("softmax", "log_softmax", "logsumexp"):
        total = sum(v.exp() for v in x)
        return {"softmax": lambda: [v.exp() / total for v in x], "log_softmax": lambda: [v - total.ln() for v in x],
                "logsumexp": lambda: [total.ln()]}[operation]()
    if operation in ("layer_norm", "standardize"):
        mean = sum(x) / n
        variance = sum((v - mean) ** 2 for v in x) / n + (Decimal(1e-5) if operation == "layer_norm" else 0)
        return [(v - mean) / variance.sqrt() for v in x]
    squares = sum(v * v for v in x)
    by = {"rms_norm": lambda: (squares / n + Decimal(1e-5)).sqrt(), "normalize_l1": lambda: sum(map(abs, x)),
          "normalize_l2": squares.sqrt, "normalize_max": lambda: max(map(abs, x))}[operation]()
    return [v / by for v in x]


def ulp(dtype, x):
    """One unit in the last place of a number."""
    digits, least = PRECISION[dtype]
    return Decimal(2) ** (max(math.frexp(x)[1] - digits, least) if x else least)


def python_with(package):
    """A Python that has a package, or None."""
    for python in (sys.executable, "/usr/bin/python3", "python3"):
        try:
            if subprocess.run([python, "-Ic", "import " + package], capture_output=True, check=False).returncode == 0:
                return python
        except OSError:
            pass
    return None


class RowAccuracyTest(AccuracyTest):
    """Without a Python, which would take a second each time."""

    def studies(self, *words, **more):
        return super().studies(*words, **{"environment": {"ONEFOLD_PYTHON": "false"}, **more})

    def findings(self, *words, **more):
        """The findings that are not of peers, by mode and backend."""
        return {(f["mode"], f["backend"]): f for f in self.study(*words, **more)["findings"]}

    def matrix(self, dtype, lines):
        return self.file("m.npy", npy(dtype, [v for line in lines for v in line], (len(lines), len(lines[0]))))


class Errors(RowAccuracyTest):
    def results(self, dtype, operation, path, length):
        """The results that the program writes, line by line."""
        out = os.path.join(self.directory, "out.npy")
        self.output("rows", operation, path, "--backend", "sequential", "--output", out)
        data = read_npy(out)[2]
        values = struct.unpack(f"<{len(data) // struct.calcsize(TYPES[dtype][1])}{TYPES[dtype][1]}", data)
        return [values[i:i + length] for i in range(0, len(values), length)]

    def check(self, finding, dtype, operation, lines, results):
        ulps, relative, absolute, off = {}, [], [], []
        for i, (line, got) in enumerate(zip(lines, results)):
            meant = exact(operation, line)
            self.assertEqual(len(meant), len(got))
            for j, (x, y) in enumerate(zip(meant, got)):
                error = abs(x - Decimal(y))
                absolute.append(error)
                if x != 0:
                    ulps[i, j] = error / ulp(dtype, float(x))
                    relative.append(error / abs(x))
            off.append(abs(1 - sum(map(Decimal, got))))
        close = lambda a, b: self.assertAlmostEqual(a, float(b), delta=1e-9 * float(b), msg=(operation, dtype))
        close(finding["ulps"], max(ulps.values()))
        close(finding["mean_ulps"], sum(ulps.values()) / len(ulps))
        close(finding["relative"], max(relative))
        close(finding["absolute"], max(absolute))
        if max(ulps.values()) > 0:
            close(finding["ulps"], ulps[finding["line"], finding["place"]])
        self.assertEqual("off_1" in finding, operation == "softmax")
        if operation == "softmax":
            close(finding["off_1"], max(off))

    def test_every_operation_and_type(self):
        generator = random.Random(7)
        for dtype in PRECISION:
            letter = "<" + TYPES[dtype][1]
            lines = [[struct.unpack(letter, struct.pack(letter, generator.uniform(-3, 3)))[0] for _ in range(37)]
                     for _ in range(3)]
            path = self.matrix(dtype, lines)
            for operation in OPERATIONS:
                found = self.findings(path, "--op", operation, "--backend", "sequential", "--accuracy", "native")
                results = self.results(dtype, operation, path, 1 if operation == "logsumexp" else 37)
                self.check(found["native", "sequential"], dtype, operation, lines, results)

    def test_a_known_line(self):
        # e^0, e^1 and e^2 over their sum, and a mean that cancels but for its last digits.
        for operation, line in (("softmax", [0.0, 1.0, 2.0]), ("log_softmax", [0.0, -100.0, -300.0]),
                                ("logsumexp", [-math.log(2), -math.log(2)]), ("standardize", [1e15, 1e15 + 1, 1e15 + 4]),
                                ("layer_norm", [1e100, -1e100, 1e-100]), ("normalize_l2", [3e200, 4e200])):
            path = self.matrix("f64", [line])
            results = self.results("f64", operation, path, len(line) if operation != "logsumexp" else 1)
            found = self.findings(path, "--op", operation, "--backend", "sequential", "--accuracy", "native")
            decimal.getcontext().prec = 700
            try:
                self.check(found["native", "sequential"], "f64", operation, [line], results)
            finally:
                decimal.getcontext().prec = 70

    def test_below_the_bounds_of_row_operations(self):
        for dtype in ("f32", "f64"):
            words = ("--data", "normal", "--n", 20000, "--line", "50,20000", "--dtype", dtype)
            for study in self.studies(*words, "--op", "softmax"):
                for f in study["findings"]:
                    if f["backend"]:
                        self.assertTrue(0 < f["mean_ulps"] < f["ulps"] < 4 + 9, (study["length"], f))
                        self.assertLess(f["off_1"], 1e-5 if dtype == "f32" else 1e-14)
        line = [float(v) for v in range(100, 150)]
        centered = max(abs(v) for v in exact("layer_norm", line))
        largest = float(centered) / 24.5 * 149  # |x| * r
        found = self.findings(self.matrix("f64", [line]), "--op", "layer_norm")
        self.assertLess(found["native", "sequential"]["absolute"], 4 * ulp("f64", largest))

    def test_bf16(self):
        # Computed in f32, so that hardly more than the last rounding is off.
        found = self.findings("--data", "uniform", "--n", 1000, "--line", 10, "--dtype", "bf16", "--op", "softmax")
        self.assertTrue(0.45 < found["native", "sequential"]["ulps"] < 0.51)

    def test_a_plain_loop_is_further_off(self):
        found = self.findings("--data", "uniform", "--n", 30000, "--op", "softmax", "--backend", "sequential")
        self.assertGreater(found["plain loop", None]["mean_ulps"], 4 * found["native", "sequential"]["mean_ulps"])


class Modes(RowAccuracyTest):
    def test_every_backend_and_mode_that_the_operation_has(self):
        for operation, modes in (("softmax", {"native"}),
                                 ("layer_norm", {"native", "wide", "exact"})):
            study = self.study("--data", "normal", "--n", 100, "--line", 10, "--op", operation)
            expected = {("plain loop", None)} | {(m, b) for m in modes for b in self.available_backends()}
            found = {(f["mode"], f["backend"]): f["same_bits"] for f in study["findings"]}
            missing = {(m["mode"], m["backend"]) for m in study["left_out"] if m["backend"]}
            self.assertEqual(found.keys() | missing, expected)
            self.assertEqual(set(found.values()), {None, True})
            none = {m["mode"] for m in study["left_out"] if not m["backend"]} - {"numpy, scipy, torch"}
            self.assertEqual(none, {"native", "wide", "kahan", "exact"} - modes)

    def test_lines(self):
        path = self.file("m.npy", npy("f32", range(24), (2, 3, 4)))
        self.assertEqual(self.study(path, "--op", "rms_norm")["length"], 4)
        self.assertEqual([s["length"] for s in self.studies(path, "--op", "rms_norm", "--line", "2..8")], [2, 4, 8])
        self.assertEqual(self.study("--op", "rms_norm", given="1 2 3")["length"], 3)
        self.assertEqual([(s["n"], s["length"]) for s in self.studies("--data", "sine", "--n", "10,20", "--line", "5,10",
                                                                      "--op", "softmax")],
                         [(10, 5), (10, 10), (20, 5), (20, 10)])
        # The order of a file in Fortran order is that of its indices.
        values = [0, 1, 2, 30, 40, 50]
        c, fortran = (self.file(name, npy("f64", v, (2, 3), fortran=f)) for name, v, f in
                      (("c.npy", values, False), ("f.npy", [0, 30, 1, 40, 2, 50], True)))
        self.assertEqual(self.study(c, "--op", "softmax")["findings"], self.study(fortran, "--op", "softmax")["findings"])

    def test_special_values(self):
        lines = [[1, -INF, 2], [1, NAN, 2], [1, INF, 2], [-INF] * 3, [0, 0, 0], [5, 5, 5]]
        for dtype in PRECISION:
            path = self.matrix(dtype, lines)
            for operation in OPERATIONS:
                for f in self.study(path, "--op", operation)["findings"]:
                    if f["backend"]:
                        self.assertTrue(0 <= f["ulps"] < 5 and f["same_bits"], (dtype, operation, f))
                        self.assertTrue(f["absolute"] < 0.01)
        found = self.findings(self.matrix("f64", [[1, -INF, NAN]]), "--op", "softmax")["native", "sequential"]
        self.assertEqual((found["ulps"], found["relative"], found["absolute"]), (0, 0, 0))
        self.assertNotIn("off_1", found)

    def test_results_that_are_not_finite_by_mistake(self):
        # The plain loop's squares overflow: x / inf is 0, which is the whole result off.
        found = self.findings(self.matrix("f64", [[3e200, 4e200]]), "--op", "normalize_l2")["plain loop", None]
        self.assertEqual((found["relative"], found["absolute"], found["place"]), (1, 0.8, 1))


class Peers(RowAccuracyTest):
    def fake(self, told, results=b""):
        """A program that takes the place of Python, and writes this."""
        self.file("told", told.encode() + b"\n" + results)
        path = self.file("python", f"#!/bin/sh\ncat {self.directory}/told\n")
        os.chmod(path, 0o755)
        return {"environment": {"ONEFOLD_PYTHON": path}}

    def test_results_of_a_package(self):
        path = self.matrix("f64", [[0, 0, 0, 0], [0, 0, 0, 0]])
        told = json.dumps([{"name": "numpy 1.2", "bytes": 64}, {"name": "torch", "why": "No module named 'torch'"}])
        study = self.study(path, "--op", "softmax", **self.fake(told, struct.pack("<8d", *[0.25] * 6, 0.5, 0.25)))
        [peer] = [f for f in study["findings"] if f["mode"] == "numpy 1.2"]
        self.assertEqual((peer["line"], peer["place"], peer["absolute"], peer["relative"], peer["off_1"]),
                         (1, 2, 0.25, 1, 0.25))
        self.assertEqual((peer["ulps"], peer["backend"], peer["same_bits"]), (2.0**52, None, None))
        self.assertIn({"mode": "torch", "backend": None, "why": "No module named 'torch'"}, study["left_out"])

    def test_what_is_not_python(self):
        path = self.matrix("f64", [[0, 0]])
        for told in ("", "x", "[1]", '[{"name": "numpy", "bytes": 16}]', '[{"name": "numpy", "bytes": 8}]', "{}x"):
            left = self.study(path, "--op", "softmax", **self.fake(told))["left_out"]
            self.assertIn({"mode": "numpy, scipy, torch", "backend": None,
                           "why": "Python wrote something else than results"}, left)
        left = self.study(path, "--op", "softmax", environment={"ONEFOLD_PYTHON": "/no/python"})["left_out"]
        self.assertIn('"/no/python" cannot run', left[-1]["why"])

    def test_a_package_that_python_lacks(self):
        lacking = [p for p in ("numpy", "scipy", "torch") if subprocess.run(
            [sys.executable, "-Ic", "import " + p], capture_output=True, check=False).returncode != 0]
        text = self.output("accuracy", "--op", "softmax", "--data", "uniform", "--n", 10,
                           environment={"ONEFOLD_PYTHON": sys.executable})
        for package in lacking:
            self.assertIn(f"left out: No module named '{package}'", text)

    @unittest.skipUnless(python_with("numpy"), "there is no Python with NumPy")
    def test_numpy(self):
        environment = {"ONEFOLD_PYTHON": python_with("numpy")}
        for operation in OPERATIONS:
            words = ("--data", "normal", "--n", 1000, "--line", 100, "--op", operation, "--dtype", "f64")
            findings = self.study(*words, environment=environment)["findings"]
            [peer] = [f for f in findings if f["mode"].startswith("numpy ")]
            self.assertTrue(0 < peer["absolute"] < 1e-13, (operation, peer))
        left = self.study("--data", "normal", "--n", 10, "--dtype", "bf16", "--op", "softmax",
                          environment=environment)["left_out"]
        self.assertIn({"mode": "numpy", "backend": None, "why": "NumPy has no bf16"}, left)

    @unittest.skipUnless(python_with("scipy"), "there is no Python with SciPy")
    def test_scipy(self):
        environment = {"ONEFOLD_PYTHON": python_with("scipy")}
        for operation in OPERATIONS:
            words = ("--data", "normal", "--n", 1000, "--line", 100, "--op", operation, "--dtype", "f64")
            peers = [f for f in self.study(*words, environment=environment)["findings"] if f["mode"].startswith("scipy ")]
            self.assertEqual(len(peers), operation in ("softmax", "log_softmax", "logsumexp"))
            self.assertTrue(all(0 < f["absolute"] < 1e-13 for f in peers), peers)

    @unittest.skipUnless(python_with("torch"), "there is no Python with PyTorch")
    def test_torch(self):
        environment = {"ONEFOLD_PYTHON": python_with("torch")}
        for dtype, most in (("f64", 1e-13), ("f32", 1e-4), ("bf16", 0.1)):
            for operation in OPERATIONS:
                words = ("--data", "normal", "--n", 1000, "--line", 100, "--op", operation, "--dtype", dtype)
                study = self.study(*words, environment=environment)
                peers = [f for f in study["findings"] if f["mode"].startswith("torch ")]
                self.assertEqual(len(peers) + sum(m["mode"] == "torch" for m in study["left_out"]), 1)
                self.assertTrue(all(0 < f["absolute"] < most for f in peers), peers)


class Formats(RowAccuracyTest):
    WORDS = ("--data", "conditioned", "--n", 1000, "--cond", "1e3", "--line", "10,100", "--op", "softmax")
    NO_PYTHON = {"environment": {"ONEFOLD_PYTHON": "false"}}

    def test_text(self):
        text = self.output("accuracy", *self.WORDS, **self.NO_PYTHON)
        for piece in ("conditioned: softmax of 100 lines of 10 f32, seed 1, requested condition number 1000\n",
                      "ulps off", "at line, place", "off 1", "plain loop", "sequential", "same", "wide ", "left out"):
            self.assertIn(piece, text)
        self.assertNotIn("DIFFER", text)
        self.assertNotIn("off 1", self.output("accuracy", "--op", "rms_norm", given="1 2", **self.NO_PYTHON))

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(self.output("accuracy", *self.WORDS, "--format", "csv", **self.NO_PYTHON))))
        expected = [(s, f) for s in self.studies(*self.WORDS) for f in s["findings"]]
        self.assertEqual(len(rows), len(expected))
        for row, (s, f) in zip(rows, expected):
            self.assertEqual((row["data"], row["op"], int(row["n"]), int(row["length"]), row["mode"], row["backend"]),
                             (s["data"], "softmax", s["n"], s["length"], f["mode"], f["backend"] or ""))
            for name in ("ulps", "mean_ulps", "line", "place", "relative", "absolute", "off_1"):
                self.assertEqual(float(row[name]), f[name])
            self.assertEqual(row["same_bits"], "" if f["same_bits"] is None else "true")


class Plots(RowAccuracyTest):
    def drawn(self, *words):
        """The SVG of what these words draw; matplotlib repeats each text in a comment."""
        path = os.path.join(self.directory, "a.svg")
        self.output("accuracy", *words, "--plot", path, environment={"ONEFOLD_PYTHON": python_with_matplotlib()})
        with open(path, encoding="utf-8") as file:
            return file.read()

    @unittest.skipUnless(python_with_matplotlib(), "there is no Python with matplotlib")
    def test_pictures(self):
        text = self.drawn("--data", "uniform", "--n", 1000, "--line", 10, "--op", "softmax", "--backend", "sequential")
        for piece in ("<!-- plain loop -->", "<!-- native, sequential -->", "<!-- the mean error -->",
                      "<!-- largest error, units in the last place of the exact result -->"):
            self.assertIn(piece, text)
        text = self.drawn("--data", "uniform", "--n", 1000, "--line", "10,100,1000", "--op", "rms_norm")
        for piece in ("<!-- elements of a line -->", "<!-- plain loop -->", "<!-- exact -->",
                      "<!-- largest error in ulps (dashed: the mean) -->"):
            self.assertIn(piece, text)


class WrongUsage(RowAccuracyTest):
    def test_names(self):
        self.wrong(2, ["--op", '"sofmax"', "did you mean softmax"], "--op", "sofmax", "--data", "normal")
        self.wrong(2, ["--op", '"normalize"'], "--op", "normalize", "--data", "normal")

    def test_lines(self):
        self.wrong(2, ["--line: normal: expected a multiple of the line's 3 elements, found 10"], "--op", "softmax",
                   "--data", "normal", "--n", 10, "--line", 3)
        self.wrong(2, ["m.npy: expected a multiple of the line's 3 elements, found 4"], "--op", "softmax", "--n", 4,
                   self.file("m.npy", npy("f32", range(6), (2, 3))))
        self.wrong(2, ["--line applies to row operations, not to --op mean"], "--op", "mean", "--line", 2, given="1 2")
        for word in ("0", "x", "-1", "1.5"):
            self.wrong(2, ["--line"], "--op", "softmax", "--data", "normal", "--line=" + word)

    def test_types_and_modes(self):
        path = self.file("i.npy", npy("i32", [1, 2]))
        self.wrong(2, ["softmax of i32 is not supported"], path, "--op", "softmax")
        self.wrong(2, ["no mode can be measured: wide: "], "--op", "softmax", "--accuracy", "wide", given="1 2",
                   environment={"ONEFOLD_PYTHON": "false"})
        self.wrong(2, ["wide"], "--op", "softmax", "--accuracy", "wide", "--backend", "sequential", given="1 2")
        self.wrong(3, ["softmax needs at least one element"], "--op", "softmax", given="")


if __name__ == "__main__":
    unittest.main()
