"""onefold bench: its rows, its checks, its formats, and what it refuses."""

import csv
import io
import json
import os
import pty
import resource
import select
import signal
import subprocess
import time
import unittest

from support import PROGRAM, ProgramTest

FAKES = os.environ.get("FAKES")
FAST = ("--seconds", "0.001", "--warm")
MODES = ["native", "wide", "kahan", "exact"]


def fake(case):
    """The environment in which backend cuda is a stand-in."""
    return {"ONEFOLD_BACKEND_PATH": os.path.join(FAKES, case)}


def split(text):
    """Rows and reasons of JSON lines."""
    lines = [json.loads(line) for line in text.splitlines()]
    return [x for x in lines if "op" in x], [x for x in lines if "left_out" in x]


class BenchTest(ProgramTest):
    def bench(self, *words, **more):
        """Rows and reasons of a run that must succeed."""
        return split(self.output("bench", *FAST, *words, "--format", "json", **more))

    def wrong(self, code, pieces, *words, **more):
        self.check_error(self.run_program("bench", *words, **more), code, *pieces)


class Rows(BenchTest):
    def test_every_combination(self):
        rows, _ = self.bench("--op", "sum,max", "--dtype", "f32,i64", "--n", "100,1000", "--accuracy", "native,wide",
                             "--backend", "sequential,openmp", "--threads", "1..2")
        backends = [("sequential", 1)] + ([("openmp", 1)] * 2 if "openmp" in self.available_backends() else [])
        self.assertEqual([(r["op"], r["dtype"], r["n"], r["accuracy"], r["backend"], r["threads"]) for r in rows],
                         [(op, dtype, n, mode, *b) for dtype in ("f32", "i64") for n in (100, 1000)
                          for op in ("sum", "max") for mode in ("native", "wide") for b in backends])
        self.assertEqual({r["data"] for r in rows if r["dtype"] == "i64"}, {"integers"})
        self.assertEqual({r["data"] for r in rows if r["dtype"] == "f32"}, {"uniform"})

    def test_every_backend_and_its_reason(self):
        rows, reasons = self.bench("--n", "1e5", "--backend", "all")
        self.assertEqual(sorted(r["backend"] for r in rows), sorted(self.available_backends()))
        for b in json.loads(self.output("backends", "--format", "json"))["backends"]:
            if not b["available"]:
                self.assertEqual([r["why"] for r in reasons if r["left_out"] == b["backend"]], [b["detail"]])

    def test_bits_are_those_of_reduce(self):
        values = self.file("a.bin", bytes(4 * 5000))
        zero = self.reduced("sum", values, "--dtype", "f32")["bits"]
        for r in self.bench("--data", "uniform,cancelling", "--n", 5000, "--accuracy", "exact")[0]:
            self.assertTrue(r["same_bits"])
            self.assertEqual(r["bits"] == zero, r["data"] == "cancelling")

    def test_all_operations_types_and_modes(self):
        rows, reasons = self.bench("--op", "all", "--dtype", "all", "--accuracy", "all", "--n", "64,65", "--backend", "seq")
        for o in json.loads(self.output("operations", "--format", "json")):
            seen = {r["dtype"] for r in rows if r["op"] == o["op"] and r["accuracy"] == "native"}
            self.assertEqual(seen, set(o["dtypes"]), o["op"])
        self.assertTrue(all(r["same_bits"] for r in rows))
        self.assertIn("product of f32, exact", [r["left_out"] for r in reasons])
        self.assertEqual(len(reasons), len({r["left_out"] for r in reasons}))

    def test_numbers_fit_together(self):
        for r in self.bench("--n", "1e5..1e7:10", "--accuracy", "native,kahan")[0]:
            self.assertLessEqual(r["minimum"], r["lower_quartile"])
            self.assertLessEqual(r["lower_quartile"], r["seconds"])
            self.assertLessEqual(r["seconds"], r["upper_quartile"])
            self.assertLessEqual(r["upper_quartile"], r["maximum"])
            self.assertGreaterEqual(r["samples"], 5)
            self.assertAlmostEqual(r["gb_per_s"] * r["seconds"] / (r["n"] * 4 / 1e9), 1)
            self.assertAlmostEqual(r["spread"] * r["seconds"], r["upper_quartile"] - r["lower_quartile"])
            self.assertAlmostEqual(r["share_of_limit"] * r["limit_gb_per_s"] / r["gb_per_s"], 1)
            if r["backend"] == "sequential":
                self.assertEqual(r["speedup"], 1)
            self.assertIsNone(r["device_seconds"])

    def test_one_limit_for_an_array(self):
        rows, _ = self.bench("--n", "1e6", "--op", "sum,max", "--backend", "seq")
        self.assertEqual(len({r["limit_gb_per_s"] for r in rows}), 1)

    def test_base(self):
        backends = self.available_backends()
        for base in backends:
            rows, _ = self.bench("--n", 1000, "--backend", "sequential", "--base", base)
            self.assertEqual([r["backend"] for r in rows], list(dict.fromkeys([base, "sequential"])))
            self.assertEqual((rows[0]["base"], rows[0]["speedup"]), (base, 1))
            self.assertAlmostEqual(rows[-1]["speedup"], rows[0]["seconds"] / rows[-1]["seconds"])

    def test_automatic_says_who_ran(self):
        [row, *_] = [r for r in self.bench("--n", 10, "--backend", "automatic")[0] if r["backend"] == "automatic"]
        self.assertEqual(row["ran"], "sequential")

    def test_plain_run_is_short(self):
        start = time.monotonic()
        text = self.output("bench")
        self.assertLess(time.monotonic() - start, 60)
        for piece in ("op sum", "2^26", "sequential", "speed-up", "of limit", "same"):
            self.assertIn(piece, text)
        self.assertNotIn("WRONG", text)


