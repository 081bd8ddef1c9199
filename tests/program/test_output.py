"""What is written: text, JSON, and what happens when it cannot be."""

import json
import os
import resource
import struct
import subprocess
import unittest

from support import PROGRAM, ProgramTest, npy


class Output(ProgramTest):
    def test_text(self):
        self.assertEqual(self.output("reduce", "sum", given="1 2.5"), "3.5\n")
        self.assertEqual(self.output("reduce", "minmax", given="4 1 3"), "min 1\nmax 4\n")
        self.assertEqual(self.output("reduce", "any", given="0 0"), "false\n")
        self.assertEqual(self.output("reduce", "max", given="-inf nan"), "nan\n")

    def test_explain(self):
        path = self.file("a.npy", npy("f32", [1.0, 2.0]))
        text = self.output("reduce", "sum", path, "--explain")
        for piece in ("3\n", "0x40400000", "a.npy: npy, 2 elements, mapped", "backend", "native", "GB/s"):
            self.assertIn(piece, text)

    def test_json_fields(self):
        r = self.reduced("sum", self.file("a.npy", npy("f32", [1.0, 2.0])))
        fields = "op dtype n value bits result_dtype backend isa accuracy threads seconds gb_per_s declined"
        self.assertLessEqual(set(fields.split()), set(r))
        self.assertEqual((r["op"], r["dtype"], r["n"], r["value"]), ("sum", "f32", 2, 3))
        self.assertEqual((r["bits"], r["result_dtype"]), ("0x40400000", "f32"))
        self.assertEqual((r["accuracy"], r["threads"] >= 1, r["seconds"] >= 0), ("native", True, True))
        for d in r["declined"]:
            self.assertTrue(d["backend"] and d["why"])
        self.assertIn("why", self.reduced("sum", "--explain", given="1"))

    def test_json_values_round_trip(self):
        for dtype, letter, codes in (("f32", "f", (0x00000001, 0x3DCCCCCD, 0x7F7FFFFF, 0x80000000, 0x4B7FFFFF)),
                                     ("f64", "d", (1, 0x3FB999999999999A, 0x7FEFFFFFFFFFFFFF, 1 << 63,
                                                   0x4340000000000001)),
                                     ("f16", "e", (1, 0x2E66, 0x7BFF, 0x8000))):
            size = struct.calcsize(letter)
            for code in codes:
                value = struct.unpack("<" + letter, code.to_bytes(size, "little"))[0]
                r = self.reduced("max", self.file("a.npy", npy(dtype, [value])))
                self.assertEqual(r["bits"], f"0x{code:0{2 * size}x}")
                self.assertEqual(struct.pack("<" + letter, r["value"]), code.to_bytes(size, "little"))
        for dtype, value in (("u64", 2**64 - 1), ("i64", -(2**63)), ("i64", 2**63 - 1)):
            self.assertEqual(self.reduced("max", self.file("a.npy", npy(dtype, [value])))["value"], value)

    def test_one_line_of_json(self):
        text = self.output("reduce", "sum", "--format", "json", given="1")
        self.assertEqual(text.count("\n"), 1)
        json.loads(text)


class BrokenOutput(ProgramTest):
    COMMANDS = (["reduce", "sum"], ["reduce", "sum", "--format", "json"], ["accuracy"], ["backends"], ["operations"],
                ["--help"], ["--version"], ["completion", "bash"], ["manual"])

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_full(self):
        for words in self.COMMANDS:
            with open("/dev/full", "wb") as full:
                done = self.run_program(*words, given="1", stdout=full)
                self.check_error(done, 1, "standard output", "No space left")

    def test_closed(self):
        for words in self.COMMANDS:
            done = subprocess.run(["sh", "-c", '"$0" "$@" >&-', PROGRAM, *words], input=b"1", check=False,
                                  stderr=subprocess.PIPE)
            self.check_error(done, 1, "standard output", "Bad file descriptor")

    def test_closed_while_a_file_is_open(self):
        path = self.file("a.txt", "1 2")
        done = subprocess.run(["sh", "-c", '"$0" reduce sum "$1" >&-', PROGRAM, path], check=False,
                              stderr=subprocess.PIPE)
        self.check_error(done, 1, "standard output")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), b"1 2")

    def test_broken_pipe(self):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "wb") as out:
            done = self.run_program("reduce", "sum", given="1", stdout=out)
            self.check_error(done, 1, "standard output", "Broken pipe")

    def test_limit_of_file_sizes(self):
        path = os.path.join(self.directory, "out")
        with open(path, "wb") as out:
            done = self.run_program("operations", stdout=out,
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
            self.check_error(done, 1, "standard output", "File too large")

    def test_closed_standard_error(self):
        done = subprocess.run(["sh", "-c", '"$0" reduce summ 2>&-', PROGRAM], stdout=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, b""))


if __name__ == "__main__":
    unittest.main()
