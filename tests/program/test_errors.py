"""Files that cannot be read, and data that an operation has no answer for."""

import os
import resource
import shutil
import subprocess
import unittest

from support import PROGRAM, ProgramTest, bits, npy


class One(ProgramTest):
    """Of one thing a message speaks in the singular."""

    def test_messages(self):
        one, two = npy("u8", [1]), npy("u8", [1, 2])
        for whole, byte, element in ((one, "1 byte of elements", "1 element"), (two, "2 bytes of elements", "2 elements")):
            self.refused(3, [f"expected {byte} ("], "sum", self.file("a.npy", whole[:-1]))
            self.refused(3, [f"expected the end after {element}, found more bytes"], "sum",
                         self.file("a.npy", whole + b"0"))
            path = self.file("a.npy", whole)
            self.assertIn(f"a.npy: npy, {element}, mapped\n", self.output("sum", path, "--explain"))
        done = self.run_program("accuracy", "--data", "conditioned", "--n", 1, "--cond", 10)
        self.check_error(done, 2, "--data conditioned, 1 element of f32")


class Unreadable(ProgramTest):
    def test_missing(self):
        self.refused(3, ["nosuch.npy: ", "No such file"], "sum", "nosuch.npy", cwd=self.directory)
        self.refused(3, ['"": cannot be opened: the file\'s name is empty'], "sum", "")
        self.refused(3, ['"": cannot be opened'], "sum", self.file("a.txt", "1"), "")

    def test_directory(self):
        self.refused(3, [self.directory, "expected a file, found a directory"], "sum", self.directory)
        descriptor = os.open(self.directory, os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        self.refused(3, ["standard input", "directory"], "sum", stdin=descriptor)

    def test_no_permission(self):
        path = self.file("secret.txt", "1")
        os.chmod(path, 0)
        os.chmod(self.directory, 0o755)
        more = {}
        if os.geteuid() == 0:
            nobody = 65534
            if not self.can_start(nobody):
                self.skipTest("root reads everything, and another user cannot reach the program")
            more["user"] = nobody
        self.refused(3, ["secret.txt", "Permission denied"], "sum", path, **more)

    @staticmethod
    def can_start(user):
        try:
            done = subprocess.run([PROGRAM, "--version"], user=user, capture_output=True, check=False)
            return done.returncode == 0 and not done.stderr  # an instrumented program complains of files of its own
        except PermissionError:
            return False

    def test_too_long_a_name(self):
        self.refused(3, ["File name too long"], "sum", "x" * 5000)

    def test_closed_standard_input(self):
        done = subprocess.run(["sh", "-c", '"$0" reduce sum <&-', PROGRAM], capture_output=True, check=False,
                              timeout=self.limit)
        self.check_error(done, 3, "standard input", "cannot be read")

    @unittest.skipUnless(os.path.exists("/dev/stdin"), "there is no /dev/stdin")
    def test_closed_standard_input_by_its_name(self):
        for name in ("/dev/stdin", "/proc/self/fd/0"):
            done = subprocess.run(["sh", "-c", '"$0" reduce sum "$1" <&-', PROGRAM, name], capture_output=True,
                                  check=False, timeout=self.limit)
            self.check_error(done, 3, name, "cannot be opened")

    @unittest.skipUnless(os.path.exists("/proc/version"), "there is no /proc")
    def test_files_of_the_system(self):
        # Their size is said to be 0.
        self.refused(3, ["/proc/version: line 1, character 1"], "sum", "/proc/version")
        self.assertEqual(self.reduced("count", "/proc/uptime")["n"], 2)

    @unittest.skipUnless(os.path.exists("/dev/null"), "there is no /dev/null")
    def test_devices(self):
        self.assertEqual(self.reduced("sum", "/dev/null")["n"], 0)
        need_limited_memory(self)
        self.refused(3, ["/dev/zero", "white space"], "sum", "/dev/zero", preexec_fn=limit_memory)


class Empty(ProgramTest):
    def test_empty_files(self):
        for name, words, kind in (("e.txt", [], "text"), ("e.bin", ["--dtype", "f32"], "raw"), ("e", [], "text")):
            path = self.file(name, "")
            r = self.reduced("sum", path, "--explain", *words)
            zero = bits(r["dtype"], 0.0)
            self.assertEqual((r["n"], r["bits"], r["inputs"][0]["format"]), (0, zero, kind))
            self.refused(3, [name, "min", "empty"], "min", path, *words)
        self.refused(3, ["e.npy: byte offset 0", "found the end"], "sum", self.file("e.npy", ""))

    def test_operations_on_nothing(self):
        path = self.file("e.npy", npy("f64", []))
        for op, value in (("sum", 0), ("product", 1), ("all", True), ("any", False), ("count", 0)):
            self.assertEqual(self.reduced(op, path)["value"], value)
        for op in ("min", "max", "fmin", "fmax", "argmin", "argmax", "minmax", "mean", "variance"):
            self.refused(3, ["e.npy", op], op, path)


def limit_memory():
    """Endless input must end in a message and not in the machine's memory."""
    resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))


def need_limited_memory(test):
    """A program with a sanitizer reserves terabytes of addresses and does not start within the limit."""
    done = subprocess.run([PROGRAM, "--version"], preexec_fn=limit_memory, capture_output=True, check=False)
    if done.returncode != 0:
        test.skipTest("the program does not start in 2 GiB of addresses")


class Endless(ProgramTest):
    @unittest.skipUnless(os.path.exists("/dev/zero") and shutil.which("sh"), "there is no /dev/zero")
    def test_endless_streams(self):
        need_limited_memory(self)
        # A reduction alone would fold it for ever, in pieces.
        done = self.run_program("quantile", "--dtype", "f32", "--input", "raw", "/dev/zero", preexec_fn=limit_memory)
        self.check_error(done, 1, "/dev/zero", "memory")

    @unittest.skipUnless(os.path.exists("/proc/meminfo"), "there is no /proc/meminfo")
    def test_more_than_is_free(self):
        # More than is free, less than the machine has, where other programs leave that much: told before it is taken.
        with open("/proc/meminfo", encoding="ascii") as file:
            free = int(next(line for line in file if line.startswith("MemAvailable")).split()[1]) << 10
        words = ("--data", "uniform", "--dtype", "f64", "--n", free // 8, "--accuracy", "native")
        done = self.run_program("accuracy", *words)
        self.check_error(done, 1, "--data uniform", f"{free // 8} elements of f64", "free")


if __name__ == "__main__":
    unittest.main()
