"""A file that becomes shorter while it is reduced: one line and exit code 3, never a crash or a number."""

import os
import signal
import subprocess
import time
import unittest

from support import PROGRAM, ProgramTest


def has_mapped(pid, path):
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
        return path in maps.read()


def has_read(pid, _):
    with open(f"/proc/{pid}/io", encoding="utf-8") as counters:
        return int(counters.readline().split()[1]) > 64 << 20


@unittest.skipUnless(os.path.isdir("/proc/self"), "the moment of mapping is seen in /proc only")
class Shortened(ProgramTest):
    def shorten(self, size, left, *words, begun=has_mapped):
        """Stops the program as soon as it has begun with a file of zeros, shortens the file, and lets it go on."""
        path = self.file("map.bin", bytes(size if size < 1 << 30 else 0))  # that many are in memory, and mapped
        os.truncate(path, size)
        program = subprocess.Popen([PROGRAM, "reduce", "max", path, "--dtype", "u8", *words], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        try:
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline and program.poll() is None:
                if begun(program.pid, path):
                    break
            program.send_signal(signal.SIGSTOP)
            os.truncate(path, left)
            program.send_signal(signal.SIGCONT)
            out, err = program.communicate(timeout=self.limit)
        finally:
            program.kill()
            program.wait()
        return subprocess.CompletedProcess(program.args, program.returncode, out, err)

    def shorten_mapped(self, size, left, *words):
        """The same of a file in memory, until it is shortened in time; returns the line."""
        for _ in range(10):
            done = self.shorten(size, left, *words)
            if done.returncode != 0:
                break
        self.check_error(done, 3, "map.bin", "byte offset", f"expected {size} bytes", "shorter while it was read")
        return done.stderr.decode()

    def test_by_pages(self):
        for backend in self.available_backends():
            with self.subTest(backend=backend):
                self.shorten_mapped(256 << 20, 1 << 20, "--backend", backend)

    def test_within_the_last_page(self):
        # The rest of the page reads as zeros, without a signal.
        size = (256 << 20) + 4000
        self.assertIn(f"byte offset {size - 100}:", self.shorten_mapped(size, size - 100, "--threads", "1"))

    def test_in_pieces(self):
        for words in ([], ["--threads", "1"]):
            done = self.shorten(1 << 36, 1 << 20, *words, begun=has_read)
            self.check_error(done, 3, "map.bin", "byte offset 1048576", "expected 68719476736 bytes",
                             "shorter while it was read")

    def test_text(self):
        done = self.shorten(1 << 36, 1 << 20, "--input", "text", begun=has_read)
        self.check_error(done, 3, "map.bin")


if __name__ == "__main__":
    unittest.main()
