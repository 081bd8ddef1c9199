"""--output: .npy files as NumPy writes them, complete or not there at all, and never in place of an input."""

import gzip
import importlib.util
import os
import resource
import struct
import unittest

from support import TYPES, ProgramTest, npy, npy_header, described, packed, read_npy


class NpyOutput(ProgramTest):
    def written(self, *words, **more):
        """What --output makes of a reduction, whose standard output stays empty."""
        path = os.path.join(self.directory, "out.npy")
        self.assertEqual(self.output("reduce", *words, "--output", path, **more), "")
        self.assertEqual([name for name in os.listdir(self.directory) if name.startswith(".")], [])
        return read_npy(path)

    def test_every_type(self):
        for dtype, (code, _) in TYPES.items():
            path = self.file("a.npy", npy(dtype, [1, 2, 3, 4, 6, 5], (2, 3)))
            order = "|" if code[1] == "1" else "<"
            self.assertEqual(self.written("max", path, "--axis", "0"), (order + code, (3,), packed(dtype, [4, 6, 5])))

    def test_bool_and_bfloat16(self):
        path = self.file("a.npy", npy("f32", [1, 0, 3, 4], (2, 2)))
        self.assertEqual(self.written("all", path, "--axis", "0"), ("|b1", (2,), b"\1\0"))
        self.assertEqual(self.written("sum", path, "--axis", "1", "--result", "bf16"),
                         ("<V2", (2,), struct.pack("<2H", 0x3F80, 0x40E0)))
        path = self.file("b.npy", npy_header(described("<V2", (2,))) + struct.pack("<2H", 0x3F80, 0x4000))
        self.assertEqual(self.written("minmax", path, "--dtype", "bf16", "--axis", "0"),
                         ([("min", "<V2"), ("max", "<V2")], (), struct.pack("<2H", 0x3F80, 0x4000)))

    def test_shapes(self):
        path = self.file("a.npy", npy("i32", range(24), (2, 3, 4)))
        for words, shape, values in (((), (), [276]), (("--axis", "0,1,2"), (), [276]),
                                     (("--keep",), (1, 1, 1), [276]), (("--axis", "1,2"), (2,), [66, 210]),
                                     (("--axis", "0,2", "--keep"), (1, 3, 1), [60, 92, 124])):
            self.assertEqual(self.written("sum", path, *words), ("<i8", shape, packed("i64", values)))
        self.assertEqual(self.written("sum", self.file("e.npy", npy("f32", [], (0, 5))), "--axis", "1"), ("<f4", (0,), b""))
        self.assertEqual(self.written("sum", given="1 2"), ("<f8", (), packed("f64", [3])))

    def test_several_numbers_are_fields_without_gaps(self):
        path = self.file("a.npy", npy("f32", [1, 2, 3, 5], (2, 2)))
        self.assertEqual(self.written("moments", path, "--axis", "0"),
                         ([("n", "<i8"), ("mean", "<f8"), ("m2", "<f8")], (2,), struct.pack("<qddqdd", 2, 2, 2, 2, 3.5, 4.5)))
        descr, shape, content = self.written("sum_with_bound", path, "--axis", "0")
        self.assertEqual((descr, shape), ([("value", "<f4"), ("bound", "<f8"), ("condition", "<f8")], (2,)))
        self.assertEqual((len(content), struct.unpack_from("<f", content)[0], struct.unpack_from("<f", content, 20)[0]),
                         (40, 4, 7))

    def test_several_operations_are_fields(self):
        path = self.file("a.npy", npy("f32", [1, 2, 3, 5], (2, 2)))
        self.assertEqual(self.written("sum,argmax,minmax", path, "--axis", "1"),
                         ([("sum", "<f4"), ("argmax", "<i8"), ("minmax_min", "<f4"), ("minmax_max", "<f4")], (2,),
                          struct.pack("<fqff", 3, 1, 1, 2) + struct.pack("<fqff", 8, 1, 3, 5)))

    def test_read_again(self):
        path, out = self.file("a.npy", npy("f64", range(12), (3, 4))), os.path.join(self.directory, "out.npy")
        self.output("reduce", "sum", path, "--axis", "1", "-o", out)
        self.assertEqual(self.output("reduce", "max", out), "38\n")

    def test_json_and_explain(self):
        path, out = self.file("a.npy", npy("f64", range(12), (3, 4))), os.path.join(self.directory, "out.npy")
        r = self.reduced("sum", path, "--axis", "1", "--output", out)
        self.assertEqual((r["output"], r["extents"], "value" in r, "bits" in r), (out, [3], False, False))
        text = self.output("reduce", "sum", path, "--axis", "1", "--output", out, "--explain")
        self.assertTrue(text.startswith("sum of 12 f64 (3x4): 3 results (3)\n"), text)

    def test_takes_the_place_of_a_file(self):
        out = self.file("out.npy", b"old")
        os.chmod(out, 0o600)
        link = os.path.join(self.directory, "link.npy")
        os.symlink("out.npy", link)
        self.output("reduce", "sum", "--output", link, given="1 2")
        self.assertTrue(os.path.islink(link))
        self.assertEqual(read_npy(out), ("<f8", (), packed("f64", [3])))
        self.assertEqual(os.stat(out).st_mode & 0o777, 0o600)


