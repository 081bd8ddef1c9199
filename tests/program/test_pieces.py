"""Reductions of one operation over all elements take files and pipes in pieces: the bits of a reduction of the whole,
bounded memory, and a partial where Ctrl-C ends the reading."""

import gzip
import json
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import time
import unittest
import zipfile

from accuracy_support import AccuracyTest
from support import PROGRAM, SANITIZED, ProgramTest, described, npy, npy_header, packed

BLOCK = 4 << 20  # bytes of a stream that are read at once
WINDOW = 32 << 20  # bytes of a mapped file that are folded at once, and of text that are parsed at once
#: Kilobytes of memory that are enough for any input.
ENOUGH = 192 << 10
#: A program's words: its standard input, then its words; prints its largest resident set in kilobytes.
RESIDENT = """
import os, resource, subprocess, sys
with subprocess.Popen(sys.argv[1], shell=True, stdout=subprocess.PIPE) as input:
    program = subprocess.Popen(sys.argv[2:], stdin=input.stdout, stdout=sys.stdout, stderr=sys.stderr)
    input.stdout.close()
    status, used = os.wait4(program.pid, 0)[1:]
print(used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def values(n):
    r = random.Random(18)
    some = [r.uniform(-1, 1) for _ in range(9973)]
    return (some * (n // len(some) + 1))[:n]


class Pieces(ProgramTest):
    def whole(self, op, *words, **more):
        """The result of the elements as they lie in memory: --skip-nan keeps them."""
        return self.reduced(op, "--skip-nan", *words, **more)

    def same(self, op, *words, **more):
        got, wanted = self.reduced(op, *words, **more), self.whole(op, *words, **more)
        self.assertEqual((got["bits"], got["n"]), (wanted["bits"], wanted["n"]))
        return got

    def test_bits_of_the_whole(self):
        ops = ("sum", "mean", "product", "argmax", "minmax", "moments", "stddev", "count")
        for n in (0, 1, BLOCK // 4 - 1, BLOCK // 4, BLOCK // 4 + 1, 3 * BLOCK // 4 + 5, WINDOW // 4 + 4097):
            content = packed("f32", values(n))
            path = self.file("x.bin", content)
            for op in ops[:1] if n == 0 else ops if n == 3 * BLOCK // 4 + 5 else ops[:3]:
                with self.subTest(n=n, op=op):
                    bits = {self.same(op, path, "--dtype", "f32")["bits"] if op not in ("minmax", "moments") else
                            json.dumps(self.same(op, path, "--dtype", "f32")["bits"])}
                    piped = self.reduced(op, "--dtype", "f32", given=content)["bits"]
                    bits.add(piped if op not in ("minmax", "moments") else json.dumps(piped))
                    self.assertEqual(len(bits), 1)

    def test_kinds_of_input(self):
        x = values(2 * BLOCK // 8 + 1234)
        wanted = self.whole("sum", self.file("x.npy", npy("f64", x)))["bits"]
        text = "\n".join(map(repr, x)).encode()
        for content, words in ((npy("f64", x), []), (npy("f64", x, order=">"), []), (packed("f64", x), ["--dtype", "f64"]),
                               (text, []), (b"a,b\n" + text.replace(b"\n", b",1\n") + b",1\n", ["--column", "a"])):
            for packer, name in ((bytes, ""), (lambda b: gzip.compress(b, 1), ".gz")):
                with self.subTest(start=content[:20], packed=name, words=words):
                    path = self.file("y" + name, packer(content))
                    self.assertEqual(self.reduced("sum", path, *words)["bits"], wanted)
                    self.assertEqual(self.reduced("sum", *words, given=packer(content))["bits"], wanted)

    def test_headers_that_shift_elements(self):
        # Elements that are not aligned are copied, piece by piece.
        x = values(WINDOW // 8 + 99)
        content = npy("f64", x)
        header = content.index(b"\n") + 1
        shifted = content[:8] + struct.pack("<H", header - 10 + 3) + content[10:header - 1] + b"   \n" + content[header:]
        r = self.reduced("sum", self.file("x.npy", shifted), "--explain")
        self.assertEqual(r["inputs"][0]["how"], "copied")
        self.assertEqual(r["bits"], self.whole("sum", self.file("y.npy", content))["bits"])

    def test_several_files_are_one_array(self):
        x = values(BLOCK // 2 + 77)
        paths = [self.file("a.npy", npy("f32", x[:5])), self.file("b.bin", packed("f32", x[5:BLOCK // 3])),
                 self.file("c.txt", " ".join(repr(struct.unpack("f", struct.pack("f", v))[0]) for v in x[BLOCK // 3:]))]
        for op in ("sum", "argmin"):
            got = self.reduced(op, *paths, "--dtype", "f32", "--explain")
            self.assertEqual(got["bits"], self.whole(op, self.file("all.npy", npy("f32", x)))["bits"])
            self.assertEqual([f["n"] for f in got["inputs"]], [5, BLOCK // 3 - 5, len(x) - BLOCK // 3])

    def test_positions_in_fortran_order(self):
        x = [float(i % 7) for i in range(15)]
        path = self.file("x.npy", npy("f64", x, shape=(3, 5), fortran=True))
        self.assertEqual(self.reduced("argmax", path)["value"], 2)  # row 0, column 2: the seventh that is stored

    def test_missing_values_and_options_of_results(self):
        words = ["--missing", "skip", "--init", "5", "--result", "f32"]
        self.assertEqual(self.noted("sum", *words, given="1 NA 3 NA"), ("9\n", "2 missing values (--missing skip)"))
        self.refused(3, ["both.txt", "mean", "all 2 values are missing and were skipped"], "mean", "--missing", "skip",
                     self.file("both.txt", "NA NA"))

    def test_what_is_wrong_is_found_at_the_end(self):
        content = npy("f64", values(BLOCK // 8 * 2))
        self.refused(3, ["standard input: byte offset", f"the end after {BLOCK * 2 - 8}"], "sum", given=content[:-8])
        self.refused(3, [f"byte offset {len(content)}", "found more bytes"], "sum", given=content + b"\0")
        self.refused(3, [f"byte offset {2 * BLOCK}", "a multiple of 8 bytes", f"the end after {2 * BLOCK + 3}"], "sum",
                     "--dtype", "f64", given=bytes(2 * BLOCK + 3))
        broken = gzip.compress(bytes(3 * BLOCK) + b"1", 1)[:-9]
        self.refused(3, ["the file is truncated"], "sum", "--dtype", "u8", "-", given=broken)


@unittest.skipIf(SANITIZED, "a sanitizer needs more memory")
class BoundedMemory(ProgramTest):
    def resident(self, expected, command, *words):
        """Reduces what a command writes, and checks the result; returns the kilobytes that were resident at once."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith("ONEFOLD_")}
        done = subprocess.run([sys.executable, "-c", RESIDENT, command, PROGRAM, *words, "--threads", "2"], env=clean,
                              check=True, capture_output=True, timeout=self.limit)
        result, used = done.stdout.split()
        self.assertEqual(float(result), expected)
        return int(used)

    def test_a_pipe_with_few_addresses(self):
        addresses = 300 << 20
        with subprocess.Popen(["head", "-c", str(2 << 30), "/dev/zero"], stdout=subprocess.PIPE) as zeros:
            done = self.run_program("sum", "--dtype", "f64", "--threads", "2", "--format", "json", stdin=zeros.stdout,
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses)))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        result = json.loads(done.stdout)
        self.assertEqual((result["value"], result["n"]), (0, 2 << 27))

    def test_a_file_with_fewer_addresses_than_bytes(self):
        addresses = 300 << 20
        path = self.file("holes.bin", b"")
        os.truncate(path, 1 << 30)
        done = self.run_program("max", path, "--dtype", "u8", "--threads", "2",
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses)))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"0\n", b""))

    def test_a_file_with_few_addresses_more_than_bytes(self):
        def limited(path, more):
            addresses = os.path.getsize(path) + (more << 20)
            return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))}
        text = self.file("t.csv", b"v\n" + b"1.2500000000000000\n" * (16 << 20))
        done = self.run_program("sum", text, "--column", "v", "--dtype", "f32", "--threads", "2", **limited(text, 45))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"20971520\n", b""))
        raw = self.file("holes.bin", b"")
        os.truncate(raw, 256 << 20)
        done = self.run_program("accuracy", raw, "--dtype", "f32", "--threads", "2", "--accuracy", "native", "--format",
                                "json", **limited(raw, 40))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        # What is kept is mapped even so: in memory it would not fit.
        done = self.run_program("sum", raw, "--dtype", "f32", "--backend", "sequential", "--shape", "2x2^25", "--axis",
                                "1", "--explain", **limited(raw, 60))
        self.assertEqual((done.returncode, done.stdout[:4], done.stderr), (0, b"0\n0\n", b""))
        self.assertIn(b", mapped\n", done.stdout)

    def test_members_of_an_archive(self):
        path = self.file("a.npz", b"")
        with zipfile.ZipFile(path, "w") as archive, archive.open("x.npy", "w") as member:
            member.write(npy_header(described("|u1", (400 << 20,))))
            for _ in range(400):
                member.write(bytes(1 << 20))
        addresses = 300 << 20
        done = self.run_program("max", path, "--threads", "2",
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses)))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"0\n", b""))
        self.assertLess(self.resident(0, "true", "max", path + ":x"), ENOUGH)
        with open(path, "rb") as archive:
            done = self.run_program("max", "-:x", "--threads", "2", stdin=archive,
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses)))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"0\n", b""))

    def test_resident_memory(self):
        path = self.file("holes.bin", b"")
        os.truncate(path, 1 << 30)
        self.assertLess(self.resident(0, "true", "max", path, "--dtype", "u8"), ENOUGH)
        self.assertLess(self.resident(0, f"cat {path}", "sum", "--dtype", "f64"), ENOUGH)
        zeros = gzip.compress(bytes(64 << 20), 1)
        packed_zeros = self.file("zeros.gz", zeros * 8)
        self.assertLess(self.resident(0, "true", "sum", packed_zeros, "--dtype", "f64", "--input", "raw"), ENOUGH)
        self.assertLess(self.resident(0, f"cat {packed_zeros}", "sum", "--dtype", "f64"), ENOUGH)

    def test_resident_memory_of_text(self):
        # Kept, its numbers would take 320 MB.
        self.assertLess(self.resident(40e6, "yes 0000001.0 | head -n 40000000", "sum"), ENOUGH)


