"""onefold quantile: medians and other quantiles against a sorted list, text, JSON, .npy, tables, refusals."""

import json
import math
import random
import struct
import unittest

from support import ProgramTest, npy, read_npy

NAN = float("nan")


def quantile(values, q, method="linear"):
    """By the definition in docs/quantiles.md, of f64."""
    ordered = sorted(values)
    at = q * (len(ordered) - 1)
    rank = math.floor(at)
    t = at - rank
    low = ordered[rank]
    if t == 0:
        return low
    high = ordered[rank + 1]
    if method == "linear":
        return low + (high - low) * t if t < 0.5 else high - (high - low) * (1 - t)
    if method == "nearest":
        return high if t > 0.5 or (t == 0.5 and rank % 2) else low
    return high if method == "higher" else low


class Quantile(ProgramTest):
    def each(self, *words, **more):
        """The JSON of each quantile of one run."""
        return [json.loads(line) for line in self.output("quantile", *words, "--format", "json", **more).splitlines()]

    def test_text(self):
        self.assertEqual(self.output("quantile", given="30 10 40 20"), "25\n")
        self.assertEqual(self.output("quantile", "--at", "0.25,1", given="30 10 40 20"),
                         "quantile_0.25 17.5\nquantile_1 40\n")
        self.assertEqual(self.output("quantile", "--at", "0.25", "--method", "lower", given="30 10 40 20"), "10\n")

    def test_values_are_those_of_a_sorted_list(self):
        chosen = random.Random(41)
        values = [chosen.gauss(0, 1) for _ in range(30_000)]
        path = self.file("a.npy", npy("f64", values, (150, 200)))
        at = (0, 0.001, 1 / 3, 0.5, 0.99, 1)
        for method in ("linear", "lower", "higher", "nearest"):
            for more in ([], ["--backend", "threads", "--threads", "3"], ["--backend", "sequential"]):
                found = self.each(path, "--at", ",".join(map(repr, at)), "--method", method, *more)
                self.assertEqual([r["value"] for r in found], [quantile(values, q, method) for q in at], method)
        self.assertEqual([r["value"] for r in self.each(path)], [quantile(values, 0.5)])

    def test_json(self):
        (median,) = self.each(self.file("a.npy", npy("f32", [1, 2, 5, 4])), "--backend", "sequential")
        self.assertEqual({k: median[k] for k in ("op", "dtype", "n", "value", "bits", "result_dtype", "backend", "threads",
                                                 "isa")},
                         {"op": "median", "dtype": "f32", "n": 4, "value": 3, "bits": "0x40400000",
                          "result_dtype": "f32", "backend": "sequential", "threads": 1, "isa": "baseline"})
        found = self.each("--at", "0.1,0.9", "--dtype", "i32", given="0 10")
        self.assertEqual([(r["op"], r["value"], r["result_dtype"]) for r in found],
                         [("quantile_0.1", 1, "f64"), ("quantile_0.9", 9, "f64")])

    def test_nan(self):
        given = "nan 3 1 nan 2"
        self.assertEqual(self.output("quantile", given=given), "nan\n")
        self.assertEqual(self.output("quantile", "--skip-nan", given=given), "2\n")
        nan = self.file("n.txt", "nan nan")
        self.check_error(self.run_program("quantile", "--skip-nan", nan), 3, "n.txt", "missing or NaN and were skipped")

    def test_columns(self):
        table = self.file("t.csv", "price,qty,name\n1,10,a\n3,NaN,b\n8,30,c\n")
        rows = lambda *words: [line.split() for line in self.output("quantile", *words, table).splitlines()]
        self.assertEqual(rows("--column", "price,qty"), [["column", "median"], ["price", "3"], ["qty", "nan"]])
        self.assertEqual(rows("--column", "price,qty", "--skip-nan", "--at", "0,1"),
                         [["column", "quantile_0", "quantile_1"], ["price", "1", "8"], ["qty", "10", "30"]])
        self.check_error(self.run_program("quantile", "--column", "a,b", self.file("u.csv", "a,b\n1,\n"),
                                          "--missing", "skip"), 3, "u.csv", 'column "b"', "a quantile of no elements")

    def test_npy(self):
        out = self.file("out.npy", "")
        self.assertEqual(self.output("quantile", "--at", "0.5,1", "-o", out, given="1 2 6"), "")
        descr, shape, content = read_npy(out)
        self.assertEqual((shape, descr), ((), [("quantile_0.5", "<f8"), ("quantile_1", "<f8")]))
        self.assertEqual(struct.unpack("<2d", content), (2, 6))

    def test_explain(self):
        text = self.output("quantile", "--explain", "--backend", "threads", "--threads", "2", given="1 2")
        self.assertIn("median of 2 f64\n", text)
        self.assertIn("threads 1\n", text)  # so few elements are the work of one
        self.assertNotIn("estimate", text)

    def test_refusals(self):
        empty = self.file("e.txt", "")
        self.check_error(self.run_program("quantile", empty), 3, "e.txt", "a quantile of no elements has no value")
        for word in ("1.5", "-0.1", "x", "nan", ""):
            self.check_error(self.run_program("quantile", f"--at={word}", given="1"), 2, "--at", "a number from 0 to 1")
        self.check_error(self.run_program("quantile", "--at", "0.5,0.50", given="1"), 2, "--at: 0.50: given twice")
        self.check_error(self.run_program("quantile", "--method", "middle", given="1"), 2, "--method", "linear")
        self.check_error(self.run_program("quantile", "--backend", "cuda", given="1"), 2,
                         "order statistics are computed on CPUs only, not on backend cuda")
        self.check_error(self.run_program("quantile", "--axis", "0", given="1"), 2, "--axis")


if __name__ == "__main__":
    unittest.main()