class RefusedOutput(ProgramTest):
    def unchanged(self, code, pieces, *words, name="out.npy", before=b"old", **more):
        """A refusal that leaves the file as it was, and nothing beside it."""
        out = self.file(name, before)
        listed = sorted(os.listdir(self.directory))
        self.refused(code, pieces, *words, "--output", out, **more)
        with open(out, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(sorted(os.listdir(self.directory)), listed)

    def test_inputs(self):
        content = npy("f32", [1, 2], (2,))
        path = self.file("a.npy", content)
        other = os.path.join(self.directory, "other.npy")
        os.link(path, other)
        link = os.path.join(self.directory, "link.npy")
        os.symlink("a.npy", link)
        for out in (path, other, link, os.path.join(self.directory, ".", "a.npy")):
            self.refused(2, ["--output: ", "is an input; expected another file"], "sum", path, "--output", out)
        self.refused(2, ["is an input"], "sum", self.file("b.npy", content), path, "--output", path)
        with open(path, "rb") as file:
            self.refused(2, ["is an input"], "sum", "--output", path, stdin=file)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), content)

    def test_names(self):
        for name in ("", "-", "out", "out.txt", "out.npz", ".npy.gz"):
            self.refused(2, ["--output: expected a name that ends in .npy", f'"{name}"'], "sum", "--output=" + name, given="1")
        self.refused(1, ["cannot be written: ", "is a directory"], "sum", "--output",
                     self.make_folder("d.npy"), given="1")
        self.refused(1, ["cannot be written: "], "sum", "--output", os.path.join(self.directory, "no", "out.npy"), given="1")
        self.refused(2, ["--output: given twice"], "sum", "-o", "a.npy", "--output", "b.npy", given="1")

    def make_folder(self, name):
        path = os.path.join(self.directory, name)
        os.mkdir(path)
        return path

    def test_what_fails_before_it(self):
        self.unchanged(3, ["max of no elements"], "max", given="")
        self.unchanged(3, ["line 1"], "sum", given="1 x")
        self.unchanged(2, ["axis 3"], "sum", self.file("a.npy", npy("f32", [1], (1,))), "--axis", 3)
        self.unchanged(3, ["expected"], "sum", self.file("a.npy.gz", gzip.compress(npy("f32", [1], (1,)))[:-9]))

    def test_disk_that_is_full(self):
        full = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        path = self.file("a.npy", npy("f64", range(1000), (1000, 1)))
        self.unchanged(1, ["out.npy cannot be written: ", "File too large"], "sum", path, "--axis", "1", preexec_fn=full)


@unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not installed: the other tests read the bytes")
class AgainstNumpy(ProgramTest):
    def test_numpy_loads_it(self):
        import numpy
        array = numpy.random.default_rng(1).integers(-9, 9, size=(3, 4)).astype("f4")
        path, out = os.path.join(self.directory, "a.npy"), os.path.join(self.directory, "out.npy")
        numpy.save(path, array)
        self.output("reduce", "minmax,sum", path, "--axis", "0", "-o", out)
        loaded = numpy.load(out)
        self.assertEqual(loaded["minmax_max"].tolist(), array.max(0).tolist())
        self.assertEqual(loaded["sum"].tolist(), array.sum(0).tolist())


if __name__ == "__main__":
    unittest.main()
