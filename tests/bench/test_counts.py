"""bench/counts.py: what it calls a slow-down."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["ONEFOLD_COUNTS_PROGRAM"]
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "bench" / "counts.py"


def run(figures, *options):
    return subprocess.run([sys.executable, "-B", SCRIPT, "--program", PROGRAM, "--figures", figures, *options],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


class Guard(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.figures = pathlib.Path(directory.name) / "figures.json"
        run(cls.figures, "--record").check_returncode()
        cls.stored = json.loads(cls.figures.read_text())

    def setUp(self):
        self.change()

    def change(self, **fields):
        self.figures.write_text(json.dumps({**self.stored, **fields}))

    def with_first_times(self, factor):
        """The figures with the first reduction's count times the factor."""
        counts = dict(self.stored["instructions"])
        name = next(iter(counts))
        counts[name] = round(counts[name] * factor)
        return {"instructions": counts}

    def slower(self, *options):
        """Which reductions are reported as slower."""
        done = run(self.figures, *options)
        names = {line[:28].strip() for line in done.stdout.splitlines() if line.endswith("SLOWER")}
        self.assertEqual(done.returncode, 1 if names else 0, done.stdout + done.stderr)
        return names

    def test_the_same_program_is_not_slower(self):
        self.assertEqual(self.slower(), set())

    def test_a_planted_slow_down_is_seen_everywhere(self):
        self.assertEqual(self.slower("--planted"), set(self.stored["instructions"]))

    def test_a_planted_slow_down_is_seen_across_compilers(self):
        self.change(compiler="Another 1.0")
        self.assertEqual(self.slower("--planted"), set(self.stored["instructions"]))

    def test_tolerance(self):
        self.change(**self.with_first_times(1 / 1.02))
        self.assertEqual(self.slower(), set())
        self.change(**self.with_first_times(1 / 1.05))
        self.assertEqual(self.slower(), {next(iter(self.stored["instructions"]))})

    def test_another_compiler(self):
        self.change(compiler="Another 1.0", **self.with_first_times(1 / 1.2))
        done = run(self.figures)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("recorded with Another 1.0, this program is built by " + self.stored["compiler"], done.stdout)

    def test_faster_is_said(self):
        self.change(**self.with_first_times(2))
        done = run(self.figures)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stdout.count("faster: record anew"), 1)

    def test_what_is_not_stored_or_not_counted_fails(self):
        counts = dict(self.stored["instructions"])
        del counts[next(iter(counts))]
        counts["of another time"] = 1
        self.change(instructions=counts)
        done = run(self.figures)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.count("RECORD ANEW"), 2)

    def test_another_instruction_set_is_an_error(self):
        self.change(isa="x86-64-v4")
        done = run(self.figures)
        self.assertEqual(done.returncode, 2)
        self.assertIn("instruction set x86-64-v4", done.stderr)


if __name__ == "__main__":
    unittest.main()
