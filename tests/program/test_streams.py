"""Streams: pipes, named pipes, slow writers, and the progress line on a terminal."""

import os
import pty
import random
import re
import subprocess
import threading
import time
import unittest
import zipfile

from support import PROGRAM, ProgramTest, npy, packed


class Streams(ProgramTest):
    def feed(self, path, content):
        """Writes to a named pipe as soon as somebody reads it."""
        def write():
            with open(path, "wb") as pipe:
                pipe.write(content)
        thread = threading.Thread(target=write)
        thread.start()
        self.addCleanup(thread.join)

    def test_named_pipes(self):
        pipes = [os.path.join(self.directory, name) for name in ("a.npy", "b")]
        for path in pipes:
            os.mkfifo(path)
        self.feed(pipes[0], npy("f64", [1.5, 2.0]))
        self.feed(pipes[1], b"3 4")
        self.assertEqual(self.reduced("sum", *pipes)["value"], 10.5)

    def test_dev_stdin(self):
        path = self.file("a.txt", "1 2 3")
        with open(path, "rb") as file:
            self.assertEqual(self.reduced("sum", "/dev/stdin", stdin=file)["value"], 6)
        self.assertEqual(self.reduced("sum", "/dev/stdin", given="4 5")["value"], 9)

    def test_same_bits_as_a_file(self):
        values = [r.gauss(0, 1) for r in [random.Random(12)] for _ in range(70001)]
        for content, words in ((npy("f64", values), []), (packed("f64", values), ["--dtype", "f64"]),
                               ("\n".join(map(repr, values)).encode(), [])):
            path = self.file("a.dat" if content[:1] in b"-0123456789" and not words else "a", content)
            results = {self.reduced("sum", path, *words)["bits"], self.reduced("sum", *words, given=content)["bits"]}
            self.assertEqual(len(results), 1)

    def test_slow_writer(self):
        # Words arrive in halves.
        for pieces, words, expected in (([b"1", b"2 3", b"4\n#", b" 9\n5"], [], "51\n"),
                                        ([b"1,2", b"0\n3,", b"40"], ["--column", "2"], "60\n")):
            program = subprocess.Popen([PROGRAM, "reduce", "sum", *words], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE)
            for piece in pieces:
                program.stdin.write(piece)
                program.stdin.flush()
                time.sleep(0.05)
            self.assertEqual(program.communicate(timeout=self.limit)[0].decode(), expected)

    def run_slowly(self, terminal, *files):
        """A run of three seconds; returns what it wrote to standard error."""
        ours, theirs = pty.openpty() if terminal else os.pipe()
        program = subprocess.Popen([PROGRAM, "reduce", "sum", *files], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=theirs)
        os.close(theirs)
        program.stdin.write(b"1 ")
        program.stdin.flush()
        time.sleep(3)
        self.assertEqual(program.communicate(b"2")[0], b"3\n")
        written = b""
        try:
            while chunk := os.read(ours, 4096):
                written += chunk
        except OSError:
            pass  # a terminal whose other side is closed
        os.close(ours)
        return written.decode()

    def totals(self, *files):
        """The megabytes that the progress line expects, at any time."""
        return set(re.findall(r" of ([0-9.]+) MB,", self.run_slowly(True, *files)))

    def test_progress_on_a_terminal_only(self):
        shown = self.run_slowly(True)
        self.assertIn("onefold: reading", shown)
        self.assertTrue(shown.endswith("\r\x1b[K"), shown)
        self.assertEqual(self.run_slowly(False), "")

    def test_progress_expects_all_files(self):
        files = [self.file(f"{n}.txt", b"0 " * (n * 50_000)) for n in (3, 5, 7)]
        # While standard input is waited for, the third file is not open.
        self.assertEqual(self.totals(*files[:2], "-", files[2]), {"1.5"})
        archive = self.file("a.zip", b"")
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.write(files[2], "x.txt")
        self.assertEqual(self.totals(archive, "-", files[1]), {"1.2"})


if __name__ == "__main__":
    unittest.main()
