"""onefold accuracy: its numbers against exact fractions, and its data."""

import math
import random
import struct
import unittest
from fractions import Fraction

from accuracy_support import MODES, AccuracyTest, number
from support import npy, packed


class Numbers(AccuracyTest):
    def check(self, study, values, mean):
        exact = sum(map(Fraction, values))
        magnitude = sum(abs(Fraction(v)) for v in values)
        self.assertEqual(study["magnitude"], float(magnitude))
        self.assertAlmostEqual(study["condition"] / float(magnitude / abs(exact)), 1, places=12)
        if mean:
            exact /= len(values)
        self.assertEqual(study["n"], len(values))
        for f in study["findings"]:
            error = exact - number(study["dtype"], f["bits"])
            self.assertAlmostEqual(f["error"], float(error), delta=abs(float(error)) * 1e-15)
            self.assertAlmostEqual(f["relative"], float(abs(error / exact)), delta=float(abs(error / exact)) * 1e-14)
            digits = 24 if study["dtype"] == "f32" else 53
            ulp = Fraction(2) ** (math.frexp(float(exact))[1] - digits)
            self.assertAlmostEqual(f["ulps"], float(abs(error) / ulp), delta=float(abs(error) / ulp) * 1e-14)
            if f["mode"] != "left fold":
                self.assertTrue(f["within_bound"] and f["same_bits"])
                self.assertLessEqual(abs(error), Fraction(f["bound"]))

    def test_errors_are_exact(self):
        generator = random.Random(31)
        for dtype in ("f32", "f64"):
            values = [math.ldexp(generator.getrandbits(20) - 2**19, generator.randrange(-40, 40)) for _ in range(3001)]
            path = self.file("a.npy", npy(dtype, values))
            for op in ("sum", "mean"):
                study = self.study(path, "--op", op)
                self.check(study, values, op == "mean")
                self.assertEqual(study["dtype"], dtype)
                self.assertLess(min(f["ulps"] for f in study["findings"]), 0.51)

    def check_squares(self, study, values, op):
        n, mean = len(values), sum(map(Fraction, values)) / len(values)
        squares, deviations = (sum((Fraction(v) - m) ** 2 for v in values) for m in (0, mean))
        square = {"sum_squares": squares, "norm2": squares, "variance": deviations / n, "stddev": deviations / n,
                  "sample_variance": deviations / (n - 1), "sample_stddev": deviations / (n - 1)}[op]
        root = op in ("norm2", "stddev", "sample_stddev")
        self.assertEqual(study["magnitude"], float(squares))
        condition = 1 if op in ("sum_squares", "norm2") else math.sqrt(squares / deviations)
        self.assertAlmostEqual(study["condition"] / condition, 1, places=12)
        for f in study["findings"]:
            got = number(study["dtype"], f["bits"])
            # sqrt(a) - v = (a - v^2) / (sqrt(a) + v)
            error = (square - got * got) / (Fraction(math.sqrt(square)) + got) if root else square - got
            self.assertAlmostEqual(f["error"], float(error), delta=abs(float(error)) * 1e-14)
            if f["mode"] != "left fold":
                self.assertTrue(f["within_bound"] and f["same_bits"])
                self.assertLessEqual(abs(error), Fraction(f["bound"]))
            if f["mode"] == "exact":
                self.assertLessEqual(f["ulps"], 0.5)

    def test_squares_and_variances(self):
        generator = random.Random(32)
        for dtype in ("f32", "f64"):
            for far in (0, 1000):
                values = [far + (generator.getrandbits(20) - 2**19) / 2**16 for _ in range(2001)]
                values = [struct.unpack("f", struct.pack("f", v))[0] for v in values]
                path = self.file("a.npy", npy(dtype, values))
                for op in ("sum_squares", "norm2", "variance", "sample_variance", "stddev", "sample_stddev"):
                    study = self.study(path, "--op", op)
                    self.assertEqual({f["mode"] for f in study["findings"]},
                                     {"left fold", "native", "exact"} | ({"wide"} if dtype == "f32" else set()))
                    self.check_squares(study, values, op)

    def test_the_textbook_s_variance_cancels(self):
        values = [10000 + i / 1000 for i in range(1001)]
        study = self.study(self.file("a.npy", npy("f32", values)), "--op", "variance")
        relative = {f["mode"]: f["relative"] for f in study["findings"]}
        self.assertGreater(relative["left fold"], 1)
        self.assertLess(relative["native"], 1e-6)

    def test_variances_of_special_values(self):
        for values in ([1.0, math.nan], [math.inf, 1.0]):
            study = self.study(self.file("a.npy", npy("f32", values)), "--op", "stddev")
            self.assertEqual((study["exact"], study["condition"]), ("nan", "nan"))
            self.assertTrue(all(f["error"] == 0 for f in study["findings"]))
        same = self.study(self.file("a.npy", npy("f64", [0.5] * 9)), "--op", "variance")
        self.assertEqual((same["exact"], same["condition"]), (0, "inf"))
        one = self.study("--op", "sample_variance", "--dtype", "f64", given="3")
        self.assertEqual(one["exact"], "nan")
        self.wrong(3, ["variance", "empty"], "--op", "variance", given="")
        for f in self.study(self.file("a.npy", npy("i64", [2**62, -(2**62), 2**62 + 12345])), "--op", "norm2")["findings"]:
            self.assertTrue(f["within_bound"] in (True, None))
            self.assertLess(f["relative"], 1e-15)
        huge = self.study(self.file("a.npy", npy("f64", [3e200, 4e200])), "--op", "norm2")
        relative = {f["mode"]: f["relative"] for f in huge["findings"]}
        self.assertEqual((relative["left fold"], relative["native"]), ("inf", "inf"))
        self.assertLess(relative["exact"], 1.2e-16)

    def test_left_fold_is_a_left_fold(self):
        values = [1e8] + [1.0] * 1000  # f32 loses every one of them
        study = self.study(self.file("a.npy", npy("f32", values)))
        [fold] = [f for f in study["findings"] if f["mode"] == "left fold"]
        self.assertEqual((fold["value"], fold["error"], fold["bound"]), (1e8, 1000, None))
        self.assertEqual(study["exact"], 100001000)

    def test_every_backend_and_mode(self):
        study = self.study("--data", "normal", "--n", 5000)
        seen = [(f["mode"], f["backend"]) for f in study["findings"]]
        self.assertEqual(seen[0], ("left fold", None))
        for mode in MODES:
            for backend in self.available_backends():
                self.assertIn((mode, backend), seen)
        only = self.study("--data", "normal", "--n", 5000, "--backend", "sequential", "--accuracy", "kahan,wide")
        self.assertEqual([f["mode"] for f in only["findings"]], ["left fold", "kahan", "wide"])

    def test_same_value_as_reduce(self):
        path = self.file("a.npy", npy("f32", [0.1 * i for i in range(5000)]))
        for f in self.study(path)["findings"][1:]:
            r = self.reduced("sum", path, "--accuracy", f["mode"], "--backend", f["backend"])
            self.assertEqual((f["bits"], f["value"]), (r["bits"], r["value"]))

    def test_special_values(self):
        nan, inf = math.nan, math.inf
        for values, shown in (([1.0, nan], "nan"), ([inf, 1.0], "inf"), ([inf, -inf], "nan"), ([-inf], "-inf")):
            study = self.study(self.file("a.npy", npy("f32", values)))
            self.assertEqual((study["exact"], study["condition"]), (shown, "nan"))
            for f in study["findings"]:
                self.assertEqual((f["value"], f["error"]), (shown, 0))
                self.assertIn(f["bound"], (None, "inf"))
        self.assertNotIn("DIFFER", self.output("accuracy", given="nan 1"))

    def test_sum_of_zero(self):
        for f in self.study("--data", "cancelling", "--n", 1000, "--dtype", "f64")["findings"]:
            self.assertEqual((f["ulps"], f["relative"]), (0, 0) if f["error"] == 0 else (None, "inf"))
        study = self.study("--data", "cancelling", "--n", 1000)
        self.assertEqual((study["exact"], study["condition"]), (0, "inf"))
        self.assertEqual(self.study("--dtype", "f32", given="0 0 0")["condition"], 1)

    def test_no_elements(self):
        self.wrong(3, ["sum", "empty", "needs at least one element"], given="")
        self.wrong(3, ["mean", "empty"], "--op", "mean", given="")
        self.wrong(2, ["--n", "at least 1"], "--op", "mean", "--data", "normal", "--n", 0)
        self.wrong(2, ["--n", "at least 1,"], "--op", "mean", "--data", "normal", "--n=-5")
        for words in (["bench", "--n", "0"], ["bench", "--n=-5"], ["accuracy", "--data", "normal", "--n", "9,-1"],
                      ["report", "--largest=-5"]):
            self.check_error(self.run_program(*words), 2, "expected integers of at least 1, found")

    def test_integers(self):
        values = [2**61, -(2**61) + 12345, 7, -(2**53) - 1]
        study = self.study(self.file("a.npy", npy("i64", values)))
        self.assertEqual(study["exact"], sum(values))
        for f in study["findings"]:
            self.assertEqual((f["value"], f["error"], f["bound"]), (sum(values), 0, None if f["backend"] is None else 0))
        for dtype, values in (("i64", values), ("u8", [3, 250, 1]), ("u64", [2**64 - 1, 1, 5])):
            exact = Fraction(sum(values), len(values))
            for f in self.study(self.file("a.npy", npy(dtype, values)), "--op", "mean")["findings"]:
                self.assertAlmostEqual(f["error"], float(exact - Fraction(f["value"])), delta=1e-9)

    def test_what_is_missing_is_left_out(self):
        path = self.file("a.npy", npy("i64", [2**63 - 1, 1]))  # wraps, and at exact has no result
        study = self.study(path)
        self.assertEqual({f["mode"] for f in study["findings"]}, {"left fold", "native", "wide", "kahan"})
        self.assertEqual({(m["mode"], m["backend"]) for m in study["left_out"]},
                         {("exact", b) for b in self.available_backends()})
        self.assertIn("left out: sum has no result", self.output("accuracy", path))
        self.wrong(3, ["sum has no result"], path, "--backend", "sequential", "--accuracy", "exact")

    def test_no_mode_that_can_run(self):
        for words in (["--accuracy", "kahan"], ["--accuracy", "kahan", "--format", "json"],
                      ["--accuracy", "kahan,wide", "--format", "csv"]):
            self.wrong(2, ["no mode can be measured: kahan of ", "variance"], "--op", "variance", "--dtype", "f64", *words,
                       given="1 2 4")
        # One that can is enough.
        modes = self.study("--op", "variance", "--dtype", "f64", "--accuracy", "kahan,exact", given="1 2 4")["findings"]
        self.assertIn("exact", {f["mode"] for f in modes})
        path = self.file("a.npy", npy("i64", [2**63 - 1, 1]))
        self.wrong(3, ["no mode can be measured: exact of ", "sum has no result"], path, "--accuracy", "exact")

    def test_exact_is_correctly_rounded(self):
        for op in ("sum", "mean"):
            for f in self.study("--data", "conditioned", "--cond", 1e30, "--n", 999, "--dtype", "f64", "--op", op)["findings"]:
                if f["mode"] == "exact":
                    self.assertLessEqual(f["ulps"], 0.5)

    def test_parts_of_files(self):
        path = self.file("a.npy", npy("f64", [1.0, 2.0, 4.0, 8.0]))
        self.assertEqual([s["exact"] for s in self.studies(path, "--n", "1,3,4")], [1, 7, 15])
        self.wrong(3, ["a.npy", "expected 5 elements, found 4"], path, "--n", "5")

    def test_what_follows_a_part_is_not_read(self):
        path = self.file("a.npy", npy("f64", [1.0, 2.0, 4.0, 8.0]))
        other = self.file("b.npy", npy("f64", [16.0, 32.0], order=">"))
        self.assertEqual([s["exact"] for s in self.studies(path, other, "--n", "3,5")], [7, 31])
        self.assertEqual(self.study(path, "none.npy", "--n", "4")["data"], path)
        short = self.file("c.npy", npy("f64", [1.0, 2.0, 4.0])[:-3])
        self.assertEqual(self.study(short, "--n", "2")["exact"], 3)
        self.wrong(3, ["24 bytes of elements", "the end after 21"], short, "--n", "3")
        raw = self.file("c.bin", packed("f64", [1.0, 2.0]) + b"123")
        self.assertEqual(self.study(raw, "--dtype", "f64", "--n", "2")["exact"], 3)
        self.wrong(3, ["a multiple of 8 bytes"], raw, "--dtype", "f64", "--n", "3")
        # How many values are missing is said of a file as a whole.
        text = self.file("t.txt", "1 2 NA 3 NA\n")
        self.assertEqual(self.study(text, "--missing", "skip", "--n", "2")["missing"], 2)
        # The first elements in C order are not the first of a file in Fortran order.
        line = ["--op", "logsumexp", "--n", "3", "--line", "3", "--backend", "sequential", "--accuracy", "native"]
        values, order = [1.0, 2.0, 3.0, 40.0, 50.0, 60.0], [0, 3, 1, 4, 2, 5]
        by_rows = self.study(self.file("r.npy", npy("f64", values, (2, 3))), *line)
        by_columns = self.file("f.npy", npy("f64", [values[i] for i in order], (2, 3), fortran=True))
        by_columns = self.study(by_columns, *line)
        for f, g in zip(by_rows["findings"], by_columns["findings"], strict=True):
            self.assertEqual({k: v for k, v in f.items() if "error" in k or "ulps" in k},
                             {k: v for k, v in g.items() if "error" in k or "ulps" in k})


