"""Parquet and Arrow files: a column through Python's pyarrow, and what is said without it."""

import gzip
import json
import os
import resource
import signal
import stat
import struct
import subprocess
import sys
import time
import unittest

from support import PROGRAM, SANITIZED, ProgramTest, packed

PARQUET, ARROW = b"PAR1\x15\x04\x15", b"ARROW1\0\0\xff\xff\xff\xff"


def arrow_stream(header=1, length=32, vtable_size=10, root=16, back=12):
    """The message of a schema, as far as it is looked at: the mark, the length, the root; the vtable; the table."""
    return struct.pack("<iiI5HxxiHBxI", -1, length, root, vtable_size, 16, 4, 6, 8, back, 4, header, 16)


STREAM = arrow_stream()


def python_with_pyarrow():
    """A Python that has pyarrow, or None."""
    for python in (os.environ.get("ONEFOLD_PYTHON"), sys.executable, "/usr/bin/python3", "python3"):
        try:
            if python and subprocess.run([python, "-Ic", "import pyarrow"], capture_output=True, check=False).returncode == 0:
                return python
        except OSError:
            pass
    return None


class StandIn(ProgramTest):
    """A script in the place of Python: it gets -Ic, the program's script, the file, its kind, the column, the rule."""

    def python(self, text):
        path = self.file("python", "#!/bin/sh\n" + text)
        os.chmod(path, stat.S_IRWXU)
        return {"ONEFOLD_PYTHON": path}

    def test_what_is_asked_and_answered(self):
        x = [0.1, 0.2, -3.5]
        content = self.file("content", packed("f32", x))
        seen = os.path.join(self.directory, "seen")
        environment = self.python(f'printf "%s\\n" "$1" "$3" "$4" "$5" "$6" > "{seen}"\necho f32\ncat "{content}"\necho 4 >&2\n')
        wanted = self.reduced("sum", content, "--dtype", "f32")["bits"]
        for magic, kind in ((PARQUET, "parquet"), (ARROW, "arrow"), (STREAM, "stream")):
            path = self.file("some.file", magic)
            for words, column, rule in (([], "", "skip"), (["--column", "3"], "#3", "skip"),
                                        (["--column", "price", "--missing", "error"], "=price", "error"),
                                        (["--column", '"3"', "--missing", "zero"], "=3", "zero")):
                r = self.reduced("sum", path, *words, environment=environment)
                self.assertEqual((r["bits"], r["n"], r["missing"]), (wanted, 3, 4))
                with open(seen, encoding="ascii") as file:
                    self.assertEqual(file.read().splitlines(), ["-Ic", os.path.realpath(path), kind, column, rule])
        text, note = self.noted("sum,max", path, environment=environment)
        self.assertRegex(text, r"\Asum -3\.2\S*\nmax 0\.2\n\Z")
        self.assertEqual(note, "4 missing values (--missing skip)")
        r = self.reduced("sum", path, "--explain", environment=environment)["inputs"][0]
        self.assertEqual((r["format"], r["n"]), ("columnar", 3))
        with open(path, "rb") as file:
            self.assertEqual(self.reduced("sum", "/dev/stdin", stdin=file, environment=environment)["n"], 3)
        with open(seen, encoding="ascii") as file:  # Python's own standard input is another one
            self.assertEqual(file.read().splitlines()[1], os.path.realpath(path))
        # No nulls: no note of them.
        self.assertEqual(self.output("count", path, environment=self.python("echo u8; printf abc; echo 0 >&2")), "3\n")
        self.assertEqual(self.noted("count", path, environment=self.python("echo i64; echo 7 >&2")),
                         ("0\n", "7 missing values (--missing skip)"))

    def test_failures(self):
        path = self.file("x", PARQUET)
        for script, pieces in (("exit 77", ["found a Parquet file, which Python reads, but", "/python\" lacks pyarrow; install it (pip", "ONEFOLD_PYTHON"]),
                               ("echo 'no such column' >&2; exit 3", ["x: no such column"]),
                               ("echo f64; head -c 800 /dev/zero; echo broken >&2; exit 1", ["could not read: broken"]),
                               ("echo f64; head -c 800 /dev/zero; exit 9", ["could not read: it ended with code 9"]),
                               ("echo f64; kill -9 $$", ["it ended with code 137"]),
                               ("echo f64; head -c 804 /dev/zero; echo 0 >&2", ["expected whole elements"]),
                               ("echo f64; echo none >&2", ["could not read: none"]),
                               ("echo f65; echo 0 >&2", ["expected a line with its type"]),
                               ("head -c 99 /dev/zero; echo 0 >&2", ["expected a line with its type"]),
                               ("echo 0 >&2", ["expected a line with its type"])):
            for words in ([], ["--skip-nan"]):
                with self.subTest(script=script, words=words):
                    self.refused(3, [f"{path}: ", *pieces], "sum", path, *words, environment=self.python(script))
        for python, why in (("/nowhere/python", "No such file or directory"), (self.directory, "Permission denied")):
            self.refused(3, [f'{path}: ', f'which Python reads, but "{python}" cannot run: {why}; install Python 3 with pyarrow (pip install pyarrow), or'],
                         "sum", path, environment={"ONEFOLD_PYTHON": python})
        self.refused(3, ["python3: not found; install Python 3 with pyarrow"], "sum", path,
                     environment=self.python("echo python3: not found >&2; exit 127"))
        self.refused(3, ["the column holds u8, but --dtype says f32"], "sum", path, "--dtype", "f32",
                     environment=self.python("echo u8; sleep 100"))

    def test_signals(self):
        """What the program's parent ignores changes neither what Python meets nor how its end is told."""
        def ignored():
            for one in (signal.SIGCHLD, signal.SIGPIPE):
                signal.signal(one, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])

        path, seen = self.file("x", PARQUET), os.path.join(self.directory, "signals")
        for script, words in (("exit 77", "lacks pyarrow"), ("echo f64; exit 9", "it ended with code 9"),
                              ("echo f64; kill -9 $$", "it ended with code 137")):
            with self.subTest(script=script):
                self.refused(3, [words], "sum", path, environment=self.python(script), preexec_fn=ignored)
        self.output("count", path, preexec_fn=ignored,
                    environment=self.python(f'grep "Sig[BI]" /proc/self/status > "{seen}"\necho u8; echo 0 >&2'))
        with open(seen, encoding="ascii") as file:
            masks = {line.split(":")[0]: int(line.split()[1], 16) for line in file}
        self.assertEqual(masks["SigBlk"], 0)
        for one in (signal.SIGCHLD, signal.SIGPIPE):
            self.assertEqual(masks["SigIgn"] >> (one - 1) & 1, 0)

    def test_options(self):
        path, environment = self.file("x", ARROW), self.python("exit 5")
        for words, pieces in ((["--column", "a,b"], ["run one command for each column"]),
                              (["--column", "a", "--by", "b"], ["--by applies to text"]),
                              (["--column", "a", "--separator", "tab"], ["--separator applies to text"]),
                              (["--header"], ["--header applies"]), (["--integers", "round"], ["--integers applies"]),
                              (["--input", "text"], ["an Arrow (Feather) file; leave --input out"])):
            self.refused(3, pieces, "sum", path, *words, environment=environment)
        self.assertEqual(self.reduced("sum", path, "--input", "raw", "--dtype", "u8")["n"], len(ARROW))

    def test_raw_elements_that_are_no_stream(self):
        near = [{"header": 3}, {"length": 33}, {"vtable_size": 8}, {"root": 1 << 30}, {"back": -(1 << 30)}, {"back": 1 << 30}]
        for content in (STREAM[:30], packed("i32", [-1, 8, 0, 0, 0, 0]), *(arrow_stream(**change) for change in near)):
            self.assertEqual(self.reduced("count", self.file("x", content), "--dtype", "u8")["n"], len(content))

    def test_what_is_not_a_file_of_its_own(self):
        for content, kind in ((PARQUET, "a Parquet file"), (ARROW, "an Arrow (Feather) file"), (STREAM, "an Arrow stream")):
            done = self.run_program("reduce", "sum", "--column", "a", given=content)
            self.check_error(done, 3, f"found {kind}; this reads it: cat > FILE; onefold reduce sum --column a FILE")
            self.file("x.gz", gzip.compress(content))
            self.refused(3, [f"found {kind}; this reads it: gzip -dc x.gz > FILE; onefold reduce sum FILE"], "sum", "x.gz",
                         cwd=self.directory)
            fifo = os.path.join(self.directory, "fifo")
            if not os.path.exists(fifo):
                os.mkfifo(fifo)
            with subprocess.Popen(["sh", "-c", 'printf "PAR1\\025" > fifo'], cwd=self.directory):
                self.refused(3, ["cat fifo > FILE; onefold reduce sum FILE"], "sum", "fifo", cwd=self.directory)

    def test_ends_with_the_program(self):
        path = self.file("x", PARQUET)
        number = os.path.join(self.directory, "pid")
        environment = self.python(f'echo $$ > "{number}"\necho f64\nhead -c 8192 /dev/zero\nexec sleep 100')
        partial = os.path.join(self.directory, "p")
        with subprocess.Popen([PROGRAM, "reduce", "sum", path, "--save-partial", partial], stderr=subprocess.PIPE,
                              env={**os.environ, **environment}, start_new_session=True) as program:
            while not os.path.exists(number) or not os.path.getsize(number):
                time.sleep(0.01)
            time.sleep(0.3)
            os.killpg(program.pid, signal.SIGINT)  # as a terminal sends it
            told = program.communicate(timeout=self.limit)[1].decode()
        self.assertEqual(program.returncode, 130, told)
        self.assertIn("holds the partial of the elements [0, 1024)", told)
        with open(number, encoding="ascii") as file, self.assertRaises(ProcessLookupError):
            os.kill(int(file.read()), 0)

    @unittest.skipIf(SANITIZED, "a sanitizer needs more memory")
    def test_bounded_memory(self):
        path, size = self.file("x", PARQUET), 1 << 30
        environment = self.python(f"echo f64; head -c {size} /dev/zero; echo 0 >&2")
        addresses = 300 << 20
        for operation, wanted in (("sum", "0\n"), ("sum,mean,argmin", "sum 0\nmean 0\nargmin 0\n")):
            done = self.run_program("reduce", operation, path, "--threads", "2", environment=environment,
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses)))
            self.assertEqual((done.returncode, done.stdout.decode(), done.stderr), (0, wanted, b""))


