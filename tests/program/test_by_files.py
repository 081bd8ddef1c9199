"""Tables: what --output stores of them, and what is refused."""

import ast
import json
import os
import resource
import struct
import unittest

from support import COUNTED, SANITIZED, ProgramTest, npy
from test_npy_output import read_npy


class Files(ProgramTest):
    def test_rows_of_keys(self):
        out = os.path.join(self.directory, "o.npy")
        text = "k,v,w\na,1,2\nlonger é,3,4\na,5,6\n"
        self.assertEqual(self.output("reduce", "sum,argmax", "--column", "v,w", "--by", "k", "-o", out, given=text), "")
        descr, shape, content = read_npy(out)
        self.assertEqual(descr, [("k", "|S9"), ("v_sum", "<f8"), ("v_argmax", "<i8"), ("w_sum", "<f8"), ("w_argmax", "<i8")])
        self.assertEqual((shape, [*struct.iter_unpack("<9sdqdq", content)]),
                         ((2,), [(b"a" + bytes(8), 6, 1, 8, 1), ("longer é".encode(), 3, 0, 4, 0)]))

    def test_json_names_the_file_in_place_of_what_it_holds(self):
        out = os.path.join(self.directory, "o.npy")
        table = ["sum,mean", "--column", "v,w", "--by", "k"], "k,v,w\nb,1,2\nlonger é,3,4\nb,5,6\n"
        matrix = ["sum,mean", "--shape", "2x3", "--axis", "0"], "1 2 3 4 5 6"
        for (words, text), held in ((table, {"keys", "value", "bits"}), (matrix, {"value", "bits"})):
            printed, written = ([json.loads(line) for line in self.output("reduce", *words, *more, "--format", "json",
                                                                          given=text).splitlines()]
                                for more in ([], ["-o", out]))
            self.assertEqual(len(printed), len(written))
            for alone, beside in zip(printed, written):
                self.assertEqual((set(alone) - set(beside), set(beside) - set(alone)), (held, {"output"}))
                self.assertEqual(beside["output"], out)
            descr, _, content = read_npy(out)
            size = len(content) // len(printed[0]["value"])
            records = [content[i:i + size] for i in range(0, len(content), size)]
            if "keys" in held:
                length = int(descr[0][1][2:])
                self.assertEqual([r[:length].rstrip(b"\0").decode() for r in records], printed[0]["keys"])
            numbers = [struct.unpack(f"<{len(printed)}d", r[-8 * len(printed):]) for r in records]
            self.assertEqual([list(column) for column in zip(*numbers)], [line["value"] for line in printed])

    def test_rows_of_columns(self):
        out = os.path.join(self.directory, "o.npy")
        self.output("reduce", "minmax", "--column", "v,long name", "-o", out, given="v,long name\n1,2\n3,4\n")
        self.assertEqual(read_npy(out), ([("column", "|S9"), ("minmax_min", "<f8"), ("minmax_max", "<f8")], (2,),
                                         struct.pack("<9sdd9sdd", b"v", 1, 3, b"long name", 2, 4)))

    def test_no_rows(self):
        out = os.path.join(self.directory, "o.npy")
        self.output("reduce", "mean", "--column", "v", "--by", "k", "-o", out, given="k,v\n")
        self.assertEqual(read_npy(out), ([("k", "|S1"), ("v_mean", "<f8")], (0,), b""))

    def test_names_of_fields(self):
        out = os.path.join(self.directory, "o.npy")
        name = "it's \\ é \u6771 \U0001f600 \x1b"
        self.output("reduce", "sum", "--column", name, "--by", "k", "-o", out, given=f"k,{name}\nx,1\n")
        self.assertEqual(read_npy(out)[0], [("k", "|S1"), (name + "_sum", "<f8")])

    def test_one_long_key_makes_every_row_as_long(self):
        out = os.path.join(self.directory, "o.npy")
        with open("/proc/meminfo", encoding="ascii") as file:
            memory = next(int(line.split()[1]) << 10 for line in file if line.startswith("MemTotal:"))
        count = memory // 1_000_000 + 1
        text = "k,v\n" + "x" * 1_000_000 + ",1\n" + "".join(f"{i},1\n" for i in range(count))
        self.refused(1, [f"{out} cannot be written: the data is larger than the ", " GB of memory that are free for it: "
                         f"{count + 1} rows of 1000008 bytes, of which every key takes 1000000, as many as the longest one\n"],
                     "sum", "--column", "v", "--by", "k", "-o", out, given=text)
        self.assertFalse(os.path.exists(out))

    def test_a_long_header_is_of_version_2(self):
        out = os.path.join(self.directory, "o.npy")
        count = 2000
        text = ",".join(f"c{i}" for i in range(count)) + "\n" + ",".join(map(str, range(count))) + "\n"
        self.output("reduce", "minmax", "--column", ",".join(f"c{i}" for i in range(1, count)), "--by", "c0", "-o", out,
                    given=text)
        with open(out, "rb") as file:
            content = file.read()
        self.assertEqual(content[:8], b"\x93NUMPY\2\0")
        length = struct.unpack("<I", content[8:12])[0]
        self.assertEqual((12 + length) % 64, 0)
        header = ast.literal_eval(content[12:12 + length].decode().strip())
        self.assertEqual((len(header["descr"]), header["shape"]), (2 * count - 1, (1,)))
        self.assertEqual(struct.unpack_from("<4d", content[12 + length:], 1), (1, 1, 2, 2))


