"""Files of other kinds: named by their first bytes, with the command line that reads them."""

import gzip
import os
import shutil
import subprocess
import unittest

from support import PROGRAM, ProgramTest, npy, packed


class Foreign(ProgramTest):
    def named(self, content, *pieces, name="x", words=("sum",), code=3):
        """The same message for a file of any name, here without an ending."""
        self.file(name, content)
        self.refused(code, [f"{name}: expected numbers, found ", *pieces], *words, name, cwd=self.directory)

    def test_magic_numbers(self):
        filler = bytes(range(256)) * 3
        for magic, kind, command in (
                (b"\x28\xb5\x2f\xfd", "zstd", "zstd -dc x | onefold reduce sum -"),
                (b"\xfd7zXZ\0", "xz", "xz -dc x | onefold reduce sum -"),
                (b"BZh91AY&SY", "bzip2", "bzip2 -dc x | onefold reduce sum -"),
                (b"\x04\x22\x4d\x18", "lz4", "lz4 -dc x | onefold reduce sum -"),
                (b"LZIP\1\x14", "lzip", "lzip -dc x | onefold reduce sum -"),
                (b"7z\xbc\xaf\x27\x1c\0\4", "7z", "7z e -so x MEMBER | onefold reduce sum -"),
                (b"a.txt" + bytes(252) + b"ustar\x0000", "tar", "tar -xOf x MEMBER | onefold reduce sum -"),
                (b"FEA1\0\0", "a Feather file", "read_feather"), (b"ORC\x0a\3", "an ORC file", "read_orc"),
                (b"\x89HDF\r\n\x1a\n", "an HDF5 file", "h5py.File(sys.argv[1])['DATASET'][()])\" x | onefold"),
                (b"MATLAB 7.3".ljust(512) + b"\x89HDF\r\n\x1a\n", "MATLAB 7.3", "h5py"),
                (b"MATLAB 5.0 MAT-file, \1", "a MATLAB file", "loadmat"), (b"CDF\x01\0", "NetCDF", "netcdf_file"),
                (b"CDF\x02\0", "NetCDF", "netcdf_file"),
                (b"SIMPLE  =      T", "a FITS file", "astropy"), (b"SQLite format 3\0", "SQLite", "sqlite3 x"),
                (b"%PDF-1.4\n", "PDF", "pdftotext")):
            with self.subTest(kind=kind):
                for words in (["sum"], ["sum", "--dtype", "f64"], ["sum", "--input", "text"]):
                    if magic[:4] == b"SIMP" and len(words) > 1:
                        continue
                    self.named(magic + filler, kind, command.replace("sum -", " ".join(words[:1])), words=words)
                self.named(gzip.compress(magic + filler), kind, "gzip -dc x", "onefold reduce sum -")
                done = self.run_program("reduce", "sum", given=magic + filler)
                self.check_error(done, 3, "standard input", kind, "onefold reduce sum -")
                # As elements they are as good as any.
                content = magic + filler
                self.assertEqual(self.reduced("sum", self.file("y", content), "--dtype", "u8", "--input", "raw")["n"],
                                 len(content))

    def test_zip_in_gzip(self):
        self.named(gzip.compress(b"PK\x03\x04" + bytes(100)), "a zip archive", "gzip -dc x", "unzip -p")

    def test_options_are_kept(self):
        self.named(b"\x28\xb5\x2f\xfd\0", "zstd -dc x | onefold reduce max --dtype f32 --column 'a b' --missing skip -",
                   words=("max", "--column", "a b", "--dtype", "f32", "--missing", "skip"))
        # Any of them may change the answer.
        self.named(b"\x28\xb5\x2f\xfd\0", "zstd -dc x | onefold reduce sum --dtype i8 --input text --column 1 --separator tab"
                   " --header --integers round --backend sequential --accuracy wide --threads 1 --isa automatic --init=-5"
                   " --format json --explain -",
                   words=("sum", "--init", "-5", "--explain", "--threads", "1", "--isa", "automatic", "--format", "json",
                          "--input", "text", "--backend", "sequential", "--header", "--column", "1", "--accuracy", "wide",
                          "--integers", "round", "--dtype", "i8", "--separator", "tab"))
        self.named(b"\x28\xb5\x2f\xfd\0", "zstd -dc x | onefold reduce variance --dtype i8 --result f32 -",
                   words=("variance", "--result", "f32", "--dtype", "i8"))
        done = self.run_program("accuracy", "--op", "mean", self.file("y", b"\x28\xb5\x2f\xfd\0"))
        self.check_error(done, 3, "| onefold accuracy --op mean -")

    def test_one_of_several_files(self):
        self.file("y", b"1")
        self.named(b"\x28\xb5\x2f\xfd\0", "; this reads this file alone: zstd -dc x | onefold reduce sum -",
                   words=("sum", "y"))
        self.named(b"\x28\xb5\x2f\xfd\0", "; this reads it: zstd -dc x | onefold reduce sum -")

    def test_names_are_quoted(self):
        for name, word in (("it's", "'it'\\''s'"), ("a b", "'a b'"), ("$(x)", "'$(x)'"), ("-x", "./-x"),
                           ("\x1b[31m", "$'\\x1b[31m'")):
            path = os.path.join(self.directory, name)
            with open(path, "wb") as file:
                file.write(b"\x28\xb5\x2f\xfd\0")
            done = self.run_program("reduce", "sum", "--", name, cwd=self.directory)
            self.check_error(done, 3, f"zstd -dc {word} | onefold reduce sum -")

    def test_titles_that_look_like_magic(self):
        for title in ("PAR1", "FEA1", "ORC", "ARROW1"):
            self.assertEqual(self.reduced("sum", "--column", title, given=f"{title},b\n1,2\n")["value"], 1)

    def test_json(self):
        for content in ("[1, 2, 3]", "  [\n1.5]", "[]", '["1"]'):
            self.named(content, "found JSON", "json.load(open(sys.argv[1])))\" x | onefold reduce sum -")
        self.named('{"a": [1, 2]}\n', "found JSON", "['KEY'])\" x |")
        self.named('{"a": 1}\n{"a": 2}\n', "found JSON lines", "['KEY'] for line in")
        self.named('{"a": [1, 2]}\n', "found JSON", words=("sum", "--column", "a"))
        self.assertEqual(self.reduced("sum", "--column", "[a]", given="[a],[b]\n1,2\n")["value"], 1)
        r = self.reduced("sum", self.file("r", packed("u8", [0x5b, 0, 1])), "--dtype", "u8")
        self.assertEqual(r["value"], 0x5c)

    def test_utf_16(self):
        text = "1\n2.5\r\n"
        for encoding, name in (("utf-16-le", "UTF-16LE"), ("utf-16-be", "UTF-16BE")):
            for mark in ("", "\ufeff"):
                content = (mark + text).encode(encoding)
                self.named(content, "text in UTF-16",
                           f"iconv -f {'UTF-16' if mark else name} -t UTF-8 x | onefold reduce sum -")
                self.check_error(self.run_program("reduce", "sum", "--column", "1", given=content), 3, "UTF-16", "iconv")
        self.named("\ufeffprix €,x\n1,2\n".encode("utf-16-le"), "text in UTF-16", words=("sum", "--column", "x"))
        self.named(("\ufeff" + text).encode("utf-16-le"), "text in UTF-16", words=("sum", "--dtype", "i32"))
        self.named(("\ufeff" + text).encode("utf-32-le"), "text in UTF-32")
        # Elements that are no text.
        self.assertEqual(self.reduced("sum", self.file("y", packed("i16", [-2, 1])), "--dtype", "i16")["value"], -1)
        self.assertEqual(self.reduced("sum", self.file("y", packed("u16", [49, 50])), "--dtype", "u16")["value"], 99)

    @unittest.skipUnless(shutil.which("iconv") and shutil.which("xz"), "iconv and xz are not installed")
    def test_the_lines_work(self):
        environment = {**os.environ, "PATH": os.path.dirname(PROGRAM) + ":" + os.environ["PATH"]}
        for name, content in (("a 'b.txt", "\ufeff1\n2\n".encode("utf-16-le")), ("c.json", b"[1, 2]"), ("d.json", b"[3]"),
                              ("e.gz", gzip.compress("\ufeff1\n2\n".encode("utf-16-le")))):
            self.file(name, content)
            done = self.run_program("reduce", "sum", name, cwd=self.directory)
            self.check_error(done, 3)
            line = done.stderr.decode().split("; this reads it: ")[1]
            got = subprocess.run(["bash", "-c", line], cwd=self.directory, env=environment, capture_output=True, check=False)
            self.assertEqual((got.stdout, got.stderr), (b"3\n", b""), line)


if __name__ == "__main__":
    unittest.main()
