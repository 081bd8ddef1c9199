"""bench/compare_peers.py and bench/peers_page.py: what they compare and what they say of it."""

import argparse
import array
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))
import compare_peers  # noqa: E402
import peers_page  # noqa: E402

PROGRAM = os.environ["ONEFOLD_BENCH_PROGRAM"]


def speed(who, flags, ns, n=1000, ours=100):
    return {"op": "sum", "dtype": "f32", "n": n, "where": "1 thread", "who": who, "flags": flags, "ns": ns,
            "onefold_ns": ours, "onefold_speed": ns / ours}


def answer(who, in_runs, over_threads, ulps):
    return {"op": "sum", "dtype": "f32", "n": 262144, "who": who, "flags": "-O3", "runs": 20, "threads": [1, 2, 3],
            "answers_in_runs": in_runs, "answers_over_threads": over_threads, "ulps": ulps}


CONTEXT = {"cpu": "A CPU", "cores": 2, "compiler": "GNU 12", "commit": "abc", "date": "2026-01-01",
           "versions": ["NumPy 1"], "fast_flags": "-O3 -march=native -ffast-math"}


class Errors(unittest.TestCase):
    def test_ulps(self):
        self.assertEqual(compare_peers.ulps("f32", [1 + 2.0**-23, 1.0], [1.0, 0]), 1)
        self.assertEqual(compare_peers.ulps("f32", [1.0], [1.0, 2.0**-24]), 0.5)
        self.assertEqual(compare_peers.ulps("f64", [3.0 - 2.0**-51], [3.0, 0]), 1)
        self.assertEqual(compare_peers.ulps("f32", [2.0**-149], [0.0, 0]), 1)
        self.assertEqual(compare_peers.ulps("f64", [1.0], [1.0, 1e-20]), 1e-20 / 2.0**-52)


class Page(unittest.TestCase):
    def page(self, speeds=(), answers=()):
        return peers_page.page({"context": CONTEXT, "speeds": list(speeds), "answers": list(answers)})

    def test_who_is_fastest(self):
        text = self.page([speed("onefold", "-O3", 100), speed("slow", "-O3", 400), speed("quick", "-O3", 50),
                          speed("onefold", "-O3", 200, 2000, 200), speed("slow", "-O3", 300, 2000, 200)])
        self.assertIn("| **onefold** | **40** | **40** |", text)
        self.assertIn("| slow | 10 (4.00) | 26.7 (1.50) |", text)
        self.assertIn("| fastest | quick, 2.00 x onefold | onefold, 1.50 x slow |", text)
        self.assertIn("onefold is the faster side of 2 of 3 comparisons; 1.44 times", text)

    def test_shapes_have_tables_of_their_own(self):
        def over(shape, *arguments):
            return {**speed(*arguments), "shape": shape}

        found = {"context": CONTEXT, "speeds": [], "answers": [],
                 "shapes": [over("125x8 axis 1", "onefold", "-O3", 100), over("125x8 axis 1", "slow", "-O3", 400),
                            over("10x100 axis 1", "onefold", "-O3", 100), over("10x100 axis 1", "slow", "-O3", 50)]}
        text = peers_page.page(found)
        self.assertIn("### sum of f32 over an axis, 1 thread", text)
        self.assertIn("| GB/s | 125x8 axis 1 | 10x100 axis 1 |", text)
        self.assertIn("| slow | 10 (4.00) | 80 (0.50) |", text)
        self.assertIn("| fastest | onefold, 4.00 x slow | slow, 2.00 x onefold |", text)
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory) / "peers.json"
            peers_page.write_json(file, found)
            self.assertEqual(json.loads(file.read_text()), found)

    def test_reading_alone_is_no_peer(self):
        text = self.page([speed("onefold", "-O3", 100), speed("reading alone", "-O3", 50), speed("slow", "-O3", 400)])
        self.assertIn("| fastest | onefold, 4.00 x slow |", text)
        self.assertIn("of 1 of 1 comparisons", text)

    def test_answers(self):
        text = self.page(answers=[answer("onefold", 1, 1, 0.25), answer("several", 3, 7, 1234.5)])
        self.assertIn("| **onefold** | 1 to 3 | 1 | 1 | 0.25 |", text)
        self.assertIn("| several | 1 to 3 | 3 | 7 | 1234 |", text)

    def test_one_exact_answer(self):
        self.assertIn("All of them give the exact answer: onefold, other.",
                      self.page(answers=[answer("other", 1, 1, 0), answer("onefold", 1, 1, 0)]))


class Measuring(unittest.TestCase):
    def test_a_small_comparison(self):
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run([sys.executable, "-B", BENCH / "compare_peers.py", "--program", PROGRAM, "--out", directory,
                            "--sizes=65536", "--only=sum/f32", "--rounds=1", "--answer-sizes=65536", "--runs=3",
                            "--most-threads=3"], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            found = json.loads((pathlib.Path(directory) / "peers.json").read_text())
            self.assertEqual((pathlib.Path(directory) / "peers.md").read_text(), peers_page.page(found))
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
            return json.loads((folder / "peers.json").read_text()), (folder / "peers.md").read_text()

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
        self.assertIn("A GPU, CUB 3.5, PyTorch 2, commit abc", page)
        self.assertIn("| **onefold** | **1049** |", page)
        self.assertEqual(len(self.compare(cuda)[0]["speeds"]), 4)


if __name__ == "__main__":
    unittest.main()