class Refusals(ProgramTest):
    TABLE = "region,price,qty\nnorth,1,2\n"

    def wrong(self, code, pieces, *words, op="sum"):
        self.refused(code, pieces, op, *words, given=self.TABLE)

    def test_columns(self):
        self.wrong(3, ['line 1, character 1: expected a column named "regoin"', 'did you mean "region"?'], "--column",
                   "price", "--by", "regoin")
        self.wrong(3, ['expected a column named "Prices"', 'did you mean "price"?'], "--column", "qty,Prices")
        self.wrong(3, ["at least 4 columns"], "--column", "2", "--by", "4", "--header")
        self.wrong(2, ['standard input: --by: column "qty" is also reduced (--column qty); expected another column'],
                   "--column", "price,qty", "--by", "qty")
        self.wrong(2, ['--by: column "2" is also reduced (--column price)'], "--column", "price", "--by", "2")
        self.wrong(2, ['--column: "price" and "2" are the same column; expected each once'], "--column", "price,2")
        for column in ("price,qty,price", "2,price,2", '"2","2"'):
            self.wrong(2, ["--column: column", "is listed twice; expected each once"], "--column", column)
        self.wrong(2, ["--by requires --column"], "--by", "region")
        self.wrong(2, ['--by: expected one column, found "region,qty"'], "--column", "price", "--by", "region,qty")
        for words in (["--column", "price,", "--by", "qty"], ["--column", ",", "--by", "qty"], ["--column", "price", "--by="]):
            self.wrong(2, ["expected a position (from 1) or a name, found"], *words)
        self.wrong(2, ["--by: given twice"], "--column", "price", "--by", "qty", "--by", "qty")
        self.wrong(2, ["--by: expected an integer from 1 to"], "--column", "price", "--by", "0")

    def test_names_with_commas_and_names_that_repeat(self):
        table = self.file("t.csv", '"last, first",a,a,b,b,b,b\n1,2,3,4,5,6,7\n')
        for column in ("last, first", " first", "1,last"):
            self.refused(3, ['did you mean "last, first"? A name with a comma is given in double quotes: \'"last, first"\''],
                         "sum", table, "--column", column)
        self.assertEqual(self.output("sum", table, "--column", '"last, first"'), "1\n")
        self.refused(3, ['one column named "a", found columns 2 and 3 (give the position of one)'], "sum", table, "--column", "a")
        self.refused(3, ["found columns 4, 5 and 2 more (give the position"], "sum", table, "--column", "1", "--by", "b")

    def test_many_columns_by_name(self):
        """Each name is looked up, not searched for in the line."""
        names = [f"c{i}" for i in range(12_000)]
        table = self.file("t.csv", ",".join(names) + "\n" + ",".join(map(str, range(len(names)))) + "\n")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        lines = self.output("sum", table, "--column", ",".join(reversed(names))).splitlines()
        self.assertEqual((lines[1].split(), lines[-1].split()), (["c11999", "11999"], ["c0", "0"]))
        if not SANITIZED and not COUNTED:
            self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 2)

    def test_names_of_results(self):
        out = os.path.join(self.directory, "o.npy")
        text = "k,a,a_minmax,k_sum,2\nx,1,2,3,4\n"
        for words, what, name in ((["minmax,min", "--column", "a,a_minmax", "--by", "k"], "columns", "a_minmax_min"),
                                  (["sum", "--column", "k", "--by", "k_sum"], "columns", "k_sum"),
                                  (["sum", "--column", '2,"2"', "--by", "k"], "columns", "2_sum"),
                                  (["sum", "--column", '2,"2"'], "rows", "2")):
            for more in ([], ["-o", out], ["-o", out, "--format", "json"]):
                # Before anything is read: the lines, the header and whether there is anything.
                for given in (text, text + "not a row\n", "b,c\n", ""):
                    self.refused(2, [f'onefold: two {what} of the result would be named "{name}"; give a column by its '
                                     "position, or use --format json without --output\n"], *words, *more, given=given)
        self.assertFalse(os.path.exists(out))
        table = self.output("reduce", "minmax,min", "--column", "2,a_minmax", "--by", "k", given=text)
        self.assertEqual(table.split("\n")[0].split()[1:3], ["2_minmax_min", "2_minmax_max"])
        words = ("minmax,min", "--column", "a,a_minmax", "--by", "k", "--format", "json")
        found = [json.loads(line) for line in self.output("reduce", *words, given=text).splitlines()]
        self.assertEqual([(f["column"], f["op"]) for f in found],
                         [("a", "minmax"), ("a", "min"), ("a_minmax", "minmax"), ("a_minmax", "min")])

    def test_records(self):
        path = self.file("t.csv", "k,v\na,1\nb\nc,2\n")
        self.refused(3, ["t.csv: line 3, character 2", "2 columns, as in the first line"], "sum", path, "--column", 2, "--by", 1,
                     "--header")
        self.refused(3, ["t.csv: line 1, character 3", "expected a number"], "sum", path, "--column", 2, "--by", 1)
        self.refused(3, ["t.csv: line 2, character 1", "expected a number"], "sum", path, "--column", "k", "--by", "v")
        path = self.file("q.csv", 'k,1\n"a,1\n')
        self.refused(3, ["q.csv: line 2, character 1", "a quote that is closed"], "sum", path, "--column", 2, "--by", 1)

    def test_files_without_columns(self):
        path = self.file("a.npy", npy("f32", [1, 2]))
        self.refused(3, ["a.npy: --by applies to text; this file is read as npy"], "sum", path, "--column", 1, "--by", 2)
        self.refused(2, ["--by applies to text, not to --input raw"], "sum", path, "--dtype", "f32", "--input", "raw",
                     "--column", 1, "--by", 2)

    def test_shapes(self):
        for words, option in ((["--axis", 0], "--axis"), (["--keep"], "--keep"), (["--shape", "1x1"], "--shape")):
            self.wrong(2, [f"{option} applies to one array, not to --by"], "--column", "price", "--by", "qty", *words)
            self.wrong(2, [f"{option} applies to one array, not to several columns"], "--column", "price,qty", *words)

    def test_other_commands(self):
        for command in ("accuracy", "bench"):
            done = self.run_program(command, "--column", "1,2", "-", given="1,2")
            self.check_error(done, 2, '--column: expected one column, found "1,2"')

    def test_results_that_cannot_be(self):
        text = f"k,v,w\na,1,1\nb,{2**63 - 1},1\nb,1,1\n"
        words = ("--column", "w,v", "--by", "k", "--dtype", "i64", "--accuracy", "exact")
        self.refused(3, ['standard input: column "v": sum has no result'], "sum", *words, given=text)


if __name__ == "__main__":
    unittest.main()