@unittest.skipIf("FAKES" not in os.environ, "OpenMP is linked in and has read the environment before the program runs")
@unittest.skipIf("LLVM_OPENMP" in os.environ, "LLVM's runtime does not say how long threads spin")
class IdleThreads(ProgramTest):
    def spins(self, *words, **environment):
        """How often a thread of OpenMP's looks for work before it sleeps, as libgomp says."""
        done = self.run_program(*words, "--backend", "openmp", "--threads", "2", "--dtype", "f32", given="1 2 3",
                                environment={"OMP_DISPLAY_ENV": "verbose", **environment})
        if done.returncode == 4:
            self.skipTest("without OpenMP")
        self.assertEqual(done.returncode, 0, done.stderr)
        [line] = [line for line in done.stderr.decode().splitlines() if "GOMP_SPINCOUNT" in line]
        return int(line.partition("=")[2].strip(" '"))

    def test_they_sleep_between_pieces(self):
        for command in (["sum"], ["accuracy", "--accuracy", "native"]):
            self.assertEqual(self.spins(*command), 0)
            self.assertGreater(self.spins(*command, OMP_WAIT_POLICY="active"), 1 << 20)
            self.assertEqual(self.spins(*command, GOMP_SPINCOUNT="7"), 7)


class Accuracy(AccuracyTest):
    KEPT = 64 << 20  # bytes of elements up to which every mode is measured several times

    def test_what_is_not_kept_is_judged_as_a_file(self):
        some = packed("f32", values(9973))
        for size in (self.KEPT, self.KEPT + BLOCK + 44):
            content = (some * (size // len(some) + 1))[:size]
            path = self.file("x.bin", content)
            for op in ("sum", "mean", "sample_stddev"):
                with self.subTest(size=size, op=op):
                    words = ["--dtype", "f32", "--op", op, "--backend", "sequential,threads"]
                    wanted, got = self.study(path, *words), self.study(*words, given=content)
                    for study in (wanted, got):
                        for found in study["findings"]:
                            self.assertGreater(found["seconds"], 0)
                            for name in ("seconds", "gb_per_s", "waited", "noisy"):
                                del found[name]
                    self.assertEqual(got.pop("data"), "standard input")
                    wanted.pop("data")
                    self.assertEqual(got, wanted)
                    modes = 3 if op == "sample_stddev" else 4
                    self.assertEqual(len(got["findings"]), 1 + 2 * modes)

    def test_text_and_missing_values(self):
        text = b"1 2 NA 3\n" * ((self.KEPT + BLOCK) // 8 // 3)
        study = self.study("--missing", "skip", "--backend", "sequential", "--accuracy", "native", given=text)
        n = text.count(b"\n")
        self.assertEqual((study["n"], study["missing"], study["exact"]), (3 * n, n, 6 * n))
        self.wrong(3, ["standard input: the input is empty; the accuracy of sum needs at least one element"], given=b"")

    def test_what_is_left_out_and_what_is_refused(self):
        content = b"\x7f" * (self.KEPT + BLOCK)
        study = self.study("--dtype", "u64", "--backend", "sequential", given=content)
        self.assertEqual([m["mode"] for m in study["left_out"]], ["exact"])
        self.wrong(3, ["the exact sum is beyond the range of u64"], "--dtype", "u64", "--backend", "sequential", "--accuracy", "exact", given=content)

    @unittest.skipIf(SANITIZED, "a sanitizer needs more memory")
    def test_a_pipe_with_few_addresses(self):
        addresses = 300 << 20
        with subprocess.Popen(["head", "-c", str(400 << 20), "/dev/zero"], stdout=subprocess.PIPE) as zeros:
            done = self.run_program("accuracy", "--dtype", "f64", "--backend", "sequential", "--accuracy", "native",
                                    "--format", "json", stdin=zeros.stdout,
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses)))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        [study] = json.loads(done.stdout)["studies"]
        self.assertEqual((study["n"], study["exact"]), (400 << 17, 0))

    @unittest.skipIf(SANITIZED, "a sanitizer needs more memory")
    def test_only_what_is_asked_for_is_read(self):
        addresses = 300 << 20
        limited = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))}
        path = self.file("holes.bin", b"")
        os.truncate(path, 1 << 30)
        one = ["--dtype", "f64", "--n", "1000", "--backend", "sequential", "--accuracy", "native", "--format", "json"]
        for words in (["accuracy", *one], ["bench", *one, "--seconds", "0.01"]):
            with self.subTest(words=words):
                done = self.run_program(*words, path, **limited)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                with subprocess.Popen(["cat", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as zeros:
                    done = self.run_program(*words, "-", stdin=zeros.stdout, **limited)
                    zeros.stdout.close()
                self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_text_is_read_as_far_as_it_is_asked_for(self):
        content = b"1 " * (WINDOW // 2 + 1) + b"2 wrong"
        words = ["--backend", "sequential", "--accuracy", "native"]
        self.assertEqual(self.study(*words, "--n", "100", given=content)["exact"], 100)
        self.wrong(3, ["wrong"], *words, "--n", str(WINDOW // 2 + 2), given=content)


class Interrupted(ProgramTest):
    def interrupt(self, content, number, *words):
        """Ends a reduction that waits for more than this content; returns how it ended."""
        with subprocess.Popen([PROGRAM, "sum", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as program:
            try:
                program.stdin.write(content)
                program.stdin.flush()
                time.sleep(1)  # until it has read what the pipe holds
                program.send_signal(number)
                program.wait(timeout=60)
                return program.returncode, program.stdout.read().decode(), program.stderr.read().decode()
            finally:
                program.kill()

    def test_the_partial_is_saved(self):
        saved = os.path.join(self.directory, "p")
        x = values(BLOCK // 4 * 2 + 999)
        content = packed("f32", x)
        text = "".join(f"{v!r}\n" for v in x[:5000]).encode()
        for whole, cut, n, number, words in ((content, len(content) - 401, len(x) - 101, signal.SIGINT, ["--dtype", "f32"]),
                                             (content, 400, 100, signal.SIGTERM, ["--dtype", "f32"]),
                                             (npy("f32", x), 2 * BLOCK, None, signal.SIGINT, []),
                                             (text, 0, None, signal.SIGINT, []),
                                             (text, len(text) // 2, None, signal.SIGINT, [])):
            with self.subTest(cut=cut, words=words, number=number):
                if n is None and words == [] and whole is text:
                    n = text[:cut].count(b"\n")
                elif n is None:
                    n = (2 * BLOCK - (len(whole) - 4 * len(x))) // 4
                code, out, errors = self.interrupt(whole[:cut], number, "--save-partial", saved, *words)
                self.assertEqual((code, out), (130, ""), errors)
                self.assertEqual(errors, f"onefold: interrupted: {saved} holds the partial of the elements [0, {n}); "
                                         f"continue with --partial {saved} and the elements from position {n} on\n")
                if whole is text:
                    rest, more = b"\n".join(text.split(b"\n")[n:]), []
                else:
                    rest, more = content[4 * n:], ["--dtype", "f32"]
                wanted = self.reduced("sum", *words, given=whole)
                got = self.reduced("sum", "--partial", saved, *more, given=rest)
                self.assertEqual((got["bits"], got["n"]), (wanted["bits"], wanted["n"]))

    def test_a_pipe_that_ends_at_once(self):
        # Ctrl-C on a terminal stops the program that writes to the pipe, too; perhaps within an element.
        saved = os.path.join(self.directory, "p")
        x = values(1000)
        for rest in (b"", b"12"):
            with self.subTest(rest=rest), subprocess.Popen([PROGRAM, "sum", "--dtype", "f32", "--save-partial", saved],
                                                           stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                                           stderr=subprocess.PIPE) as program:
                program.stdin.write(packed("f32", x) + rest)
                program.stdin.flush()
                time.sleep(1)  # until it has read what the pipe holds
                program.send_signal(signal.SIGINT)
                out, errors = program.communicate(timeout=60)  # which closes the pipe
                self.assertEqual((program.returncode, out), (130, b""), errors)
                self.assertIn(b"holds the partial of the elements [0, 1000)", errors)

    def test_a_compressed_stream(self):
        saved = os.path.join(self.directory, "p")
        x = random.Random(3).randbytes(3 * BLOCK)
        content = gzip.compress(x, 1)
        code, _, errors = self.interrupt(content[:2 * BLOCK], signal.SIGINT, "--save-partial", saved, "--dtype", "u64")
        self.assertEqual(code, 130, errors)
        n = int(errors.split("[0, ")[1].split(")")[0])
        self.assertGreater(n, BLOCK // 8)
        self.assertEqual(self.output("sum", "--partial", saved, "--dtype", "u64", given=x[8 * n:]),
                         self.output("sum", "--dtype", "u64", given=x))

    def test_without_a_file_for_the_partial(self):
        self.assertEqual(self.interrupt(b"1 2 ", signal.SIGINT), (-signal.SIGINT, "", ""))
        self.assertEqual(self.interrupt(b"\x93NUMPY", signal.SIGINT, "--save-partial",
                                        os.path.join(self.directory, "p")),
                         (130, "", "onefold: standard input: interrupted\n"))
        self.assertEqual(os.listdir(self.directory), [])


if __name__ == "__main__":
    unittest.main()
