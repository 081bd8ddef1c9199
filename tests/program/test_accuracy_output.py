"""onefold accuracy: its formats and plots, and what it refuses."""

import csv
import io
import json
import os
import subprocess
import unittest

from accuracy_support import AccuracyTest
from support import PROGRAM, python_with_matplotlib


class Formats(AccuracyTest):
    WORDS = ("--data", "conditioned", "--n", 1000, "--cond", "1e3,1e6")

    def test_text(self):
        text = self.output("accuracy", *self.WORDS)
        for piece in ("conditioned: sum of 1000 f32, seed 1, requested condition number 1e+06", "exact, rounded once",
                      "left fold", "kahan", "sequential", "same", "none", "GB/s"):
            self.assertIn(piece, text)
        self.assertNotIn("DIFFER", text)
        self.assertNotIn("OUT OF BOUND", text)

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(self.output("accuracy", *self.WORDS, "--format", "csv"))))
        expected = [(s, f) for s in self.studies(*self.WORDS) for f in s["findings"]]
        self.assertEqual(len(rows), len(expected))
        for row, (s, f) in zip(rows, expected):
            self.assertEqual((row["data"], int(row["n"]), row["mode"], row["backend"], row["bits"]),
                             (s["data"], s["n"], f["mode"], f["backend"] or "", f["bits"]))
            self.assertEqual((float(row["error"]), row["bound"] and float(row["bound"])), (f["error"], f["bound"] or ""))
            self.assertEqual(row["same_bits"], "" if f["same_bits"] is None else "true")
        path = self.file('a,"b".txt', "1 2")
        [row, *_] = csv.DictReader(io.StringIO(self.output("accuracy", path, "--format", "csv")))
        self.assertEqual(row["data"], path)


class Plots(AccuracyTest):
    @unittest.skipUnless(python_with_matplotlib(), "there is no Python with matplotlib")
    def test_pictures(self):
        python = {"ONEFOLD_PYTHON": python_with_matplotlib()}
        for name, start in (("a.svg", b"<?xml"), ("a.png", b"\x89PNG")):
            path = os.path.join(self.directory, name)
            text = self.output("accuracy", "--data", "conditioned,cancelling", "--cond", "1..1e6:1000", "--n", 1000,
                               "--plot", path, environment=python)
            self.assertIn("left fold", text)
            with open(path, "rb") as file:
                self.assertEqual(file.read(len(start)), start)
        nowhere = os.path.join(self.directory, "no", "a.svg")
        self.wrong(1, ["--plot", nowhere, "No such file"], "--data", "normal", "--n", 100, "--plot", nowhere,
                   environment=python)

    def drawn(self, *words):
        """The SVG of what these words draw; matplotlib repeats each text in a comment."""
        path = os.path.join(self.directory, "a.svg")
        self.output("accuracy", *words, "--plot", path, environment={"ONEFOLD_PYTHON": python_with_matplotlib()})
        with open(path, encoding="utf-8") as file:
            return file.read()

    @unittest.skipUnless(python_with_matplotlib(), "there is no Python with matplotlib")
    def test_dots_of_one_array(self):
        words = ("--data", "small-terms", "--n", 1000, "--backend", "sequential,cpu")
        text = self.drawn(*words)
        [study] = self.studies(*words)
        for f in study["findings"]:
            name = f["mode"] + (f", {f['backend']}" if f["backend"] else "")
            self.assertIn(f"<!-- {name} -->", text)
            self.assertIn(f"<!-- {f['ulps']:.3g} -->" if f["ulps"] else "<!-- 0 -->", text)
        for piece in ("<!-- error, units in the last place of the exact result -->", "<!-- the mode's bound -->",
                      "<!-- sum of 1,000 f32: small-terms -->", "@media (prefers-color-scheme: dark)"):
            self.assertIn(piece, text)

    @unittest.skipUnless(python_with_matplotlib(), "there is no Python with matplotlib")
    def test_dots_where_there_are_no_ulps_and_no_errors(self):
        text = self.drawn(self.file("zero é.txt", "1e8 1 -1e8 -1"), "--dtype", "f32", "--backend", "sequential")
        self.assertIn("<!-- absolute error (the exact result is 0, which has no unit in the last place) -->", text)
        self.assertIn("no error at all", text)
        self.assertIn("no error at all", self.drawn(self.file("x.txt", "1 2"), "--backend", "sequential"))

    def test_python_that_draws_nothing(self):
        path = os.path.join(self.directory, "a.svg")
        self.wrong(1, ["--plot", path, "was not drawn"], "--data", "normal", "--n", 100, "--plot", path,
                   environment={"ONEFOLD_PYTHON": "true"})

    def test_without_matplotlib(self):
        for python in (os.path.join(self.directory, "nosuch"), "false"):
            path = os.path.join(self.directory, "a.svg")
            self.wrong(1, ["--plot", python, "matplotlib"], "--data", "normal", "--n", 100, "--plot", path,
                       environment={"ONEFOLD_PYTHON": python})
            self.assertFalse(os.path.exists(path))

    def test_endings(self):
        self.wrong(2, ["--plot", ".svg or .png", '"a.pdf"'], "--data", "normal", "--plot", "a.pdf")


