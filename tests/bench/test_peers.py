"""bench/compare_peers.py and bench/cuda/compare.py: what they compare, and that the program makes a page of it."""

import argparse
import array
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))
import compare_peers  # noqa: E402

PROGRAM = os.environ["ONEFOLD_BENCH_PROGRAM"]
ONEFOLD = pathlib.Path(PROGRAM).parent / "onefold"


class Errors(unittest.TestCase):
    def test_ulps(self):
        self.assertEqual(compare_peers.ulps("f32", [1 + 2.0**-23, 1.0], [1.0, 0]), 1)
        self.assertEqual(compare_peers.ulps("f32", [1.0], [1.0, 2.0**-24]), 0.5)
        self.assertEqual(compare_peers.ulps("f64", [3.0 - 2.0**-51], [3.0, 0]), 1)
        self.assertEqual(compare_peers.ulps("f32", [2.0**-149], [0.0, 0]), 1)
        self.assertEqual(compare_peers.ulps("f64", [1.0], [1.0, 1e-20]), 1e-20 / 2.0**-52)


class Measuring(unittest.TestCase):
    def test_a_small_comparison(self):
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run([sys.executable, "-B", BENCH / "compare_peers.py", "--program", PROGRAM, "--out", directory,
                            "--sizes=65536", "--only=sum/f32", "--rounds=1", "--answer-sizes=65536", "--runs=3",
                            "--most-threads=3"], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            found = json.loads((pathlib.Path(directory) / "peers.json").read_text())
            page = (pathlib.Path(directory) / "peers.md").read_text()
        self.assertIn("sum of f32, 1 thread: GB/s", page)
        self.assertRegex(page, r"onefold is the faster side of \d+ of \d+ comparisons")
        alone = {r["who"]: r for r in found["speeds"] if r["where"] == "1 thread" and r["flags"] == "-O3"}
        self.assertEqual(alone["onefold"]["onefold_speed"], 1)
        for peer in ["std::accumulate", "std::reduce(unseq)", "omp simd", "tbb::parallel_reduce"]:
            self.assertGreater(alone[peer]["ns"], 0)
        answers = {(r["who"], r["op"], r["dtype"], r["flags"]): r for r in found["answers"]}
        for kind in ["f32", "f64"]:
            for who in ["onefold", "onefold, exact"]:
                ours = answers[who, "sum", kind, "-O3"]
                self.assertEqual((ours["answers_over_threads"], ours["threads"]), (1, [1, 2, 3]))
            self.assertLessEqual(answers["onefold, exact", "sum", kind, "-O3"]["ulps"], 0.5)
            self.assertEqual(answers["onefold", "max", kind, "-O3"]["ulps"], 0)
        left_fold = answers["std::accumulate", "sum", "f32", "-O3"]
        self.assertEqual((left_fold["answers_over_threads"], left_fold["threads"]), (1, [1]))
        self.assertGreater(left_fold["ulps"], answers["onefold", "sum", "f32", "-O3"]["ulps"])

    def test_a_small_comparison_of_shapes(self):
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run([sys.executable, "-B", BENCH / "compare_peers.py", "--program", PROGRAM, "--out", directory,
                            "--sizes=2097152", "--only=^sum-(32768x8-axis1|262x1000-axis1|64x64x64-axis0)", "--rounds=1",
                            "--answer-sizes=65536", "--runs=1", "--most-threads=1"], check=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            found = json.loads((pathlib.Path(directory) / "peers.json").read_text())
        self.assertEqual(found["speeds"], [])
        for kind in ["f32", "f64"]:
            alone = {(r["shape"], r["who"], r["flags"]): r for r in found["shapes"]
                     if (r["where"], r["dtype"]) == ("1 thread", kind)}
            for shape, n in [("32768x8 axis 1", 1 << 18), ("262x1000 axis 1", 262000), ("64x64x64 axis 0", 1 << 18)]:
                self.assertEqual(alone[shape, "onefold", "-O3"]["n"], n)
                for flags in ["-O3", "-O3 -march=native -ffast-math"]:
                    self.assertGreater(alone[shape, "two loops", flags]["onefold_speed"], 0)
            self.assertIn(("262x1000 axis 1", "onefold, a call a row", "-O3"), alone)

    def test_a_small_comparison_of_operations(self):
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run([sys.executable, "-B", BENCH / "compare_peers.py", "--program", PROGRAM, "--out", directory,
                            "--sizes=1048576", "--only=^(dot|edges|geometric_mean|top_k)/", "--rounds=1",
                            "--answer-sizes=65536", "--runs=1", "--most-threads=1"], check=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            found = json.loads((pathlib.Path(directory) / "peers.json").read_text())
            page = (pathlib.Path(directory) / "peers.md").read_text()
        self.assertIn("edges of f64, 1 thread: GB/s", page)
        measured = {(r["op"], r["dtype"], r["who"]) for r in found["speeds"]}
        for kind in ["f32", "f64"]:
            for op, peer in [("dot", "std::transform_reduce"), ("geometric_mean", "std::transform_reduce"),
                             ("edges", "std::upper_bound"), ("top_k", "std::partial_sort_copy")]:
                self.assertLessEqual({(op, kind, "onefold"), (op, kind, peer)}, measured)

    def test_a_small_comparison_of_scans_and_row_operations(self):
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run([sys.executable, "-B", BENCH / "compare_peers.py", "--program", PROGRAM, "--out", directory,
                            "--sizes=1048576", "--only=^(cumsum.*/f../(4096|1048568|8192)|(softmax|rms_norm)-1024x256)",
                            "--rounds=1", "--answer-sizes=65536", "--runs=1", "--most-threads=1"], check=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            found = json.loads((pathlib.Path(directory) / "peers.json").read_text())
            page = (pathlib.Path(directory) / "peers.md").read_text()
        self.assertIn("cumsum of f64, 1 thread: GB/s", page)
        self.assertIn("| copying alone |", page)
        scans = {(r["op"], r["dtype"], r["n"], r["who"]) for r in found["speeds"]}
        for who in ["onefold", "onefold, kahan", "std::inclusive_scan", "a loop", "copying alone", "tbb::parallel_scan"]:
            self.assertLessEqual({("cumsum", "f32", 1024, who), ("cumsum", "f64", 1024, who),
                                  ("cumsum_unaligned", "f32", (1 << 18) - 2, who)}, scans)
        rows = {(r["op"], r["dtype"], r["shape"], r["who"]) for r in found["shapes"]}
        for kind in ["f32", "f16", "bf16"]:
            for who in ["onefold", "loops", "copying alone"]:
                self.assertLessEqual({("softmax", kind, "1024x256 axis 1", who),
                                      ("rms_norm", kind, "1024x256 axis 1", who)}, rows)

    def test_operations_are_those_of_the_program(self):
        done = subprocess.run([PROGRAM, "--benchmark_list_tests", "--max-bytes=1048576"], stdout=subprocess.PIPE, text=True,
                              check=True)
        rows = {line.split("/")[0] for line in done.stdout.splitlines()
                if re.search(r"/(std::|a loop|two loops/plain)", line)}
        self.assertEqual({row for row in rows if not re.match("(sum|max|calls|cumsum)(-|_|$)", row)}, set(compare_peers.OPERATIONS))

    def test_elements_are_those_of_the_program(self):
        with tempfile.NamedTemporaryFile() as file:
            given = argparse.Namespace(program=PROGRAM, runs=1)
            compare_peers.elements(PROGRAM, "sum/f64/8000", file.name)
            told = compare_peers.ask(given, "exact", "f64", 8000, 1, "openmp")
            values = array.array("d", pathlib.Path(file.name).read_bytes())
            self.assertEqual([len(values), math.fsum(values)], [1000, told["exact"]["exact/f64/8000"][0]])


class OnGpu(unittest.TestCase):
    """bench/cuda/compare.py over files as a machine with a GPU writes them."""

    def compare(self, cuda, python=None):
        with tempfile.TemporaryDirectory() as directory:
            folder = pathlib.Path(directory)
            (folder / "cuda.json").write_text(json.dumps(cuda))
            if python:
                (folder / "python.json").write_text(json.dumps(python))
            subprocess.run([sys.executable, "-B", BENCH / "cuda" / "compare.py", folder], check=True,
                           stdout=subprocess.PIPE)
            page = subprocess.run([ONEFOLD, "report", "--from", folder / "peers.json"], check=True, text=True,
                                  stdout=subprocess.PIPE).stdout
            return json.loads((folder / "peers.json").read_text()), page

    def test_a_comparison(self):
        def row(op, who, us):
            return {"group": "peers", "op": op, "dtype": "f32", "n": 1 << 20, "who": who, "us": us}

        def answer(who, values):
            return {"op": "sum", "dtype": "f32", "n": 1 << 20, "who": who, "runs": 20, "values": values}

        cuda = {"context": {"gpu": "A GPU", "cub": 300500, "commit": "abc", "date": "2026-01-01"},
                "rows": [row("sum", "onefold", 5), row("sum", "onefold", 4), row("sum", "CUB, gpu_to_gpu", 12),
                         row("sum to the host", "onefold", 10), row("sum to the host", "Thrust", 15),
                         {**row("sum", "CUB", 1), "group": "sizes"}],
                "answers": [answer("onefold", [1.0]), answer("CUB, not_guaranteed", [1.0, 1 + 2.0**-23])],
                "exact": {"sum/f32/1048576": [1.0, 0]}}
        python = {"rows": [{"who": "PyTorch 2", "op": "sum", "dtype": "f32", "n": 1 << 20,
                            "device_us": 8, "host_us": 40}],
                  "answers": [answer("PyTorch 2", [1 + 2.0**-22])]}
        found, page = self.compare(cuda, python)
        self.assertEqual({(r["where"], r["who"]): r["onefold_speed"] for r in found["speeds"]},
                         {("on the device", "onefold"): 1, ("on the device", "CUB, gpu_to_gpu"): 3,
                          ("on the device", "PyTorch 2"): 2, ("a value to the host", "onefold"): 1,
                          ("a value to the host", "Thrust"): 1.5, ("a value to the host", "PyTorch 2"): 4})
        self.assertEqual([(r["who"], r["answers_in_runs"], r["ulps"]) for r in found["answers"]],
                         [("onefold", 1, 0), ("CUB, not_guaranteed", 2, 1), ("PyTorch 2", 1, 2)])
        self.assertIn("| libraries | CUB 3.5, PyTorch 2 |", page)
        self.assertIn("| onefold | 1049 |", page)
        self.assertEqual(len(self.compare(cuda)[0]["speeds"]), 4)


if __name__ == "__main__":
    unittest.main()
