"""onefold statistic: exact oracles, published values, the bits of formulas over stored values, text, JSON, .npy, refusals."""

import gzip
import json
import math
import os
import random
import statistics
import struct
import unittest
from decimal import Decimal, getcontext
from fractions import Fraction

from support import ProgramTest, bits, npy, packed, read_npy

getcontext().prec = 60
FAKES = os.environ.get("FAKES")  # folders with modules that say that they are CUDA
NAN = float("nan")
NAMES = ("ptp", "geometric_mean", "harmonic_mean", "skewness", "sample_skewness", "excess_kurtosis",
         "sample_excess_kurtosis")


def decimal(fraction):
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def exactly(values):
    """All statistics of numbers above 0, by rational arithmetic and 60 digits."""
    x, n = [Fraction(v) for v in values], len(values)
    mean = sum(x) / n
    m2, m3, m4 = (decimal(sum((v - mean) ** k for v in x) / n) for k in (2, 3, 4))
    g1, g2 = m3 / (m2 * m2.sqrt()), m4 / (m2 * m2) - 3
    logs = sum(decimal(v).ln() for v in x)
    return dict(zip(NAMES, (decimal(max(x) - min(x)), (logs / n).exp(), decimal(n / sum(1 / v for v in x)), g1,
                            g1 * Decimal(n * (n - 1)).sqrt() / (n - 2), g2,
                            (n - 1) * ((n + 1) * g2 + 6) / ((n - 2) * (n - 3)))))


