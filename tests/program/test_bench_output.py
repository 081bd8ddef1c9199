"""onefold bench: its formats, interrupts and progress, and what it refuses."""

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

from bench_support import FAKES, FAST, BenchTest, split
from support import COUNTED, PROGRAM


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
            out, errors = run.communicate(timeout=self.limit)
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
            _, errors = run.communicate(timeout=self.limit)
        self.assertEqual((run.returncode, errors), (0, b""))

    def test_progress(self):
        terminal, other = pty.openpty()
        with subprocess.Popen(self.WORDS, stdout=subprocess.PIPE, stderr=other) as run:
            os.close(other)
            shown = b""
            while b"left" not in shown and select.select([terminal], [], [], 20)[0]:
                shown += os.read(terminal, 4096)
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=self.limit)
        os.close(terminal)
        self.assertRegex(shown.decode(), r"onefold: row \d+ of \d+, \w+ of 1000 \w+ on sequential, about \d+ s left")


class WrongUsage(BenchTest):
    def test_names(self):
        for option, word, near in (("--op", "summ", "sum"), ("--dtype", "f46", "f"), ("--backend", "tbbb", "tbb"),
                                   ("--accuracy", "wid", "wide"), ("--kernel", "shufle", "shuffle"),
                                   ("--location", "devise", "device"), ("--data", "unifrom", "uniform"),
                                   ("--base", "sequentail", "sequential"), ("--format", "cvs", "csv")):
            self.wrong(2, ["" if option == "--op" else option, f'"{word}"', "did you mean " + near], option, word)
        for option in ("--op", "--dtype", "--backend", "--accuracy", "--kernel", "--location", "--data"):
            self.wrong(2, ['""'], option, {"--op": "sum,", "--dtype": "f32,", "--backend": "seq,", "--data": "normal,",
                                           "--accuracy": "wide,", "--kernel": "shuffle,", "--location": "host,"}[option])
        self.wrong(2, ['"--thread"', "did you mean --threads"], "--thread=1")
        self.wrong(3, ["nosuch", "No such file"], "nosuch")

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
    @unittest.skipIf(COUNTED, "another user cannot write the counts")
    def test_threads_that_do_not_start(self):
        if "tbb" not in self.available_backends():
            self.skipTest("oneTBB is what goes on with fewer threads")
        def without_threads():
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
            os.setgid(65534)
            os.setuid(65534)
        try:
            done = self.run_program("bench", *FAST, "--n", 2**20, "--backend", "tbb", "--threads", 2,
                                    "--format", "json", preexec_fn=without_threads,
                                    environment={"LSAN_OPTIONS": "detect_leaks=0"})  # it would start a thread
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
