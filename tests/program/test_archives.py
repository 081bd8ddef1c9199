"""Archives: members of .npz, gzip from files and streams; truncated, damaged and hostile ones."""

import gzip
import io
import os
import random
import resource
import struct
import unittest
import zipfile
import zlib

from support import SANITIZED, ProgramTest, described, npy, npy_header, packed


def npz(arrays, method=zipfile.ZIP_STORED, ending=".npy", zip64=False):
    """An archive as numpy.savez writes it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in arrays.items():
            with archive.open(name + ending, "w", force_zip64=zip64) as member:
                member.write(content)
    return out.getvalue()


def needs(library):
    """Skips where the program says that it was built without."""
    return lambda test: unittest.skipIf(os.environ.get(f"WITHOUT_{library}") == "1", f"built without {library}")(test)


@needs("LIBZIP")
class Npz(ProgramTest):
    def test_members(self):
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            for zip64 in (False, True):
                content = npz({"x": npy("f64", [1.5, 2]), "the y": npy("i32", [3, 4], order=">"), "a:b": npy("u8", [5]),
                               "deep/z": npy("f32", [6.0])}, method, zip64=zip64)
                path = self.file("a.npz", content)
                for name, dtype, value in (("x", "f64", 3.5), ("the y", "i32", 7), ("a:b", "u8", 5), ("x.npy", "f64", 3.5),
                                           ("deep/z", "f32", 6)):
                    with self.subTest(method=method, zip64=zip64, name=name):
                        r = self.reduced("sum", f"{path}:{name}", "--explain")
                        self.assertEqual((r["dtype"], r["value"]), (dtype, value))
                        self.assertEqual(r["inputs"][0]["file"], f"{path}:{name}")
                        self.assertEqual(self.reduced("sum", f"-:{name}", given=content)["value"], value)

    def test_one_array_needs_no_name(self):
        content = npz({"only": npy("i64", [1, 2, 3])}, zipfile.ZIP_DEFLATED)
        path = self.file("a.npz", content)
        self.assertEqual(self.reduced("sum", path)["value"], 6)
        self.assertEqual(self.reduced("sum", given=content)["value"], 6)
        self.assertEqual(self.reduced("sum", self.file("b.npy", content), path)["value"], 12)
        self.assertEqual(self.output("accuracy", path, "--format", "csv").count("\n") > 2, True)
        # A folder's own entry is not an array.
        folder = self.file("f.zip", npz({"d/": b"", "d/only.npy": npy("i64", [1, 2, 3])}, ending=""))
        self.assertEqual(self.reduced("sum", folder)["value"], 6)

    def test_names_that_are_wrong(self):
        path = self.file("a.npz", npz({"alpha": npy("f64", [1.0]), "beta": npy("f64", [2.0])}))
        self.refused(3, ["a.npz:", '2: "alpha", "beta"', "a.npz:alpha"], "sum", path)
        self.refused(3, ['unknown member "alhpa"; did you mean alpha? Choices: alpha, beta'], "sum", path + ":alhpa")
        many = self.file("m.npz", npz({f"array{i}": npy("u8", [i]) for i in range(100)}))
        self.refused(3, ["and 88 more"], "sum", many)
        self.refused(3, ['unknown member "aray99"; did you mean array99? Choices: array99, array0, ', "array10, and 88 more"],
                     "sum", many + ":aray99")
        self.refused(3, ['unknown member "zzz"; choices: array0, ', "array11, and 88 more"], "sum", many + ":zzz")
        self.refused(3, ["b.npy", "expected a zip archive", '"x"'], "sum", self.file("b.npy", npy("f64", [1.0])) + ":x")
        self.refused(3, ["empty"], "sum", self.file("e.npz", npz({})))
        self.refused(3, ["No such file"], "sum", "nosuch.npz:x")

    def test_names_that_collide(self):
        """Each name of the list chooses the member that it stands for."""
        members = {"x": b"1", "x.npy": npy("u8", [2]), "x.npy.npy": npy("u8", [3]), "y.npy": npy("u8", [4]),
                   ".npy": npy("u8", [5])}
        path = self.file("a.npz", npz(members, ending=""))
        self.refused(3, ['5: "x", "x.npy", "x.npy.npy", "y", ".npy"\n'], "sum", path)
        for name, value in (("x", 1), ("x.npy", 2), ("x.npy.npy", 3), ("y", 4), ("y.npy", 4), (".npy", 5)):
            self.assertEqual(self.reduced("sum", f"{path}:{name}")["value"], value)

    def test_empty_names(self):
        for count in (1, 2):
            content = npz({f"x{i}": npy("u8", [1]) for i in range(count)})
            path = self.file("a.npz", content)
            self.refused(3, ["a.npz:: the member's name is empty"], "sum", path + ":")
            self.refused(3, ["-:: the member's name is empty"], "sum", "-:", given=content)
        self.refused(3, ["b.npz:: cannot be opened: No such file"], "sum", "b.npz:")
        self.assertEqual(self.reduced("sum", self.file("c.npy:", npy("u8", [5])))["value"], 5)

    def test_files_with_colons_win(self):
        content = npy("f64", [4.0])
        self.assertEqual(self.reduced("sum", self.file("12:30:x", content))["value"], 4)
        archive = self.file("12:30.npz", npz({"a:b": npy("f64", [7.0]), "c": content}))
        self.assertEqual(self.reduced("sum", archive + ":a:b")["value"], 7)

    def test_members_of_other_kinds(self):
        archive = self.file("a.zip", npz({"t.csv": b"x,y\n1,2\n3,4\n", "r.bin": packed("i16", [5, 6]),
                                          "g.csv.gz": gzip.compress(b"1 2 3")}, zipfile.ZIP_DEFLATED, ""))
        self.assertEqual(self.reduced("sum", archive + ":t.csv", "--column", "y")["value"], 6)
        self.assertEqual(self.reduced("sum", archive + ":r.bin", "--dtype", "i16")["value"], 11)
        self.assertEqual(self.reduced("sum", archive + ":g.csv.gz")["value"], 6)

    def test_names_never_reach_a_terminal_raw(self):
        done = self.run_program("reduce", "sum", self.file("a.npz", npz({"a\x1b[31m": b"", "b\n": b""})))
        self.check_error(done, 3)
        self.assertNotIn(b"\x1b", done.stderr)

    def test_damage(self):
        generator = random.Random(1)
        values = [generator.gauss(0, 1) for _ in range(20000)]
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            whole = npz({"x": npy("f64", values)}, method)
            for cut in (4, 30, 200, len(whole) // 2, len(whole) - 30, len(whole) - 1):
                with self.subTest(method=method, cut=cut):
                    self.refused(3, ["a.npz", "zip archive"], "sum", self.file("a.npz", whole[:cut]))
            for place in (5000, 50000, len(whole) * 3 // 4):
                broken = bytearray(whole)
                broken[place] ^= 0x55
                with self.subTest(method=method, place=place):
                    self.refused(3, ["a.npz", '"x.npy"', "damage"], "sum", self.file("a.npz", bytes(broken)))

    def test_any_flipped_byte_ends_in_a_message_or_the_number(self):
        whole = npz({"x": npy("i8", [1, 2, 3])}, zipfile.ZIP_DEFLATED)
        for place in range(len(whole)):
            broken = bytearray(whole)
            broken[place] ^= 0xff
            done = self.run_program("reduce", "sum", self.file("a.npz", bytes(broken)))
            if done.returncode == 0:
                self.assertEqual((done.stdout, done.stderr), (b"6\n", b""), place)
            else:
                self.check_error(done, 3, "a.npz")

    def test_sizes_that_disagree(self):
        # The array's header asks for less, or more, than the member has: told before it is unpacked.
        for count in (1 << 40, 2):
            content = npz({"x": npy_header(described("<f8", (count,))) + packed("f64", [1.0] * 3)}, zipfile.ZIP_DEFLATED)
            self.refused(3, ["byte offset 128", "a member of 152 bytes"], "sum", self.file("a.npz", content))

    def test_declared_size_is_not_believed(self):
        for inner in (npy("u8", list(range(100))), b"1 " * 50):
            content = bytearray(npz({"x": inner}, zipfile.ZIP_DEFLATED))
            central = content.rindex(b"PK\x01\x02")
            for size in (50, 1 << 30):
                content[central + 24:central + 28] = struct.pack("<I", size)
                done = self.run_program("reduce", "sum", self.file("a.npz", bytes(content)))
                self.check_error(done, 3, "a.npz")

    def test_encrypted(self):
        content = bytearray(npz({"x": npy("u8", [1])}))
        central = content.rindex(b"PK\x01\x02")
        content[6] |= 1
        content[central + 8] |= 1
        self.refused(3, ["encrypted"], "sum", self.file("a.npz", bytes(content)))


@needs("ZLIB")
class Gzip(ProgramTest):
    def test_every_kind(self):
        for name, content, words, value in (("a.txt.gz", b"1 2 3", [], 6), ("b.npy.gz", npy("f32", [1.5, 2]), [], 3.5),
                                            ("c.csv.gz", b"x,y\n1,2\n3,4\n", ["--column", "y"], 6),
                                            ("d.bin.gz", packed("i16", [7, 8]), ["--dtype", "i16"], 15),
                                            ("e.gz", packed("i16", [7, 8]), ["--dtype", "i16"], 15),
                                            ("f.bin.gz", b"11", ["--dtype", "u8"], 98),
                                            ("g.gz", packed("i16", [7, 8]), ["--dtype", "i16", "--input", "raw"], 15),
                                            ("h", b"1 2 3", [], 6)):
            with self.subTest(name=name):
                path = self.file(name, gzip.compress(content))
                self.assertEqual(self.reduced("sum", path, *words)["value"], value)
                if name[0] not in "fg":
                    self.assertEqual(self.reduced("sum", *words, given=gzip.compress(content))["value"], value)

    def test_raw_bytes_as_they_are(self):
        content = gzip.compress(b"1 2 3", mtime=0)
        words = ["--dtype", "u8", "--input", "raw"]
        self.assertEqual(self.reduced("sum", self.file("a.bin", content), *words)["value"], sum(content))

    def test_members_and_zeros(self):
        content = gzip.compress(b"1 2\n") + gzip.compress(b"") + gzip.compress(b"3") + bytes(5000)
        self.assertEqual(self.reduced("sum", self.file("a.gz", content))["value"], 6)
        self.assertEqual(self.reduced("sum", given=content)["value"], 6)
        self.refused(3, ["the end, or more gzip data"], "sum", self.file("b.gz", gzip.compress(b"1") + b"rest"))

    def test_same_bits_as_the_file(self):
        values = [r.gauss(0, 1) for r in [random.Random(2)] for _ in range(300_000)]
        whole = npy("f64", values)
        plain = self.reduced("sum", self.file("a.npy", whole))["bits"]
        path = self.file("a.npy.gz", gzip.compress(whole, 1))
        self.assertEqual(self.reduced("sum", path)["bits"], plain)
        text = "\n".join(map(repr, values)).encode()
        self.assertEqual(self.reduced("sum", given=gzip.compress(text, 1))["bits"], plain)
        self.assertEqual(self.reduced("sum", path, "--explain")["inputs"][0]["how"], "unpacked")

    def test_truncated_anywhere(self):
        whole = gzip.compress(npy("f64", [r.gauss(0, 1) for r in [random.Random(3)] for _ in range(500)]))
        for cut in (4, 5, 10, 11, 100, len(whole) // 2, len(whole) - 9, len(whole) - 8, len(whole) - 1):
            with self.subTest(cut=cut):
                place = f"byte offset {cut}"
                self.refused(3, ["a.gz", place, "truncated"], "sum", self.file("a.gz", whole[:cut]))
                self.refused(3, ["standard input", place, "truncated"], "sum", given=whole[:cut])

    def test_damage(self):
        whole = gzip.compress(npy("f64", [r.gauss(0, 1) for r in [random.Random(4)] for _ in range(5000)]), mtime=0)
        for place in (12, len(whole) // 2, len(whole) - 8, len(whole) - 1):
            broken = bytearray(whole)
            broken[place] ^= 0x55
            with self.subTest(place=place):
                self.refused(3, ["a.gz", "byte offset", "damage"], "sum", self.file("a.gz", bytes(broken)))

    def test_bombs(self):
        # 1 TiB would take minutes and more memory than there is: the array's end is seen before.
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        zeros = packer.compress(npy("u8", [1, 2, 3])) + packer.compress(bytes(64 << 20)) + packer.flush()
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        self.refused(3, ["the end after 3 elements", "more bytes"], "sum", self.file("a.npy.gz", zeros + zeros * 20),
                     preexec_fn=None if SANITIZED else limit)
        spaces = gzip.compress(b" " * (64 << 20), 9)
        self.assertEqual(self.reduced("sum", self.file("b.txt.gz", spaces * 4))["n"], 0)
        # A declared size takes no memory before the bytes come.
        huge = gzip.compress(npy_header(described("|u1", (1 << 45,))) + b"123")
        self.refused(3, ["35184372088832 bytes of elements", "the end after 3"], "sum", self.file("c.gz", huge),
                     preexec_fn=None if SANITIZED else limit)

    def test_layers_end(self):
        self.refused(3, ["compressed by gzip", "gzip -dc a.gz | gzip -dc | onefold reduce sum -"], "sum", "a.gz",
                     cwd=os.path.dirname(self.file("a.gz", gzip.compress(gzip.compress(b"1")))))


if __name__ == "__main__":
    unittest.main()