class Statistic(ProgramTest):
    def each(self, *words, **more):
        """The JSON of each statistic of one run."""
        lines = self.output("statistic", *words, "--format", "json", **more).splitlines()
        return {r["op"]: r for r in map(json.loads, lines)}

    def values(self, *words, **more):
        """The value of each, NaN as the word."""
        return {name: r["value"] for name, r in self.each(*words, **more).items()}

    def test_text(self):
        self.assertEqual(self.output("statistic", given="1 1 2 4"),
                         "ptp 3\ngeometric_mean 1.681792830507429\nharmonic_mean 1.4545454545454546\n"
                         "skewness 0.8164965809277261\nsample_skewness 1.4142135623730951\n"
                         "excess_kurtosis -1\nsample_excess_kurtosis 1.5\n")
        self.assertEqual(self.output("statistic", "excess_kurtosis", given="1 1 2 4"), "-1\n")
        self.assertEqual(self.output("statistic", "Harmonic_Mean,PTP", "-", given="1 4"), "harmonic_mean 1.6\nptp 3\n")

    def test_published_values(self):
        # The documentation of SciPy (skew, gmean, hmean, kurtosis) and of Excel (SKEW, SKEW.P, KURT).
        for name, given, value in (("skewness", "2 8 0 4 1 9 9 0", 0.2650554122698573), ("skewness", "1 2 3 4 5", 0),
                                   ("geometric_mean", "1 2 3 4 5 6 7", 3.3800151591412964),
                                   ("harmonic_mean", "1 2 3 4 5 6 7", 2.6997245179063363),
                                   ("excess_kurtosis", "1 2 3 4 5", -1.3),
                                   ("sample_skewness", "3 4 5 2 3 4 5 6 4 7", 0.359543071),
                                   ("skewness", "3 4 5 2 3 4 5 6 4 7", 0.303193339),
                                   ("sample_excess_kurtosis", "3 4 5 2 3 4 5 6 4 7", -0.151799637)):
            places = 9 if len(str(value)) < 14 else 15
            self.assertAlmostEqual(float(self.output("statistic", name, given=given)), value, places, (name, given))

    def test_values_are_exact_ones(self):
        chosen = random.Random(61)
        reals = [chosen.lognormvariate(0, 0.7) for _ in range(3000)]
        far = [2.0 ** 40 + x for x in reals]
        counts = [chosen.randrange(1, 90) for _ in range(2500)]
        for dtype, values in (("f64", reals), ("f64", far), ("i16", counts), ("u8", counts), ("f64", [1, 2, 4, 9])):
            path, exact = self.file("a.npy", npy(dtype, values)), exactly(values)
            for more in ([], ["--accuracy", "wide"], ["--accuracy", "kahan"], ["--accuracy", "exact"]):
                found = self.values(path, *more)
                self.assertEqual(tuple(found), NAMES)
                self.assertEqual(found["ptp"], float(exact["ptp"]))
                for name in NAMES[1:]:
                    error = abs(Decimal(found[name]) - exact[name]) / (1 + abs(exact[name]))
                    logarithm = math.log(values[0]) if name == "geometric_mean" else 1  # whose error exp enlarges
                    self.assertLess(error, 4e-15 * max(1, logarithm), (dtype, name, more))
        found = self.values(self.file("a.npy", npy("f64", reals)))
        self.assertAlmostEqual(found["geometric_mean"], statistics.geometric_mean(reals), 14)
        self.assertAlmostEqual(found["harmonic_mean"], statistics.harmonic_mean(reals), 14)

    def test_bits_are_those_of_formulas_over_stored_values(self):
        chosen = random.Random(67)
        for n in (5, 2049, 30_000):
            x = [chosen.lognormvariate(0, 1) for _ in range(n)]
            path = self.file("x.npy", npy("f64", x))
            for more in (["--backend", "sequential"], ["--backend", "threads", "--threads", "3"], ["--accuracy", "kahan"],
                         ["--accuracy", "exact"]):
                def reduced(operation, values):
                    return self.reduced(operation, self.file("y.npy", npy("f64", values)), *more)["value"]
                mean = reduced("mean", x)
                d = [v - mean for v in x]
                s1, s2, s3, s4 = (reduced("sum", powers) for powers in (
                    d, [v * v for v in d], [v * v * v for v in d], [(v * v) * (v * v) for v in d]))
                off, a2, a3, a4 = s1 / n, s2 / n, s3 / n, s4 / n
                m2, m3 = a2 - off * off, a3 - off * (3 * a2 - 2 * off * off)
                m4 = a4 - off * (4 * a3 - off * (6 * a2 - 3 * off * off))
                g1, g2 = m3 / m2 / math.sqrt(m2), m4 / m2 / m2 - 3
                expected = {"ptp": max(x) - min(x), "harmonic_mean": 1 / reduced("mean", [1 / v for v in x]),
                            "skewness": g1, "sample_skewness": g1 * math.sqrt(n * (n - 1)) / (n - 2),
                            "excess_kurtosis": g2,
                            "sample_excess_kurtosis": (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * g2 + 6)}
                found = self.each(path, *more)
                self.assertEqual({name: found[name]["bits"] for name in expected},
                                 {name: bits("f64", value) for name, value in expected.items()}, (n, more))

    def test_backends_have_the_same_bits(self):
        chosen = random.Random(71)
        path = self.file("a.npy", npy("f32", [chosen.uniform(0.5, 3) for _ in range(40_000)], (200, 200)))
        first = None
        for backend in self.available_backends():
            if backend == "cuda":
                continue
            for threads in ("1", "2", "3"):
                found = self.each(path, "--backend", backend, *([] if backend == "sequential" else ["--threads", threads]))
                self.assertEqual({r["backend"] for r in found.values()}, {backend})
                self.assertEqual({r["result_dtype"] for r in found.values()}, {"f32"})
                first = first or {name: r["bits"] for name, r in found.items()}
                self.assertEqual({name: r["bits"] for name, r in found.items()}, first, (backend, threads))

    def test_types(self):
        for dtype, low, high, result in (("i8", -128, 127, "u8"), ("i16", -5, 32767, "u16"), ("u8", 3, 255, "u8"),
                                         ("i32", -2 ** 31, 2 ** 31 - 1, "u32"), ("u32", 1, 7, "u32"),
                                         ("i64", -2 ** 63, 2 ** 63 - 1, "u64"), ("f16", -2, 0.5, "f32"),
                                         ("f32", -1, 2.0 ** -30, "f32"), ("f64", -1, 2.0 ** -60, "f64")):
            path = self.file("a.npy", npy(dtype, [low, high, low]))
            found = self.each(path)
            self.assertEqual((found["ptp"]["result_dtype"], found["ptp"]["dtype"], found["ptp"]["n"]), (result, dtype, 3))
            self.assertEqual(found["ptp"]["bits"], bits(result, high - low), dtype)
            self.assertEqual({found[name]["result_dtype"] for name in NAMES[1:]},
                             {"f32" if dtype in ("f16", "f32") else "f64"}, dtype)
        self.assertEqual(self.output("statistic", "ptp", "--dtype", "bf16", given="1 3.5"), "2.5\n")

    def test_special_values(self):
        nan = dict.fromkeys(NAMES, "nan")
        for given, expected in (("1 nan 3 4", nan), ("3 3 3 3", nan | {"ptp": 0, "geometric_mean": 3, "harmonic_mean": 3}),
                                ("7", nan | {"ptp": 0, "geometric_mean": 7, "harmonic_mean": 7}),
                                ("1 inf", nan | {"ptp": "inf", "geometric_mean": "inf", "harmonic_mean": 2})):
            found = self.values(given=given)
            for name in NAMES:
                if isinstance(expected[name], str):
                    self.assertEqual(found[name], expected[name], (given, name))
                else:
                    self.assertAlmostEqual(found[name], expected[name], 14, (given, name))
        for given, means in (("-1 4", "nan"), ("0 4", 0), ("-0.0 4", 0)):
            found = self.values("geometric_mean,harmonic_mean", given=given)
            self.assertEqual(found, {"geometric_mean": means, "harmonic_mean": means}, given)
        found = self.values(given="1 2")
        self.assertEqual([found[name] for name in NAMES[3:]], [0, "nan", -2, "nan"])
        found = self.values(given="1 2 6")
        self.assertEqual(found["sample_excess_kurtosis"], "nan")
        self.assertNotEqual(found["sample_skewness"], "nan")

    def test_skip_nan(self):
        values = [3.5, NAN, 1.25, 9, NAN, 2, 2.5]
        numbers = [v for v in values if v == v]
        for dtype in ("f16", "f32", "f64"):
            found = self.each("--skip-nan", self.file("a.npy", npy(dtype, values)))
            alone = self.each(self.file("b.npy", npy(dtype, numbers)))
            self.assertEqual({k: r["bits"] for k, r in found.items()}, {k: r["bits"] for k, r in alone.items()})
        self.assertEqual(self.output("statistic", "ptp", "--skip-nan", "--dtype", "i8", given="1 5"), "4\n")
        nan = self.file("n.txt", "nan nan")
        for name in NAMES:
            self.check_error(self.run_program("statistic", name, "--skip-nan", nan), 3, "n.txt",
                             f"{name} of no elements has no value", "missing or NaN and were skipped")

    def test_files(self):
        values = [1.5, 2, 7, 3]
        expected = self.output("statistic", given="1.5 2 7 3")
        text = self.file("a", "1.5 2 7 3")
        for words in ([self.file("a.npy", npy("f64", values))], [text], ["-", "--dtype", "f64"],
                      [self.file("a.npy", npy("f64", values, (2, 2), fortran=True))],
                      ["--dtype", "f64", self.file("a.bin", packed("f64", values))],
                      [self.file("a.gz", gzip.compress(b"1.5 2 7 3"))],
                      [self.file("b.txt", "1.5 2"), self.file("c.txt", "7 3")],
                      ["--column", "p", self.file("t.csv", "p,q\n1.5,x\n2,y\n7,z\n3,w\n")], ["--", text]):
            self.assertEqual(self.output("statistic", *words, given="1.5 2 7 3"), expected, words)

    def test_names_or_files(self):
        self.file("skewness", "1 2 4")
        self.file("plain", "1 2 4 8")
        run = lambda *words: self.output("statistic", *words, given="1 5", cwd=self.directory)
        self.assertEqual(run("ptp"), "4\n")
        self.assertEqual(run("ptp", "skewness"), "3\n")
        self.assertEqual(run("skewness"), "0\n")  # of standard input
        self.assertEqual(run("./skewness").splitlines()[0], "ptp 3")
        self.assertEqual(run("plain").splitlines()[0], "ptp 7")
        self.assertEqual(run("plain", "skewness").splitlines()[0], "ptp 7")
        self.assertEqual(run().splitlines()[0], "ptp 4")
        self.check_error(self.run_program("statistic", "./none"), 3, "./none", "cannot be opened")
        self.check_error(self.run_program("skewness", "plain"), 2, "did you mean onefold statistic skewness plain?")

    def test_columns(self):
        table = self.file("t.csv", "price,qty,name\n1,10,a\n4,NaN,b\n4,30,c\n")
        rows = lambda *words: [line.split() for line in self.output("statistic", *words, table).splitlines()]
        self.assertEqual(rows("ptp,harmonic_mean", "--column", "price,qty"),
                         [["column", "ptp", "harmonic_mean"], ["price", "3", "2"], ["qty", "nan", "nan"]])
        self.assertEqual(rows("ptp", "--column", "price,qty", "--skip-nan"),
                         [["column", "ptp"], ["price", "3"], ["qty", "20"]])
        self.assertEqual(rows("--column", "qty,price")[0], ["column", *NAMES])
        self.check_error(self.run_program("statistic", "skewness", "--column", "a,b", self.file("u.csv", "a,b\n1,\n"),
                                          "--missing", "skip"), 3, "u.csv", 'column "b"', "skewness of no elements")

    def test_npy(self):
        out = self.file("out.npy", "")
        self.assertEqual(self.output("statistic", "ptp,harmonic_mean", "--dtype", "i8", "-o", out, given="1 4"), "")
        descr, shape, content = read_npy(out)
        self.assertEqual((shape, descr), ((), [("ptp", "|u1"), ("harmonic_mean", "<f8")]))
        self.assertEqual(struct.unpack("<Bd", content), (3, 1.6))

    def test_norms(self):
        for dtype, values, type1, type_inf in (("f64", [3.5, -7.25, 0.5], "f64", "f64"), ("f32", [3.5, -7.25, 0.5], "f32", "f32"),
                                               ("f16", [3.5, -7.25, 0.5], "f32", "f16"), ("i8", [-128, 5, 127], "u64", "u8"),
                                               ("u32", [7, 0, 2 ** 32 - 1], "u64", "u32")):
            found = self.each("norm1,norm_inf", self.file("a.npy", npy(dtype, values)))
            self.assertEqual([found[name]["result_dtype"] for name in ("norm1", "norm_inf")], [type1, type_inf], dtype)
            self.assertEqual(found["norm1"]["bits"], bits(type1, sum(map(abs, values))), dtype)
            self.assertEqual(found["norm_inf"]["bits"], bits(type_inf, max(map(abs, values))), dtype)
        self.assertEqual(self.output("statistic", "norm1,norm_inf", given="1 nan -3"), "norm1 nan\nnorm_inf nan\n")
        self.assertEqual(self.output("statistic", "norm1,norm_inf", "--skip-nan", given="1 nan -3"), "norm1 4\nnorm_inf 3\n")
        self.assertEqual(self.output("statistic", "norm1,norm_inf", self.file("e.txt", "")), "norm1 0\nnorm_inf 0\n")
        chosen = random.Random(73)
        path = self.file("x.npy", npy("f32", [chosen.gauss(0, 1) for _ in range(30_000)]))
        for accuracy in ("native", "exact"):
            norm = self.each("norm1", path, "--accuracy", accuracy)["norm1"]["bits"]
            for words in (["sequential"], ["threads", "--threads", "3"]):
                more = ["--backend", *words, "--accuracy", accuracy]
                self.assertEqual(self.each("norm1", path, *more)["norm1"]["bits"], norm, (accuracy, words))

    def test_first_and_last(self):
        self.assertEqual(self.output("statistic", "first", given="7 8 9"), "index 0\nvalue 7\n")
        self.assertEqual(self.output("statistic", "last,ptp,first", given="7 8 9.5"),
                         "last index 2\nlast value 9.5\nptp 2.5\nfirst index 0\nfirst value 7\n")
        for dtype, values in (("f64", [-0.0, 1, 2.5]), ("f16", [1, 2, 3]), ("i8", [-128, 0, 3]), ("u64", [2 ** 63, 1, 2])):
            found = self.each("first,last", self.file("a.npy", npy(dtype, values)))
            for name, index in (("first", 0), ("last", 2)):
                self.assertEqual(found[name]["result_dtype"], {"index": "i64", "value": dtype})
                self.assertEqual(found[name]["bits"]["value"], bits(dtype, values[index]), (dtype, name))
                self.assertEqual(found[name]["value"]["index"], index)
        self.assertEqual(self.output("statistic", "first", given="nan 1"), "index 0\nvalue nan\n")
        # An index counts what is skipped, as that of argmin does.
        self.assertEqual(self.output("statistic", "first,last,ptp", "--skip-nan", given="nan 1 nan 4 nan"),
                         "first index 1\nfirst value 1\nlast index 3\nlast value 4\nptp 3\n")
        table = self.file("t.csv", "p,q\n1,10\n2,30\n")
        rows = [line.split() for line in self.output("statistic", "last", "--column", "p,q", table).splitlines()]
        self.assertEqual(rows, [["column", "last_index", "last_value"], ["p", "1", "2"], ["q", "1", "30"]])
        out = self.file("out.npy", "")
        self.output("statistic", "first,norm1", "--dtype", "i16", "-o", out, given="-3 4")
        descr, shape, content = read_npy(out)
        self.assertEqual(descr, [("first_index", "<i8"), ("first_value", "<i2"), ("norm1", "<u8")])
        self.assertEqual(struct.unpack("<qhQ", content), (0, -3, 7))
        empty, nan = self.file("e.txt", ""), self.file("n.txt", "nan nan")
        for name in ("first", "last"):
            self.check_error(self.run_program("statistic", name, empty), 3, "e.txt", f"{name} of no elements has no value")
            self.check_error(self.run_program("statistic", name, "--skip-nan", nan), 3, "n.txt",
                             f"{name} of no elements has no value", "missing or NaN and were skipped")

    def test_explain(self):
        text = self.output("statistic", "skewness", "--explain", "--backend", "threads", "--threads", "2", given="1 2 4")
        self.assertIn("skewness of 3 f64\n", text)
        self.assertIn("backend threads", text)

    @unittest.skipUnless(FAKES, "a statically linked program loads no module")
    def test_an_accelerator(self):
        """ptp alone runs there."""
        environment = {"ONEFOLD_BACKEND_PATH": os.path.join(FAKES, "good"), "FAKE_MEMORY": "pageable"}
        found = self.each("ptp", "--backend", "cuda", given="4 1 2", environment=environment)["ptp"]
        self.assertEqual((found["value"], found["backend"]), (3, "cuda"))

    def test_refusals(self):
        empty = self.file("e.txt", "")
        for name in NAMES:
            self.check_error(self.run_program("statistic", name, empty), 3, "e.txt", f"{name} of no elements has no value")
            self.check_error(self.run_program("statistic", name, empty, empty), 3, "e.txt and ")
            self.check_error(self.run_program("statistic", name, empty, empty, empty), 3, "e.txt and 2 more files: ")
            if name != "ptp":
                reduces = {"geometric_mean": "logarithms", "harmonic_mean": "reciprocals"}.get(name, "powers of distances")
                self.check_error(self.run_program("statistic", name, "--backend", "cuda", given="1"), 2,
                                 f"{name} reduces {reduces}", "are computed on CPUs only, not on backend cuda")
        wrong = lambda *words: self.run_program("statistic", *words, given="1")
        self.check_error(wrong("skewnes"), 2, 'unknown statistic "skewnes"; did you mean skewness?')
        self.check_error(wrong("ptp,sum"), 2, 'unknown statistic "sum"; did you mean onefold reduce sum?\n')
        self.check_error(wrong("median"), 2, 'unknown statistic "median"; did you mean onefold quantile?\n')
        self.check_error(wrong("kurtosis"), 2, 'unknown statistic "kurtosis"; did you mean excess_kurtosis?')
        self.check_error(wrong("ptp,skewness,PTP"), 2, "PTP: given twice")
        self.check_error(wrong("ptp,"), 2, 'unknown statistic ""')
        self.check_error(wrong("--axis", "0"), 2, "--axis")
        self.check_error(wrong("ptp", "--format", "csv"), 2, "csv", "json")


if __name__ == "__main__":
    unittest.main()