MAKE = """
import sys
import pyarrow as pa, pyarrow.feather, pyarrow.parquet
import array, datetime, struct
folder, n = sys.argv[1], int(sys.argv[2])
nulls = [i % 7 == 3 or 500 < i < 900 for i in range(n)]
ints = [(i * 7919) % 251 - 125 for i in range(n)]
some = lambda values: [None if null else v for v, null in zip(values, nulls)]
columns = {}
for name, kind in (("i8", pa.int8()), ("i16", pa.int16()), ("i32", pa.int32()), ("i64", pa.int64()), ("f32", pa.float32()),
                   ("f64", pa.float64())):
    columns[name] = pa.array(some([v / 8 for v in ints] if name[0] == "f" else ints), kind)
    columns["all_" + name] = pa.array([v / 8 for v in ints] if name[0] == "f" else ints, kind)
for name, kind in (("u8", pa.uint8()), ("u16", pa.uint16()), ("u32", pa.uint32()), ("u64", pa.uint64())):
    columns[name] = pa.array(some([abs(v) for v in ints]), kind)
columns["f16"] = pa.array(some([v / 8 for v in ints]), pa.float32()).cast(pa.float16())
columns["ok"] = pa.array(some([v > 0 for v in ints]))
columns["none"] = pa.array([None] * n, pa.float64())
columns["a.b"] = pa.array(ints, pa.int32())
columns["day"] = pa.array([datetime.date(2020, 1, 1)] * n)
columns["time"] = pa.array([datetime.datetime(2020, 1, 1)] * n)
columns["word"] = pa.array(["a"] * n)
columns["code"] = pa.array(["a"] * n).dictionary_encode()
columns["list"] = pa.array([[1.0]] * n)
table = pa.table(columns)
pa.parquet.write_table(table, folder + "/t.parquet", row_group_size=997)
pa.feather.write_feather(table, folder + "/t.feather", compression="lz4", chunksize=613)
with pa.OSFile(folder + "/t.arrow", "wb") as f, pa.ipc.new_file(f, table.schema) as w:
    w.write_table(table.slice(5), max_chunksize=100)  # sliced: offsets in the bitmaps
pa.parquet.write_table(pa.table({"i": pa.array(range(150001), pa.int32())}), folder + "/one.parquet")
same = pa.table([pa.array(ints[:9], pa.int64()), pa.array([v / 8 for v in ints[:9]]), pa.array([{"b": 1}] * 9),
                 pa.array(ints[:9], pa.int32())], names=["x", "x", "a", "a.b"])
pa.parquet.write_table(same, folder + "/same.parquet")
with pa.OSFile(folder + "/t.arrows", "wb") as f, pa.ipc.new_stream(f, table.schema) as w:
    for batch in table.to_batches(max_chunksize=613):
        w.write_batch(batch)
with pa.OSFile(folder + "/same.arrow", "wb") as f, pa.ipc.new_file(f, same.schema) as w:
    w.write_table(same)
pa.feather.write_feather(table.slice(0, 0).select(["f64"]), folder + "/empty.feather")
"""


