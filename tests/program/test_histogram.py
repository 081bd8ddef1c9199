"""onefold histogram: counts against the definition, text, JSON, .npy, refusals."""

import json
import os
import random
import resource
import struct
import unittest

from support import SANITIZED, ProgramTest, npy, read_npy

FAKES = os.environ.get("FAKES")  # folders with modules that say that they are CUDA
INF, NAN = float("inf"), float("nan")


def by_definition(values, edges):
    """How many values are in each bin."""
    bins = list(zip(edges, edges[1:]))
    return [sum(low <= x < high or (i + 1 == len(bins) and x == high) for x in values)
            for i, (low, high) in enumerate(bins)]


def outside(values, edges):
    """How many values are in none."""
    return {"below": sum(x < edges[0] for x in values), "above": sum(x > edges[-1] for x in values),
            "nan": sum(x != x for x in values)}


class Histogram(ProgramTest):
    def found(self, *words, **more):
        """The JSON of a run that must succeed."""
        return json.loads(self.output("histogram", *words, "--format", "json", **more))

    def test_text(self):
        self.assertEqual(self.output("histogram", "--bins", "2", given="1 2 2 3 5"),
                         "# i low high count\n0 1 3 3\n1 3 5 2\n# outside the bins: 0 below, 0 above, 0 NaN\n")
        self.assertEqual(self.output("histogram", "--bins", "1", "--range=-1,0", given="-2 -1 0 1 3 nan nan nan"),
                         "# i low high count\n0 -1 0 2\n# outside the bins: 1 below, 2 above, 3 NaN\n")

    def test_counts_are_those_of_the_definition(self):
        chosen = random.Random(43)
        values = [chosen.choice((chosen.gauss(0, 1), chosen.randrange(-3, 4), NAN)) for _ in range(40_000)]
        path = self.file("a.npy", npy("f64", values, (200, 200)))
        equal = [-3 + i * (6 / 64) for i in range(64)] + [3]
        for words, edges in ((["--bins", "64", "--range=-3,3"], equal),
                             (["--edges=-inf,-1,0,0,0.25,inf"], [-INF, -1, 0, 0, 0.25, INF]),
                             (["--edges=-2,-2"], [-2, -2]), (["--edges=1,inf"], [1, INF]), (["--edges=inf,inf"], [INF, INF])):
            for more in ([], ["--backend", "threads", "--threads", "3"], ["--backend", "sequential"]):
                found = self.found(path, *words, *more)
                value = found["value"]
                self.assertEqual(found["outside"], outside(values, edges), words)
                self.assertEqual(value["count"], by_definition(values, edges), words)
                self.assertEqual(value["low"] + value["high"][-1:], ["-inf" if x == -INF else "inf" if x == INF else x
                                                                     for x in edges])

    def test_json(self):
        found = self.found("--dtype", "i32", "--backend", "sequential", "--bins", "2", given="0 4")
        self.assertEqual({k: found[k] for k in ("op", "dtype", "n", "value", "result_dtype", "backend")},
                         {"op": "histogram", "dtype": "i32", "n": 2,
                          "value": {"low": [0, 2], "high": [2, 4], "count": [1, 1]},
                          "result_dtype": {"low": "f64", "high": "f64", "count": "i64"}, "backend": "sequential"})
        self.assertEqual(found["outside"], {"below": 0, "above": 0, "nan": 0})
        found = self.found("--edges", "1,2", "-o", self.file("out.npy", ""), given="0 1 2 3 nan")
        self.assertEqual(found["outside"], {"below": 1, "above": 1, "nan": 1})
        self.assertEqual(len(self.found(given="1 2")["value"]["count"]), 10)
        self.assertEqual(self.found("--bins", "1", self.file("e.txt", ""))["value"],
                         {"low": [0], "high": [1], "count": [0]})

    @unittest.skipIf(SANITIZED, "a sanitizer needs more memory")
    def test_many_bins_are_written_in_pieces(self):
        """Neither format holds all of its text, let alone values of JSON, in memory."""
        addresses = 100 << 20
        limited = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))}
        words = ("histogram", "--bins", 1_000_000, "--range", "0,1000000", "--backend", "sequential")
        lines = self.output(*words, given="0 7.5 999999", **limited).splitlines()
        self.assertEqual((len(lines), lines[8], lines[-2]), (1_000_002, "7 7 8 1", "999999 999999 1e+06 1"))
        value = json.loads(self.output(*words, "--format", "json", given="0 7.5 999999", **limited))["value"]
        self.assertEqual((value["low"], value["high"]), (list(range(1_000_000)), list(range(1, 1_000_001))))
        self.assertEqual([i for i, count in enumerate(value["count"]) if count], [0, 7, 999_999])

    def test_npy(self):
        out = self.file("out.npy", "")
        self.assertEqual(self.output("histogram", "--edges", "0,1,2", "-o", out, given="0.5 1 2 7"), "")
        descr, shape, content = read_npy(out)
        self.assertEqual((shape, descr), ((2,), [("low", "<f8"), ("high", "<f8"), ("count", "<i8")]))
        self.assertEqual(list(struct.iter_unpack("<ddq", content)), [(0, 1, 1), (1, 2, 2)])

    @unittest.skipUnless(FAKES, "a statically linked program loads no module")
    def test_an_accelerator(self):
        """What crosses to it makes the counts of the definition: a stand-in counts keys of elements."""
        def environment(module, memory="pageable"):
            return {"environment": {"ONEFOLD_BACKEND_PATH": os.path.join(FAKES, module), "FAKE_MEMORY": memory}}

        chosen = random.Random(44)
        numbers = [chosen.choice((chosen.gauss(0, 1), chosen.randrange(-3, 4), -0.0)) for _ in range(3000)]
        for dtype, values in (("f64", numbers + [NAN, INF, -INF]), ("f32", [round(x * 64) / 64 for x in numbers] + [NAN]),
                              ("f16", [round(x * 64) / 64 for x in numbers]), ("i8", [max(-128, min(127, round(x * 40))) for x in numbers]),
                              ("u8", [round(abs(x * 40)) % 256 for x in numbers]), ("i64", [round(x * 2**60) for x in numbers]),
                              ("u64", [round(abs(x * 2**61)) for x in numbers] + [2**64 - 1])):
            path = self.file("a.npy", npy(dtype, values, (len(values),)))
            for words, edges in ((["--bins", "7", "--range=-3,4"], [-3, -2, -1, 0, 1, 2, 3, 4]),
                                 (["--edges=-inf,-2e18,-1.5,0,0.015625,3,3"], [-INF, -2e18, -1.5, 0, 0.015625, 3, 3]),
                                 (["--edges=-9223372036854775808,0,1e19,1e300"], [-2**63, 0, 1e19, 1e300])):
                found = self.found(path, *words, "--backend", "cuda", **environment("good"))
                self.assertEqual((found["value"]["count"], found["backend"]), (by_definition(values, edges), "cuda"),
                                 (dtype, words))
                self.assertEqual(found["outside"], outside(values, edges), (dtype, words))
        spanned = self.found(path, "--bins", "3", "--backend", "cuda", "--device", "0", **environment("good"))
        self.assertEqual(spanned["value"], self.found(path, "--bins", "3")["value"])
        self.assertEqual(self.found(path, "--bins", "1", "--range", "0,1", **environment("good"))["backend"], "sequential")
        self.check_error(self.run_program("histogram", path, "--backend", "cuda", **environment("choosy")), 2,
                         "backend cuda does not compute histograms; copy the data to host memory")
        self.check_error(self.run_program("histogram", path, "--backend", "cuda", "--edges", "0,1", **environment("broken")), 1,
                         "the stand-in is broken")

    def test_refusals(self):
        for words, pieces in ((["--bins", "0"], ["--bins", "an integer from 1"]),
                              (["--range", "1"], ["--range", "two numbers"]),
                              (["--range", "1,inf"], ["--range", "a number from"]),
                              (["--range", "1,0"], ["--range", "finite ends that ascend, not from 1 to 0"]),
                              (["--edges", "1,0"], ["--edges: edge 1 of the bins, 0, is below"]),
                              (["--edges", "1"], ["--edges: bins have at least 2 edges"]),
                              (["--edges", "0,1", "--bins", "3"], ["--bins does not apply with --edges"]),
                              (["--edges", "0,1", "--range", "0,1"], ["--range does not apply with --edges"]),
                              (["--skip-nan"], ["--skip-nan"])):
            self.check_error(self.run_program("histogram", *words, given="1"), 2, *pieces)
        for content, wrong in (("1 inf", "the elements are from 1 to inf"), ("nan", "the elements are from nan to nan"),
                               ("1 1.0000000000000002", "10 bins from 1 to 1.0000000000000002 are too many for f64")):
            path = self.file("x.txt", content)
            self.check_error(self.run_program("histogram", path), 2, f"onefold: {path}: {wrong}")
            self.check_error(self.run_program("histogram", given=content), 2, f"onefold: standard input: {wrong}")
        table = self.file("t.csv", "a,b\n1,2\n")
        self.check_error(self.run_program("histogram", "--column", "a,b", table), 2, "--column", "one column")
        self.assertEqual(self.output("histogram", "--column", "b", "--edges", "0,5", table).splitlines()[1], "0 0 5 1")


if __name__ == "__main__":
    unittest.main()