class Environment(AccuracyTest):
    def test_isa_automatic_sets_the_variable_aside(self):
        for words in ((), ("--backend", "sequential")):
            self.output("accuracy", "--data", "uniform", "--n", 10, "--isa", "automatic", *words,
                        environment={"ONEFOLD_ISA": "nonsense"})
        self.wrong(2, ["ONEFOLD_ISA: unknown instruction set"], "--data", "uniform", "--n", 10,
                   environment={"ONEFOLD_ISA": "nonsense"})


class WrongUsage(AccuracyTest):
    def test_names(self):
        self.wrong(2, ["--data", '"unifrom"', "did you mean uniform"], "--data", "unifrom")
        self.wrong(2, ["--data", '""'], "--data", "uniform,")
        self.wrong(2, ["--op", '"men"', "did you mean mean"], "--op", "men", "--data", "normal")
        self.wrong(2, ["--backend", '"tbbb"', "did you mean tbb"], "--data", "normal", "--backend", "seq,tbbb")
        self.wrong(2, ["--accuracy", '"wid"', "did you mean wide"], "--data", "normal", "--accuracy", "wid")
        self.wrong(2, ["--format", '"cvs"', "did you mean csv"], "--data", "normal", "--format", "cvs")
        self.wrong(2, ['"--cnd"', "did you mean --cond"], "--data", "normal", "--cnd=1")
        self.check_error(self.run_program("reduce", "sum", "--format", "csv"), 2, '"csv"')

    def test_values(self):
        for word in ("x", "", "1.5", "-1", "1e300", "10..1", "1..10:1", "2^", "nan", "inf", "1..", "1..1e6:1.0001"):
            self.wrong(2, ["--n"], "--data", "normal", "--n=" + word)
        for word in ("x", "0.5", "inf", "-3"):
            self.wrong(2, ["--cond"], "--data", "conditioned", "--cond=" + word)
        for word in ("x", "-1", "1.5"):
            self.wrong(2, ["--seed"], "--data", "normal", "--seed=" + word)
        self.wrong(2, ["f32", "i32"], "--data", "normal", "--dtype", "i32")
        self.wrong(2, ["2^", "exponents"], "--data", "conditioned", "--dtype", "f16", "--cond", "1e30")
        self.wrong(2, ["elements or more"], "--data", "conditioned", "--n", 4, "--cond", "1e30")
        self.wrong(1, ["memory"], "--data", "normal", "--n", "1e15")

    def test_options_that_do_not_go_together(self):
        path = self.file("a", "1 2")
        self.wrong(2, ["--data", "files"], "--data", "normal", path)
        self.wrong(2, ["--cond", "conditioned"], "--data", "normal", "--cond", 10)
        self.wrong(2, ["--seed", "--data"], path, "--seed", 1)
        self.wrong(2, ["--input", "--data"], "--data", "normal", "--input", "text")

    def test_unavailable_backends(self):
        for b in json.loads(self.output("backends", "--format", "json"))["backends"]:
            if not b["available"]:
                self.wrong(4, [b["backend"]], "--data", "normal", "--n", 10, "--backend", b["backend"])

    def test_full_output(self):
        if os.path.exists("/dev/full"):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([PROGRAM, "accuracy", "--data", "normal", "--n", "10"], stdout=full,
                                      stderr=subprocess.PIPE, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertIn(b"standard output", done.stderr)


if __name__ == "__main__":
    unittest.main()
