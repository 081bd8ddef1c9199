"""Several operations in one pass and onefold summary: the bits of each operation alone, text, JSON, .npy, refusals."""

import json
import random
import unittest

from support import ProgramTest, npy, read_npy

NAN = float("nan")
STATISTICS = ("sum", "mean", "min", "max", "variance", "stddev", "sample_variance", "sample_stddev")


class OnePass(ProgramTest):
    def setUp(self):
        super().setUp()
        chosen = random.Random(17)
        self.path = self.file("a.npy", npy("f32", [chosen.uniform(-1, 1) for _ in range(20_000)], (100, 200)))

    def each(self, *words):
        """The JSON of each operation of one run."""
        return [json.loads(line) for line in self.output("reduce", *words, "--format", "json").splitlines()]

    def test_bits_are_those_of_each_alone(self):
        operations = ("sum", "mean", "max", "argmax", "moments", "sum_with_bound")
        for more in ([], ["--accuracy", "wide"], ["--backend", "threads", "--threads", "3"], ["--init", "1"]):
            named = ("sum", "max") if "--init" in more else operations
            found = self.each(",".join(named), self.path, *more)
            self.assertEqual([r["op"] for r in found], list(named))
            for r in found:
                alone = self.reduced(r["op"], self.path, *more)
                self.assertEqual((r["bits"], r["n"], r["result_dtype"]),
                                 (alone["bits"], alone["n"], alone["result_dtype"]), r["op"])

    def test_who_shares_a_pass(self):
        together = "in one pass with 1 other reduction"
        fortran = self.file("f.npy", npy("f32", [1, 2, 3, 4, 5, 6], (2, 3), fortran=True))
        for words, shared in ((["sum,max", self.path], True), (["sum,max", "--axis", "0", self.path], False),
                              (["sum,max", "--skip-nan", self.path], False), (["sum,max", "--init", "0", self.path], False),
                              (["sum,max", fortran], True)):
            self.assertEqual(self.output("reduce", *words, "--explain").count(together), 2 if shared else 0, words)
        self.assertNotIn("in one pass", self.output("reduce", "sum", self.path, "--explain"))
        # Positions count in C order.
        self.assertEqual(self.output("reduce", "argmax,max", fortran), "argmax 5\nmax 6\n")

    def test_errors_are_those_of_each_alone(self):
        empty = self.file("e.npy", npy("f32", []))
        alone = self.run_program("reduce", "max", empty).stderr
        self.assertEqual(self.run_program("reduce", "sum,max", empty).stderr, alone)
        table = self.file("t.csv", "a,b\n1,2\n")
        self.assertEqual(self.output("reduce", "sum,max", "--column", "a,b", table).split(),
                         ["column", "sum", "max", "a", "1", "1", "b", "2", "2"])
        large = self.file("l.npy", npy("i64", [2 ** 62] * 4))
        self.refused(3, ["sum has no result", "l.npy"], "max,sum", "--accuracy", "exact", large)


class Summary(ProgramTest):
    def test_text(self):
        self.assertEqual(self.output("summary", given="2 4 4 4 5 5 7 9"),
                         "n 8\nnan_count 0\nsum 40\nmean 5\nmin 2\nmax 9\nvariance 4\nstddev 2\n"
                         "sample_variance 4.571428571428571\nsample_stddev 2.138089935299395\n")

    def test_bits_are_those_of_the_operations(self):
        chosen = random.Random(18)
        for dtype, values in (("f32", [chosen.uniform(-1, 1) for _ in range(9000)]),
                              ("i32", [chosen.randrange(-9, 9) for _ in range(9000)]),
                              ("f64", [1.5, NAN, 2.5, NAN, 0])):
            path = self.file("a.npy", npy(dtype, values))
            for more in ([], ["--accuracy", "exact"], ["--skip-nan"], ["--backend", "openmp", "--threads", "2"]):
                with self.subTest(dtype=dtype, more=more):
                    found = {}
                    for line in self.output("summary", path, *more, "--format", "json").splitlines():
                        r = json.loads(line)
                        found[r["op"]] = r
                    self.assertEqual(tuple(found), ("n", "nan_count", *STATISTICS))
                    for operation in STATISTICS:
                        self.assertEqual(found[operation]["bits"], self.reduced(operation, path, *more)["bits"], operation)
                    nans = sum(x != x for x in values)
                    self.assertEqual(found["nan_count"]["value"], nans)
                    self.assertEqual(found["n"]["value"], len(values) - (nans if "--skip-nan" in more else 0))

    def test_columns(self):
        table = self.file("t.csv", "price,qty,name\n1,10,a\n3,NaN,b\n")
        lines = self.output("summary", "--column", "price,qty", table).splitlines()
        self.assertEqual(lines[0].split(), ["column", "n", "nan_count", *STATISTICS])
        self.assertEqual(lines[1].split()[:7], ["price", "2", "0", "4", "2", "1", "3"])
        self.assertEqual(lines[2].split()[:7], ["qty", "2", "1", "nan", "nan", "nan", "nan"])
        lines = self.output("summary", "--skip-nan", "--column", "price,qty", table).splitlines()
        self.assertEqual(lines[2].split()[:7], ["qty", "1", "1", "10", "10", "10", "10"])

    def test_npy(self):
        out = self.file("out.npy", "")
        self.assertEqual(self.output("summary", "-o", out, given="1 2 6"), "")
        descr, shape, _ = read_npy(out)
        self.assertEqual((shape, [name for name, _ in descr]), ((), ["n", "nan_count", *STATISTICS]))

    def test_options_come_before_the_environment(self):
        numbers = self.file("n.txt", "1 2 3")
        typo = {"environment": {"ONEFOLD_NUM_THREADS": "x", "ONEFOLD_BACKEND": "gpu"}}
        self.assertEqual(self.output("summary", numbers, "--threads", "1", "--backend", "sequential", **typo),
                         self.output("summary", numbers))

    def test_refusals(self):
        empty = self.file("e.txt", "")
        self.check_error(self.run_program("summary", empty), 3, "e.txt", "mean of no elements has no value")
        nan = self.file("n.txt", "nan nan")
        self.check_error(self.run_program("summary", "--skip-nan", nan), 3, "missing or NaN and were skipped")
        self.check_error(self.run_program("summary", "--accuracy", "kahan", given="1"), 2,
                         "accuracy native and exact only")
        self.check_error(self.run_program("summary", "--column", "a,b", self.file("t.csv", "a,b\n1,\n"),
                                          "--missing", "skip"), 3, "t.csv", 'column "b"')
        self.check_error(self.run_program("summary", "--axis", "0", given="1"), 2, "--axis")


if __name__ == "__main__":
    unittest.main()