@unittest.skipUnless(python_with_pyarrow(), "no Python has pyarrow: pip install pyarrow, and name it in ONEFOLD_PYTHON")
class Pyarrow(ProgramTest):
    n = 3000

    def setUp(self):
        super().setUp()
        self.environment = {"ONEFOLD_PYTHON": python_with_pyarrow()}
        subprocess.run([python_with_pyarrow(), "-Ic", MAKE, self.directory, str(self.n)], check=True)

    def path(self, name):
        return os.path.join(self.directory, name)

    def rows(self, file):
        nulls = [i % 7 == 3 or 500 < i < 900 for i in range(self.n)]
        ints = [(i * 7919) % 251 - 125 for i in range(self.n)]
        return list(zip(ints, nulls))[5 if file == "t.arrow" else 0:]

    def check_column(self, file, name, rule):
        """Several operations, which Python's start makes one run."""
        rows = self.rows(file)
        value = (lambda v: v / 8) if name[0] == "f" else abs if name[0] == "u" else (lambda v: v)
        values = [0 if null else value(v) for v, null in rows if rule == "zero" or not null]
        raw = self.file("raw", packed(name, values))
        words = ["reduce", "sum,stddev,argmin", "--format", "json"]
        got = self.output(*words, self.path(file), "--column", name, "--missing", rule, environment=self.environment)
        wanted = self.output(*words, raw, "--dtype", name, "--input", "raw")
        for one, other in zip(got.splitlines(), wanted.splitlines(), strict=True):
            one, other = json.loads(one), json.loads(other)
            self.assertEqual((one["bits"], one["n"]), (other["bits"], len(values)))
            self.assertEqual(one["missing"], sum(null for _, null in rows))

    def test_bits_of_the_valid_elements(self):
        for file in ("t.parquet", "t.feather", "t.arrow", "t.arrows"):
            for name in ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"):
                for rule in ("skip", "zero") if name in ("i32", "f16", "f64") else ("skip", ):
                    with self.subTest(file=file, column=name, rule=rule):
                        self.check_column(file, name, rule)

    def test_other_columns(self):
        for file in ("t.parquet", "t.feather", "t.arrow", "t.arrows"):
            rows = self.rows(file)
            get = lambda op, *words, f=file: self.reduced(op, self.path(f), *words, environment=self.environment)
            self.assertEqual(get("sum", "--column", "ok")["value"], sum(v > 0 and not null for v, null in rows))
            self.assertEqual(get("sum", "--column", "a.b")["value"], sum(v for v, _ in rows))
            self.assertNotIn("missing", get("sum", "--column", "all_f64"))
            r = get("sum", "--column", "none")
            self.assertEqual((r["value"], r["n"], r["missing"]), (0, 0, len(rows)))
            self.assertEqual(get("sum", "--column", "2", "--missing", "error")["bits"],
                             get("sum", "--column", "all_i8")["bits"])  # the second column
        # One row group of several batches, which are slices of it.
        r = self.reduced("sum", self.path("one.parquet"), environment=self.environment)
        self.assertEqual((r["value"], r["n"]), (150000 * 150001 // 2, 150001))
        self.assertEqual(self.output("sum", self.path("empty.feather"), environment=self.environment), "0\n")
        both = [self.path("t.parquet"), self.path("t.feather")]
        total = sum(not null for _, null in self.rows(""))
        self.assertEqual(self.reduced("sum", *both, "--column", "f32", environment=self.environment)["n"], 2 * total)

    def test_columns_of_one_name(self):
        ints = [v for v, _ in self.rows("")[:9]]
        for file in ("same.parquet", "same.arrow"):
            for column, wanted in (("1", sum(ints)), ("2", sum(ints) / 8), ("a.b", sum(ints)), ("4", sum(ints))):
                with self.subTest(file=file, column=column):
                    r = self.reduced("sum", self.path(file), "--column", column, environment=self.environment)
                    self.assertEqual(r["value"], wanted)
            self.refused(3, ['2 columns are named "x"; give the position of one'], "sum", self.path(file), "--column",
                         "x", environment=self.environment)
            self.refused(3, ["has 4 columns; choose one by --column: x, a, a.b\n"], "sum", self.path(file),
                         environment=self.environment)

    def test_what_is_refused(self):
        for file in ("t.parquet", "t.feather", "t.arrow", "t.arrows"):
            for column, pieces in (("day", ['column "day" is of Arrow type date32[day], not of numbers; cast it to int32']),
                                   ("time", ["timestamp[us], not of numbers; cast it to int64"]),
                                   ("word", ["string, not of numbers; cast it to a number type such as float64"]),
                                   ("code", ["dictionary<", "decode it: cast it to string"]),
                                   ("list", ["list<", "flatten it into columns of numbers"]),
                                   ("f46", ['unknown column "f46"; did you mean f', "Choices: i8, all_i8"]),
                                   ("99", ["column 99 does not exist; the file has 25: i8, ", ", and 5 more\n"])):
                self.refused(3, [self.path(file) + ": ", *pieces], "sum", self.path(file), "--column", column,
                             environment=self.environment)
            self.refused(3, ["columns; choose one by --column: i8, all_i8"], "sum", self.path(file),
                         environment=self.environment)
            row = 4 if file != "t.arrow" else 6
            self.refused(3, [f'column "f64", row {row}: a missing value (null): --missing skip leaves it out'], "sum",
                         self.path(file), "--column", "f64", "--missing", "error", environment=self.environment)
        with open(self.path("t.parquet"), "rb") as file:
            cut = self.file("cut", file.read()[:-100])
        self.refused(3, [cut, "which Python could not read: ", "Parquet"], "sum", cut, environment=self.environment)


if __name__ == "__main__":
    unittest.main()