class DataSets(AccuracyTest):
    def test_axes(self):
        made = self.studies("--data", "conditioned,uniform", "--n", "2^8..2^10", "--cond", "1,1e6..1e8", "--dtype", "f64",
                            "--backend", "seq", "--accuracy", "native")
        self.assertEqual([(s["data"], s["n"], s.get("asked_condition")) for s in made],
                         [("conditioned", n, c) for n in (256, 512, 1024) for c in (1, 1e6, 1e7, 1e8)] +
                         [("uniform", n, None) for n in (256, 512, 1024)])
        for s in made[:12]:
            self.assertTrue(0.5 < s["condition"] / s["asked_condition"] < 2, s["condition"])
        steps = self.studies("--data", "uniform", "--n", "10..1000:10", "--backend", "seq")
        self.assertEqual([s["n"] for s in steps], [10, 100, 1000])

    def test_seeds(self):
        words = ("--data", "uniform", "--n", 100, "--backend", "seq")
        one, again, two = (self.study(*words, "--seed", seed)["exact_bits"] for seed in (1, 1, 2))
        self.assertEqual(one, again)
        self.assertNotEqual(one, two)

    def test_all_sets_and_types(self):
        names = [s["data"] for s in self.studies("--data", "all", "--n", 1000, "--backend", "seq",
                                                 "--cond", 100)]
        self.assertEqual(names, self.names())
        for dtype in ("f64", "f16", "bf16"):
            self.study("--data", "wide-exponents", "--n", 1000, "--dtype", dtype)

    def names(self):
        listed = self.output("accuracy", "--help").split("Data sets,")[1].splitlines()[1:]
        return [line.split()[0] for line in listed[:listed.index("")]]


if __name__ == "__main__":
    unittest.main()
