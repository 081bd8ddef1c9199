"""Out of memory for good: one line and exit code 1, wherever in the program it happens."""

import os
import resource
import signal
import subprocess
import unittest

from support import COUNTED, PROGRAM, SANITIZED, ProgramTest

NO_MEMORY = os.environ.get("NO_MEMORY")  # a library: after so many calls malloc fails for good
LLVM_OPENMP = "LLVM_OPENMP" in os.environ  # whether OpenMP's runtime is LLVM's
COMMANDS = (["reduce", "sum"], ["scan", "sum"], ["rows", "softmax"], ["summary"], ["quantile"], ["statistic"], ["histogram"], ["sum", "--explain", "--format", "json"],
            ["reduce", "summ"], ["sum", "nosuch.npy"], ["reduce", "sum", "--backend", "sequential"], ["--help"], ["help", "sum"], ["backends"], ["operations"],
            ["completion", "bash"], ["manual"], ["--version"], ["accuracy", "--backend", "sequential", "--format", "csv"],
            ["accuracy", "--data", "conditioned", "--n", "100", "--backend", "sequential"],
            ["bench", "--n", "8", "--seconds", "0", "--backend", "sequential"],
            ["report", "--compare", "nosuch.json", "nosuch.json"])
#: What glibc's loader says, which ends a program with code 127.
LOADER = ("error while loading shared libraries", "out of memory\n", "cannot allocate memory for thread-local data: ABORT\n")
GOOD = {"summ": 2, "nosuch.npy": 3, "nosuch.json": 3}  # how a run with memory ends, where not by 0


class OutOfMemory(ProgramTest):
    def run_with(self, words, environment=None, **more):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("ONEFOLD_")}
        clean.update({"ONEFOLD_PROFILE": "none", **(environment or {})})
        done = subprocess.run([PROGRAM, *words], input=b"1 2 3", env=clean, timeout=60, check=False,
                              capture_output=True, **more)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")

    def ended_well(self, words, code, out, errors):
        """Whether the run had enough memory; one that had not must say so. A backend that cannot be loaded or started
        for lack of memory is one that is unavailable."""
        good = GOOD.get(words[-1], 0)
        what = (words, code, out[-200:], errors)
        self.assertNotEqual(code, -signal.SIGABRT, what)
        if code == good and (code == 0) == (errors == ""):
            return True
        if code == 127 and any(words in errors for words in LOADER):
            return False  # the loader ends a program itself: before its beginning, or where a module's variables have no room
        if code == 1 and errors.lstrip().startswith("libgomp: Out of memory"):
            return False  # where OpenMP's runtime is linked in: it ends a program itself, by one line and this code
        if LLVM_OPENMP and code == -signal.SIGSEGV and errors in ("", "onefold: not enough memory\n"):
            return False  # that runtime, at its first use or its end, reports a failed allocation by allocating
        self.assertIn(code, (1, 4), what)
        self.assertTrue(errors.startswith("onefold: "), what)
        self.assertEqual(errors.count("\n"), 1, what)
        return False

    @unittest.skipUnless(NO_MEMORY, "malloc cannot be replaced in this build")
    @unittest.skipIf(COUNTED, "gcov's own code does not bear a malloc that fails")
    def test_every_allocation_may_be_the_last(self):
        for words in COMMANDS:
            count, short, most = 0, 0, 100_000
            while count < most:
                code, out, errors = self.run_with(words, {"LD_PRELOAD": NO_MEMORY,
                                                          "ONEFOLD_TEST_ALLOCATIONS": str(count)})
                if self.ended_well(words, code, out, errors):
                    break
                short += 1
                count += 1 + count // 16  # the first ones each, then fewer
            self.assertLess(count, most, words)
            self.assertGreater(short, 10, words)

    @unittest.skipIf(SANITIZED, "a sanitizer needs more addresses than there are")
    def test_limits_of_the_address_space(self):
        def limited(kilobytes):
            size = kilobytes << 10
            return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))
        # With fewer addresses than its file has bytes the system ends a program before it begins.
        first = max(14 << 10, os.path.getsize(PROGRAM) >> 10)
        for words in COMMANDS:
            started = 0
            for kilobytes in [*range(first, first + (6 << 10), 128), *range(first + (6 << 10), 96 << 10, 1500)]:
                code, out, errors = self.run_with(words, preexec_fn=limited(kilobytes))
                started += code != 127
                self.ended_well(words, code, out, errors)
            if started == 0:
                self.skipTest("the program does not start in 96 MiB of addresses")


if __name__ == "__main__":
    unittest.main()