@unittest.skipUnless(FAKES, "this program cannot load modules")
class OnAnAccelerator(BenchTest):
    def test_locations_and_device_time(self):
        rows, reasons = self.bench("--n", 5000, "--backend", "cuda", "--location", "all", environment=fake("good"))
        self.assertEqual([(r["backend"], r["location"]) for r in rows],
                         [("sequential", "host")] + [("cuda", where) for where in ("host", "pinned", "device")])
        self.assertEqual([r["device_seconds"] for r in rows], [None, None, None, 0.25e-3])
        self.assertEqual([r["device_upper_quartile"] for r in rows], [None, None, None, 0.25e-3])
        self.assertEqual([r["occupancy"] for r in rows], [None, None, None, 0.75])
        self.assertTrue(all(r["same_bits"] for r in rows))
        self.assertEqual(sorted(r["left_out"] for r in reasons),
                         [f"{where} data on other backends than cuda" for where in ("device", "pinned")])
        text = self.output("bench", *FAST, "--n", 5000, "--backend", "cuda", "--location", "device",
                           environment=fake("good"))
        self.assertIn("device time", text)
        self.assertIn("250.0 us", text)
        self.assertIn("75 %", text)

    def test_no_device_time_where_no_stream_can_have_it(self):
        rows, _ = self.bench("--n", 5000, "--backend", "cuda", "--location", "device", "--accuracy", "exact", "--dtype",
                             "i64", environment=fake("good"))
        self.assertEqual([(r["backend"], r["device_seconds"]) for r in rows], [("sequential", None), ("cuda", None)])

    def test_what_is_declined_is_named_once(self):
        rows, reasons = self.bench("--n", "5000,6000", "--backend", "cuda", "--kernel", "canonical,shuffle,unrolled",
                                   environment=fake("choosy"))
        self.assertEqual([(r["n"], r["backend"]) for r in rows],
                         [(n, backend) for n in (5000, 6000) for backend in ("sequential", "cuda")])
        self.assertEqual([(r["left_out"], r["why"]) for r in reasons],
                         [("sum of f32 on cuda, native", "the stand-in has no such kernel")])

    def test_kernels_have_their_own_order(self):
        rows, _ = self.bench("--n", 5000, "--backend", "cuda", "--kernel", "all", environment=fake("good"))
        seen = {r["kernel"]: r["same_bits"] for r in rows if r["backend"] == "cuda"}
        self.assertEqual(seen.pop("canonical"), True)
        self.assertEqual(len(seen), 7)
        self.assertEqual(set(seen.values()), {None})
        self.assertIn("own order", self.output("bench", *FAST, "--n", 100, "--backend", "cuda", "--kernel", "shuffle",
                                               environment=fake("good")))

    def test_wrong_bits(self):
        words = ("bench", *FAST, "--n", "5000,6000", "--backend", "cuda")
        done = self.run_program(*words, "--format", "json", environment=fake("wrong"))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"^onefold: 2 of 4 rows have other bits .*\n$")
        self.assertEqual([(r["backend"], r["same_bits"]) for r in split(done.stdout.decode())[0]],
                         [("sequential", True), ("cuda", False)] * 2)
        done = self.run_program(*words, environment=fake("wrong"))
        self.assertEqual((done.returncode, done.stdout.decode().count("WRONG")), (1, 2))

    def test_failed_rows(self):
        done = self.run_program("bench", *FAST, "--n", 5000, "--backend", "cuda", environment=fake("broken"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("the stand-in is broken", done.stderr.decode())
        self.assertIn("sequential", done.stdout.decode())


class Formats(BenchTest):
    WORDS = ("bench", *FAST, "--n", "1000", "--op", "sum,product", "--accuracy", "native,kahan", "--backend", "seq")

    def test_text(self):
        text = self.output(*self.WORDS)
        for piece in ("n 1000", "type f32", "the same array each time", "left out: product of f32, kahan: "):
            self.assertIn(piece, text)

    def test_csv(self):
        rows, reasons = split(self.output(*self.WORDS, "--format", "json"))
        lines = list(csv.DictReader(io.StringIO(self.output(*self.WORDS, "--format", "csv"))))
        self.assertEqual(len(lines), len(rows) + len(reasons))
        for line, row in zip(lines, rows):
            self.assertEqual(set(line), set(row) | {"left_out", "why"})
            for name in ("op", "dtype", "n", "accuracy", "backend", "threads", "bits"):
                self.assertEqual(line[name], str(row[name]))
            self.assertEqual((line["same_bits"], line["device_seconds"], line["why"]), ("true", "", ""))
        self.assertEqual([(x["left_out"], x["why"]) for x in lines[len(rows):]],
                         [(x["left_out"], x["why"]) for x in reasons])
        for line in lines[len(rows):]:
            self.assertEqual({v for k, v in line.items() if k not in ("left_out", "why")}, {""})

    def test_cold_and_warm(self):
        words = ("bench", "--seconds", "0.001", "--n", "1000", "--backend", "seq")
        self.assertIn("arrays beyond the caches", self.output(*words))
        self.assertFalse(json.loads(self.output(*words, "--format", "json"))["warm"])
        self.assertTrue(json.loads(self.output(*words, "--warm", "--format", "json"))["warm"])


class Interrupts(BenchTest):
    WORDS = (PROGRAM, "bench", "--op", "all", "--dtype", "all", "--n", "1000", "--seconds", "0.1", "--backend", "seq")

    def test_control_c_keeps_the_rows(self):
        with subprocess.Popen([*self.WORDS, "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            time.sleep(3)
            run.send_signal(signal.SIGINT)
            out, errors = run.communicate(timeout=20)
        rows, _ = split(out.decode())
        self.assertEqual(run.returncode, 130)
        self.assertEqual(errors.decode(), f"onefold: interrupted after {len(rows)} rows\n")
        self.assertTrue(0 < len(rows) < 200)
        self.assertTrue(all(r["same_bits"] for r in rows))

    def test_control_c_that_was_set_aside(self):
        ignored = lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
        words = [PROGRAM, "bench", "--n", "1000", "--backend", "sequential", "--seconds", "2"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=ignored) as run:
            time.sleep(1)
            run.send_signal(signal.SIGINT)
            _, errors = run.communicate(timeout=20)
        self.assertEqual((run.returncode, errors), (0, b""))

    def test_progress(self):
        terminal, other = pty.openpty()
        with subprocess.Popen(self.WORDS, stdout=subprocess.PIPE, stderr=other) as run:
            os.close(other)
            shown = b""
            while b"left" not in shown and select.select([terminal], [], [], 20)[0]:
                shown += os.read(terminal, 4096)
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=20)
        os.close(terminal)
        self.assertRegex(shown.decode(), r"onefold: row \d+ of \d+, \w+ of 1000 \w+ on sequential, about \d+ s left")


class WrongUsage(BenchTest):
    def test_names(self):
        for option, word, near in (("--op", "summ", "sum"), ("--dtype", "f46", "f"), ("--backend", "tbbb", "tbb"),
                                   ("--accuracy", "wid", "wide"), ("--kernel", "shufle", "shuffle"),
                                   ("--location", "devise", "device"), ("--data", "unifrom", "uniform"),
                                   ("--base", "sequentail", "sequential"), ("--format", "cvs", "csv")):
            self.wrong(2, ["" if option == "--op" else option, f'"{word}"', "nearest is " + near], option, word)
        for option in ("--op", "--dtype", "--backend", "--accuracy", "--kernel", "--location", "--data"):
            self.wrong(2, ['""'], option, {"--op": "sum,", "--dtype": "f32,", "--backend": "seq,", "--data": "normal,",
                                           "--accuracy": "wide,", "--kernel": "shuffle,", "--location": "host,"}[option])
        self.wrong(2, ['"--thread"', "nearest is --threads"], "--thread=1")
        self.wrong(2, ["bench", '"x"'], "x")

    def test_values(self):
        for word in ("x", "", "1.5", "-1", "0", "10..1", "2^", "1e300"):
            self.wrong(2, ["--n"], "--n=" + word)
        for word in ("x", "0", "-1", "1.5", "1025", "4..2"):
            self.wrong(2, ["--threads"], "--threads=" + word)
        for word in ("x", "-1", "1,2", "1e9", "nan"):
            self.wrong(2, ["--seconds"], "--seconds=" + word)
        self.wrong(2, ["--seed"], "--seed=x")

    def test_arrays_beyond_memory(self):
        self.wrong(1, ["--n", "memory", "2^"], "--n", "2^50")
        self.wrong(1, ["--n", "memory", "2^"], "--n", "1000,2^53", "--dtype", "f64")

    def test_nothing_to_measure(self):
        self.wrong(2, ["product", "kahan"], "--op", "product", "--accuracy", "kahan")
        self.wrong(2, ["bit_and of f32", "integer"], "--op", "bit_and")
        self.wrong(2, ["uniform", "i32"], "--data", "uniform", "--dtype", "i32")

    def test_forced_means_forced(self):
        environment = {"ONEFOLD_BACKEND_PATH": self.directory}
        self.file("libonefold_cuda.so", "no library")
        missing = [b for b in json.loads(self.output("backends", "--format", "json", environment=environment))["backends"]
                   if not b["available"]]
        for b in missing:
            for words in (["--backend", b["backend"]], ["--backend", "seq," + b["backend"]], ["--base", b["backend"]]):
                self.wrong(4, [b["backend"], b["detail"], "nearest"], *FAST, "--n", 10, *words, environment=environment)
        if FAKES:
            self.assertIn("cuda", [b["backend"] for b in missing])

    @unittest.skipUnless(os.geteuid() == 0, "only root can become a user without threads")
    def test_threads_that_do_not_start(self):
        if "tbb" not in self.available_backends():
            self.skipTest("oneTBB is what goes on with fewer threads")
        def without_threads():
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
            os.setgid(65534)
            os.setuid(65534)
        try:
            done = self.run_program("bench", *FAST, "--n", 2**20, "--backend", "tbb", "--threads", 2,
                                    "--format", "json", preexec_fn=without_threads)
        except (PermissionError, subprocess.SubprocessError):
            self.skipTest("another user cannot reach the program")
        if done.returncode == 127 or b"error while loading" in done.stderr:
            self.skipTest("another user cannot reach the program's libraries")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        for row in split(done.stdout.decode())[0]:
            if row["threads"] > 1:
                self.assertIsNone(row["share_of_limit"])

    def test_full_output(self):
        if os.path.exists("/dev/full"):
            with open("/dev/full", "wb") as full:
                self.check_error(self.run_program("bench", *FAST, "--n", 10, stdout=full), 1, "standard output")


if __name__ == "__main__":
    unittest.main()
