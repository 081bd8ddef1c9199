"""--skip-nan: of whole arrays, over axes, of columns, by key and of rows, results have the bits of the numbers alone."""

import unittest

from support import ProgramTest, npy

NAN = float("nan")


class SkipNan(ProgramTest):
    def test_whole_array(self):
        values = [NAN, 3, -NAN, 1.5, 7, NAN]
        path, numbers = self.file("a.npy", npy("f32", values)), self.file("b.npy", npy("f32", [3, 1.5, 7]))
        for operation in ("sum", "mean", "max", "variance", "minmax", "sum_with_bound"):
            for accuracy in ("native", "exact") if operation != "minmax" else ("native",):
                with self.subTest(operation=operation, accuracy=accuracy):
                    words = (operation, "--accuracy", accuracy)
                    if operation == "sum_with_bound" and accuracy == "exact":
                        continue
                    self.assertEqual(self.output("reduce", *words, path, "--skip-nan"),
                                     self.output("reduce", *words, numbers))
        self.assertEqual(self.output("reduce", "argmax", path, "--skip-nan"), "4\n")
        self.assertEqual(self.output("reduce", "sum", path), "nan\n")
        self.assertEqual(self.output("sum", "--skip-nan", given="1 nan 2"), "3\n")
        whole = self.file("c.npy", npy("i32", [4, 5]))
        self.assertEqual(self.output("reduce", "sum", whole, "--skip-nan"), "9\n")

    def test_axes(self):
        path = self.file("a.npy", npy("f64", [1, NAN, 3, 4, 5, NAN], (2, 3)))
        self.assertEqual(self.output("reduce", "sum", "--axis", 1, path, "--skip-nan"), "4\n9\n")
        self.assertEqual(self.output("reduce", "argmax", "--axis", 0, path, "--skip-nan"), "1\n1\n0\n")
        fortran = self.file("b.npy", npy("f64", [NAN, 4, 2, 5, 3, NAN], (2, 3), fortran=True))
        self.assertEqual(self.output("reduce", "argmin", fortran, "--skip-nan"), "1\n")
        self.refused(3, ["max of no elements has no value", "no element of result 0 is selected"], "max", "--axis", 1,
                     self.file("c.npy", npy("f64", [NAN, 1], (2, 1))), "--skip-nan")

    def test_rows(self):
        path = self.file("a.npy", npy("f32", [1, NAN, 3, NAN, NAN, NAN], (2, 3)))
        first, last = self.output("rows", "softmax", self.file("b.npy", npy("f32", [1, 3]))).split()
        self.assertEqual(self.output("rows", "softmax", path, "--skip-nan"), f"{first} 0 {last}\n0 0 0\n")
        self.assertEqual(self.output("rows", "log_softmax", path, "--skip-nan", "--axis", 0),
                         "0 -inf 0\n-inf -inf -inf\n")
        self.assertEqual(self.output("rows", "logsumexp", "--skip-nan", given="2 nan"), "2\n")
        self.assertEqual(self.output("rows", "normalize_l1", "--skip-nan", "--shape", "2x2", given="1 nan 3 -1"),
                         "1 0\n0.75 -0.25\n")

    def test_keys(self):
        table = self.file("t.csv", "k,v,w\nb,1,nan\na,nan,2\nb,nan,3\na,5,4\nb,7,nan\n")
        self.assertEqual(self.output("reduce", "sum,argmax", "--column", "v,w", "--by", "k", table, "--skip-nan"),
                         "k v_sum v_argmax w_sum w_argmax\nb     8        2     3        1\na     5        1     6        1\n")
        self.refused(3, ["max of no elements has no value", "column \"v\"", "the key \"a\"", "missing or NaN"], "max",
                     "--column", "v", "--by", "k", given="k,v\nb,1\na,nan\n", *(["--skip-nan"]))
        self.refused(3, ["the key \"b\"", "are missing and were skipped"], "max", "--column", "v", "--by", "k",
                     "--missing", "skip", given="k,v\na,nan\nb,NA\n")
        self.assertEqual(self.output("reduce", "sum", "--column", "v", "--by", "k", "--skip-nan",
                                     given="k,v\nb,1\na,nan\n"), "k v_sum\nb     1\na     0\n")

    def test_nothing_left(self):
        self.refused(3, ["all values are missing or NaN and were skipped"], "mean", "--skip-nan", given="nan nan")
        self.assertEqual(self.output("reduce", "max", "--init", 4, "--skip-nan", given="nan nan"), "4\n")
        self.refused(3, ["the input is empty"], "mean", "--skip-nan", given="")

    def test_every_backend(self):
        path = self.file("a.npy", npy("f32", [NAN if i % 7 == 3 else i * 0.1 for i in range(50_000)]))
        found = {self.reduced("sum", path, "--skip-nan", "--backend", b, "--threads", 2)["bits"]
                 for b in self.available_backends() if b not in ("cuda", "sequential")}
        found.add(self.reduced("sum", path, "--skip-nan", "--backend", "sequential")["bits"])
        self.assertEqual(len(found), 1)


if __name__ == "__main__":
    unittest.main()
