"""bench/cuda/report.py and bench/cuda/peers.py: reductions over shapes beside their peers, of files made by hand."""

import json
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

CUDA = pathlib.Path(__file__).resolve().parents[2] / "bench" / "cuda"
sys.path.insert(0, str(CUDA))
import peers  # noqa: E402

CONTEXT = {"gpu": "A GPU", "cub": 300600, "runtime_cuda": 13000, "commit": "abc", "date": "2026-01-01"}


def row(who, us, shape=None, group="shapes", op="sum", n=1 << 20, element=4):
    found = {"group": group, "op": op, "dtype": "f32", "n": n, "who": who, "us": us, "gb_per_s": n * element / us / 1000}
    return {**found, "shape": shape} if shape else found


def report(rows, python=None, beside=True):
    """What report.py prints, line by line, with python.json beside the results or named."""
    with tempfile.TemporaryDirectory() as directory:
        results = pathlib.Path(directory) / "cuda.json"
        results.write_text(json.dumps({"context": CONTEXT, "rows": rows, "answers": [], "exact": {}}))
        arguments = [results]
        if python is not None:
            file = results.with_name("python.json" if beside else "other.json")
            file.write_text(json.dumps(python))
            arguments += [] if beside else [file]
        done = subprocess.run([sys.executable, "-B", CUDA / "report.py", *arguments], stdout=subprocess.PIPE, text=True,
                              check=True)
        return done.stdout.splitlines()


class Report(unittest.TestCase):
    def test_the_best_of_the_turns_and_of_the_peers(self):
        lines = report([row("ceiling", 8), row("ceiling", 10),
                        row("onefold", 12, "131072x8 axis 1"), row("CUB, fixed size", 30, "131072x8 axis 1"),
                        row("CUB, offsets", 90, "131072x8 axis 1"), row("CUB, offsets", 80, "131072x8 axis 1"),
                        row("CUB, fixed size", 31, "131072x8 axis 1"), row("onefold", 11, "131072x8 axis 1"),
                        row("onefold", 22, "1024x1024 axis 0")])
        self.assertIn("| shapes |  | **onefold** | limit | CUB, fixed size | CUB, offsets | speed |", lines)
        self.assertIn("| sum f32 | 131072x8 axis 1 | 11 | 8 | 30 | 80 | 2.73 |", lines)
        self.assertIn("| sum f32 | 1024x1024 axis 0 | 22 | 8 |  |  |  |", lines)

    def test_the_limit_is_that_of_the_bytes(self):
        lines = report([row("ceiling", 10), row("onefold", 40, "a", n=1 << 19, element=8),
                        row("onefold", 40, "b", n=1 << 19), row("onefold", 40, "c", op="max", n=1 << 21)])
        self.assertIn("| sum f32 | a | 40 | 10 |  |", lines)
        self.assertIn("| sum f32 | b | 40 | 5 |  |", lines)
        self.assertIn("| max f32 | c | 40 | 20 |  |", lines)

    def test_groups_have_tables_of_their_own_and_ours_may_be_missing(self):
        lines = report([row("ceiling", 10, group="segments"), row("CUB, offsets", 20, "8 of 1 to 9", "segments"),
                        row("CUB, by key", 40, "runs of 4", "keys", element=8), row("ceiling", 10, group="keys")])
        self.assertIn("| segments |  | **onefold** | limit | CUB, offsets | speed |", lines)
        self.assertIn("| sum f32 | 8 of 1 to 9 |  | 10 | 20 |  |", lines)
        self.assertIn("| keys |  | **onefold** | limit | CUB, by key | speed |", lines)
        self.assertIn("| sum f32 | runs of 4 |  | 20 | 40 |  |", lines)

    def test_pytorch_is_merged(self):
        rows = [row("ceiling", 10), row("onefold", 20, "1024x1024 axis 0"), row("CUB, offsets", 50, "1024x1024 axis 0")]

        def torch(who, us, **other):
            return {"op": "sum", "dtype": "f32", "n": 1 << 20, "shape": "1024x1024 axis 0", "who": who,
                    "device_us": us, **other}

        python = {"rows": [], "answers": [],
                  "shapes": [torch("PyTorch 2", 30), torch("PyTorch 2, compiled", 25),
                             torch("PyTorch 2", 1, shape="of another run"), torch("PyTorch 2", 1, dtype="f64")]}
        for beside in [True, False]:
            lines = report(rows, python, beside)
            self.assertIn("| shapes |  | **onefold** | limit | CUB, offsets | PyTorch 2 | PyTorch 2, compiled | speed |",
                          lines)
            self.assertIn("| sum f32 | 1024x1024 axis 0 | 20 | 10 | 50 | 30 | 25 | 1.25 |", lines)

    def test_older_results_have_none(self):
        self.assertFalse([line for line in report([row("ceiling", 10)], {"rows": [], "answers": []}) if "onefold" in line])


class Shapes(unittest.TestCase):
    def test_what_pytorch_is_asked_for(self):
        rows = [row("ceiling", 10), row("onefold", 1, "64x32x16 axis 1"), row("CUB, offsets", 1, "64x32x16 axis 1"),
                row("onefold", 1, "8x4 axis 0", op="argmax"), row("onefold", 1, "8x4 axis 0", op="sum, kahan"),
                row("onefold", 1, "12000 of 1 to 131072", "segments"),
                row("onefold", 1, "8x4 axis 1", "rows", op="softmax"), row("onefold", 1, "8x4 axis 1", "rows")]
        self.assertEqual(peers.shapes_in({"rows": rows}), [
            ("shapes", "sum", "f32", (64, 32, 16), 1, "64x32x16 axis 1"),
            ("shapes", "argmax", "f32", (8, 4), 0, "8x4 axis 0"),
            ("rows", "softmax", "f32", (8, 4), 1, "8x4 axis 1")])

    def test_a_shape_that_does_not_compile_is_left_out(self):
        class Tensor:
            def __init__(self, extents=()):
                self.extents = extents

            def element_size(self):
                return 4

            def to(self, _):
                return self

            def __getitem__(self, part):
                return Tensor((part.stop,))

            def view(self, extents):
                return Tensor(extents)

            def clone(self):
                return Tensor(self.extents)

        asked = []

        def refuse(_):
            raise RuntimeError("no compiler")

        torch = types.SimpleNamespace(
            __version__="2", sum=lambda x, dim: asked.append((x.extents, dim)), amax=None, argmax=None,
            from_numpy=lambda _: Tensor(), compile=refuse, compiler=types.SimpleNamespace(reset=lambda: None))
        event = lambda: types.SimpleNamespace(record=lambda: None, synchronize=lambda: None)  # noqa: E731
        found = {"shapes": []}
        kept = peers.numbers
        peers.numbers = lambda kind, n: None
        try:
            peers.measure_shapes(torch, [("shapes", "sum", "f32", (1 << 13, 1 << 13), 1, "a shape")], event,
                                 lambda a, b: 2.0, found)
        finally:
            peers.numbers = kept
        self.assertEqual(set(asked), {((1 << 13, 1 << 13), 1)})
        self.assertEqual(found["shapes"], [{"group": "shapes", "op": "sum", "dtype": "f32", "n": 1 << 26,
                                            "shape": "a shape", "who": "PyTorch 2", "device_us": 500.0}])


if __name__ == "__main__":
    unittest.main()
