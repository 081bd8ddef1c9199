"""Raw elements: their size, their name, and several files as one array."""

import random
import resource
import unittest

from support import TYPES, ProgramTest, npy, packed


class Raw(ProgramTest):
    def test_every_type(self):
        for dtype in TYPES:
            with self.subTest(dtype=dtype):
                path = self.file("a.bin", packed(dtype, [1, 5, 100]))
                self.assertEqual(self.reduced("sum", path, "--dtype", dtype)["value"], 106)

    def test_bfloat16(self):
        path = self.file("a.bin", b"\x80\x3f\x00\x40\x80\xff")
        self.assertEqual(self.reduced("max", path, "--dtype", "bf16")["value"], 2.0)
        self.assertEqual(self.reduced("min", path, "--dtype", "bf16")["value"], "-inf")

    def test_size_is_a_multiple_of_the_type(self):
        path = self.file("a.bin", bytes(11))
        self.refused(3, ["a.bin", "byte offset 8", "a multiple of 4 bytes (raw f32)", "end after 11"], "sum", path,
                     "--dtype", "f32")

    def test_needs_a_type(self):
        self.refused(2, ["a.bin", "--dtype"], "sum", self.file("a.bin", bytes(8)))
        self.refused(2, ["a", "--dtype"], "sum", self.file("a", bytes(8)), "--input", "raw")

    def test_the_rule_for_names_and_content(self):
        digits = b"12345678"
        for name, words, kind in (("a.bin", ["--dtype", "i64"], "raw"), ("a.raw", ["--dtype", "i64"], "raw"),
                                  ("a.txt", ["--dtype", "i64"], "text"), ("a", ["--dtype", "i64"], "text"),
                                  ("a", [], "text"),
                                  ("a", ["--dtype", "i64", "--input", "raw"], "raw"),
                                  ("a.bin", ["--dtype", "i64", "--input", "text"], "text"), ("a.csv", [], "text")):
            with self.subTest(name=name, words=words):
                r = self.reduced("sum", self.file(name, digits), "--explain", *words)
                self.assertEqual(r["inputs"][0]["format"], kind)
                self.assertEqual(r["value"], 12345678 if kind == "text" else int.from_bytes(digits, "little"))
        r = self.reduced("sum", self.file("b", packed("i64", [7])), "--dtype", "i64", "--explain")
        self.assertEqual((r["inputs"][0]["format"], r["value"]), ("raw", 7))

    def test_mapped_file_and_stream(self):
        content = packed("f32", [r.uniform(-1, 1) for r in [random.Random(1)] for _ in range(100001)])
        path = self.file("a.bin", content)
        mapped = self.reduced("sum", path, "--dtype", "f32", "--explain")
        piped = self.reduced("sum", "-", "--dtype", "f32", "--explain", given=content)
        with open(path, "rb") as file:
            redirected = self.reduced("sum", "--dtype", "f32", "--explain", stdin=file)
        self.assertEqual([r["inputs"][0]["how"] for r in (mapped, piped, redirected)], ["mapped", "read", "mapped"])
        self.assertEqual(mapped["bits"], piped["bits"])
        self.assertEqual(mapped["bits"], redirected["bits"])

    def test_redirected_file_begins_where_it_stands(self):
        path = self.file("a.bin", packed("i32", [1, 2, 4]))
        with open(path, "rb", buffering=0) as file:
            file.seek(4)
            self.assertEqual(self.reduced("sum", "--dtype", "i32", stdin=file)["value"], 6)


class SeveralFiles(ProgramTest):
    def test_bits_equal_those_of_one_file(self):
        generator = random.Random(5)
        values = [generator.uniform(-1, 1) * 2.0 ** generator.randrange(-20, 20) for _ in range(30011)]
        cuts = [0, 1, 4097, 4097, 20000, 30011]
        parts = [values[a:b] for a, b in zip(cuts, cuts[1:])]
        whole = self.file("whole.npy", npy("f64", values))
        kinds = [npy("f64", p) for p in parts]
        kinds[1] = npy("f64", parts[1], order=">")
        files = [self.file(f"{i}.npy", k) for i, k in enumerate(kinds)]
        files[2] = self.file("2.txt", "\n".join(map(repr, parts[2])))
        files[3] = self.file("3.txt", "\n".join(map(repr, parts[3])))
        for op, accuracy in (("sum", "native"), ("sum", "wide"), ("mean", "kahan"), ("variance", "native"),
                             ("argmax", "native")):
            one = self.reduced(op, whole, "--accuracy", accuracy)
            many = self.reduced(op, *files, "--accuracy", accuracy)
            self.assertEqual((one["bits"], one["n"]), (many["bits"], many["n"]), (op, accuracy))

    def test_standard_input_among_files(self):
        a, b = self.file("a.bin", packed("i16", [10])), self.file("b.bin", packed("i16", [5, 10]))
        self.assertEqual(self.reduced("argmin", a, "-", b, "--dtype", "i16", given=packed("i16", [6, 5]))["value"], 2)

    def test_of_one_type(self):
        a, b = self.file("a.npy", npy("f32", [1.0])), self.file("b.npy", npy("f64", [1.0]))
        self.refused(3, ["b.npy", "holds f64", "before it hold f32"], "sum", a, b)

    def test_the_error_names_its_file(self):
        a, b = self.file("a.txt", "1 2"), self.file("b.txt", "3\n4 x")
        self.refused(3, ["b.txt: line 2, character 3", '"x"'], "sum", a, b)

    def test_many_files(self):
        files = [self.file(f"{i}.txt", str(i)) for i in range(1500)]
        # More of them than may be open at once.
        few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        self.assertEqual(self.reduced("sum", *files, preexec_fn=few)["value"], 1499 * 1500 // 2)


if __name__ == "__main__":
    unittest.main()
