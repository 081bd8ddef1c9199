"""A mapped file that becomes shorter while it is reduced: one line and exit code 3, never a crash or a number."""

import os
import signal
import subprocess
import time
import unittest

from support import PROGRAM, ProgramTest


@unittest.skipUnless(os.path.isdir("/proc/self"), "the moment of mapping is seen in /proc only")
class Shortened(ProgramTest):
    def shorten(self, size, left, *words):
        """Stops the program as soon as it has mapped a file of zeros, shortens the file, and lets it go on."""
        path = self.file("map.bin", b"")
        os.truncate(path, size)
        program = subprocess.Popen([PROGRAM, "reduce", "max", path, "--dtype", "u8", *words], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        try:
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline and program.poll() is None:
                with open(f"/proc/{program.pid}/maps", encoding="utf-8") as maps:
                    if path in maps.read():
                        break
            program.send_signal(signal.SIGSTOP)
            os.truncate(path, left)
            program.send_signal(signal.SIGCONT)
            out, err = program.communicate(timeout=self.limit)
        finally:
            program.kill()
            program.wait()
        return subprocess.CompletedProcess(program.args, program.returncode, out, err)

    def test_by_pages(self):
        for backend in self.available_backends():
            with self.subTest(backend=backend):
                done = self.shorten(1 << 36, 1 << 20, "--backend", backend)
                self.check_error(done, 3, "map.bin", "byte offset", "expected 68719476736 bytes",
                                 "shorter while it was read")

    def test_within_the_last_page(self):
        # The rest of the page reads as zeros, without a signal.
        size = (256 << 20) + 4000
        for _ in range(5):
            done = self.shorten(size, size - 100, "--threads", "1")
            if done.returncode != 0:
                break
        self.check_error(done, 3, "map.bin", f"byte offset {size - 100}", "shorter while it was read")

    def test_text(self):
        done = self.shorten(1 << 36, 1 << 20, "--input", "text")
        self.check_error(done, 3, "map.bin")


if __name__ == "__main__":
    unittest.main()
