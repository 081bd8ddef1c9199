"""Tables: rows by key and by column, the bits of each cell, keys of any text, and missing ones."""

import json
import os
import pty
import random
import subprocess
import unittest

from support import PROGRAM, ProgramTest, npy

OPERATIONS = ("sum", "mean", "min", "argmax", "minmax", "moments", "count", "variance")
HAVE_VALUES_OF_NOTHING = {"sum", "count"}


def as_field(text):
    """A field of a table with commas."""
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ' ,;\t"#\n') else text


class Cells(ProgramTest):
    """Each cell has the bits of a reduction of its column's values with its key, in their order, alone."""

    def table(self, generator, keys, rows, columns, rule):
        """Rows of a key and fields; and the fields of each key and column in their order."""
        chances = [generator.random() ** 3 + 0.01 for _ in keys]
        names = generator.choices(keys, chances, k=rows)
        if generator.random() < 0.3:
            names.sort(key=keys.index)
        lines, parts = [], {}
        for name in names:
            fields = [f"{generator.randrange(-100, 100)}" if generator.random() < 0.5 else
                      f"{generator.uniform(-1, 1) * 2.0 ** generator.randrange(-30, 30)!r}" for _ in range(columns)]
            if rule:
                fields = [generator.choice(("", "NA")) if generator.random() < 0.1 else f for f in fields]
            lines.append([name, *fields])
            for c, f in enumerate(fields):
                parts.setdefault(name, [[] for _ in range(columns)])[c].append(f)
        return lines, parts

    def test_of_random_tables(self):
        generator = random.Random(2026)
        backends = [b for b in self.available_backends() if b != "cuda"]
        texts = ["a", "b c", "x,y", 'q"q', "7", "7.0", "é", "NA", "-", "#1", "a" * 90]
        cells = 0
        for case in range(120):
            rule = generator.choice((None, None, "skip", "zero"))
            columns = generator.choice((1, 2, 3))
            keys = generator.sample(texts, generator.randrange(1, 6))
            rows = generator.choice((1, 7, 60, 700, 9000))
            lines, parts = self.table(generator, keys, rows, columns, rule)
            at = generator.randrange(columns + 1)  # of the key
            arranged = [["k", *(f"v{c}" for c in range(columns))], *lines]
            for line in arranged:
                line.insert(at, line.pop(0))
            cut = generator.choice((None, rows // 2 + 1))
            pieces = [arranged] if cut is None else [arranged[:cut], [arranged[0], *arranged[cut:]]]
            files = [self.file(f"{i}.csv", "".join(",".join(map(as_field, line)) + "\n" for line in piece))
                     for i, piece in enumerate(pieces)]
            words = ["--accuracy", generator.choice(("native", "kahan", "wide"))]
            words += ["--backend", generator.choice(backends), "--threads", generator.randrange(1, 4)]
            words += ["--dtype", generator.choice(("f32", "f64"))]
            words += ["--missing", rule] if rule else []
            operations = generator.sample(OPERATIONS if words[1] == "native" else ("sum", "mean"), 2)
            names = ",".join(generator.sample([f"v{c}" for c in range(columns)], columns))
            given = [",".join(operations), *words, "--column", names, "--by", generator.choice(("k", at + 1)), *files]
            empty = rule == "skip" and any(set(f) <= {"", "NA"} for part in parts.values() for f in part)
            with self.subTest(case=case, given=given):
                if empty and not set(operations) <= HAVE_VALUES_OF_NOTHING:
                    self.refused(3, ["has no value: all values of column ", "are missing and were skipped"], *given)
                    continue
                found = [json.loads(line) for line in self.output("reduce", *given, "--format", "json").splitlines()]
                self.assertEqual([(r["column"], r["op"]) for r in found],
                                 [(c, o) for c in names.split(",") for o in operations])
                self.assertTrue(all(r["keys"] == list(parts) for r in found))
                for number, key in enumerate(parts):
                    for c, fields in enumerate(parts[key]):
                        alone = self.file("alone.csv", "v,x\n" + "".join(f"{f},0\n" for f in fields))
                        lines = self.output("reduce", given[0], *words, "--column", "v", alone, "--format", "json")
                        for r in map(json.loads, lines.splitlines()):
                            cell = next(f for f in found if (f["column"], f["op"]) == (f"v{c}", r["op"]))["bits"]
                            cell = {m: b[number] for m, b in cell.items()} if isinstance(cell, dict) else cell[number]
                            self.assertEqual(cell, r["bits"], (key, c, r["op"]))
                            cells += 1
        self.assertGreater(cells, 1000)

    def test_of_every_backend_and_accuracy(self):
        generator = random.Random(4)
        values = [generator.gauss(0, 1) * 2.0 ** generator.randrange(-20, 20) for _ in range(30000)]
        keys = [generator.choice("abcdefgh") for _ in values]
        path = self.file("t.csv", "k,v\n" + "".join(f"{k},{v!r}\n" for k, v in zip(keys, values)))
        for accuracy in ("native", "kahan", "wide", "exact"):
            seen = set()
            for backend in self.available_backends():
                if backend == "cuda":
                    continue
                for threads in (1, 3):
                    r = self.reduced("sum", path, "--column", "v", "--by", "k", "--accuracy", accuracy, "--backend",
                                     backend, "--threads", threads)
                    self.assertEqual(r["backend"], backend)
                    seen.add(json.dumps(r["bits"]))
            self.assertEqual(len(seen), 1, accuracy)

    def test_more_than_a_window_of_keys_that_come_again(self):
        rows = 3_000_000  # 39 MB
        text = "k,v\n" + "".join(f"{i * 7919 % 100003},{i & 7}\n" for i in range(rows))
        r = self.reduced("sum", "--column", "v", "--by", "k", "--threads", 3, given=text)
        sums = {}
        for i in range(rows):
            key = str(i * 7919 % 100003)
            sums[key] = sums.get(key, 0) + (i & 7)
        # Not assertEqual, which takes minutes to say how long lists differ.
        self.assertTrue(r["keys"] == list(sums))  # as they first come
        self.assertTrue(r["value"] == list(sums.values()))

    def test_positions_count_within_the_group(self):
        text = "k,v\na,1\nb,9\na,5\nb,2\na,3\n"
        self.assertEqual(self.reduced("argmax", "--column", "v", "--by", "k", given=text)["value"], [1, 0])
        self.assertEqual(self.reduced("argmax", "--column", "v", given=text)["value"], 1)

    def test_initial_values(self):
        text = "k,v\na,1\nb,9\na,5\n"
        self.assertEqual(self.reduced("max", "--column", "v", "--by", "k", "--init", 7, given=text)["value"], [7, 9])
        text = "k,v\na,1\nb,NA\n"
        words = ("max", "--column", "v", "--by", "k", "--missing", "skip")
        self.refused(3, ["max of no elements"], *words, given=text)
        self.assertEqual(self.reduced(*words, "--init", 7, given=text)["value"], [7, 7])
        self.refused(2, ["mean takes no initial value"], "mean", "--column", 2, "--by", 1, "--init", 7, given="a,1")


class Text(ProgramTest):
    SALES = 'region,price,qty\nnorth,1.5,2\n"south, east",2.5,4\nnorth,3.5,6\n"new york",10,1\n'

    def test_a_row_for_each_key(self):
        self.assertEqual(self.output("reduce", "sum,mean", "--column", "price,qty", "--by", "region", given=self.SALES),
                         'region        price_sum price_mean qty_sum qty_mean\n'
                         'north                 5        2.5       8        4\n'
                         '"south, east"       2.5        2.5       4        4\n'
                         '"new york"           10         10       1        1\n')
        self.assertEqual(self.output("minmax", "--column", 3, "--by", 1, "--header", given=self.SALES).splitlines()[0],
                         "1             3_minmax_min 3_minmax_max")

    def test_a_row_for_each_column(self):
        self.assertEqual(self.output("reduce", "sum,minmax", "--column", "qty,price", given=self.SALES),
                         "column  sum minmax_min minmax_max\nqty      13          1          6\nprice  17.5        1.5         10\n")
        self.assertEqual(self.output("sum", "--column", "2,3", given="a,1,2\nb,3,4\n"), "column sum\n2        4\n3        6\n")

    def test_one_column_is_what_it_was(self):
        self.assertEqual(self.output("reduce", "sum,mean", "--column", "price", given=self.SALES), "sum 17.5\nmean 4.375\n")

    def test_no_rows(self):
        self.assertEqual(self.output("mean", "--column", "v", "--by", "k", given="k,v\n"), "k v_mean\n")
        r = self.reduced("mean", "--column", "v", "--by", "k", given="k,v\n")
        self.assertEqual((r["keys"], r["value"], r["n"]), ([], [], 0))
        self.assertEqual(self.output("mean", "--column", 2, "--by", 1, given=""), "1 2_mean\n")
        self.refused(3, ['standard input: column "2": mean of no elements has no value: the input is empty'], "mean",
                     "--column", "2,3", given="")

    def test_read_again(self):
        table = self.output("reduce", "sum,mean", "--column", "price,qty", "--by", "region", given=self.SALES)
        self.assertEqual(self.output("sum", "--column", "price_sum", given=table), "17.5\n")
        r = self.reduced("sum", "--column", "qty_sum", "--by", "region", given=table)
        self.assertEqual((r["keys"], r["value"]), (["north", "south, east", "new york"], [8, 4, 1]))

    def test_read_again_with_missing_values(self):
        text = "k,v,w\na,1,2\nb,2,3\nmissing,3,\nc,,\n"
        for rule in ("skip", "zero"):
            words = ("--column", "v,w", "--missing", rule)
            table = self.noted("sum", *words, "--by", "k", given=text)[0]
            self.assertEqual(self.output("sum", "--column", "v_sum", given=table), "6\n")
            r = self.reduced("sum", "--column", "w_sum", "--by", "k", given=table)
            self.assertEqual((r["keys"], r["value"]), (["a", "b", "missing", "c"], [2, 3, 0, 0]))
            columns, note = self.noted("sum", *words, given=text)
            self.assertEqual((columns, note[:16]), ("column sum\nv        6\nw        5\n", "3 missing values"))
            self.assertEqual(self.output("sum", "--column", "sum", given=columns), "11\n")
            # Results over axes are rows of a list or a matrix.
            rows, note = self.noted("sum", "--missing", "zero", "--shape", "2x2", "--axis", "1", given="1 NA 2 3")
            self.assertEqual((rows, note), ("1\n5\n", "1 missing value (--missing zero)"))
            self.assertEqual(self.output("sum", given=rows), "6\n")

    def test_keys_obey_no_terminal(self):
        text = "k,v\na\x1b[31mx,1\n\u202ez\u200b,2\nb\\x,4\n\u6771\u4eac,5\n".encode() + b"\xff\xfe,3\n"
        out = self.output("sum", "--column", "v", "--by", "k", given=text)
        self.assertEqual(out.splitlines(), ["k             v_sum", "a\\x1b[31mx        1", "\\u202ez\\u200b     2",
                                            "b\\\\x              4", "\u6771\u4eac                5",
                                            "\\xff\\xfe          3"])
        line = self.output("reduce", "sum", "--column", "v", "--by", "k", "--format", "json", given=text)
        self.assertTrue(line[:-1].isascii() and line[:-1].isprintable())
        self.assertEqual(json.loads(line)["keys"], ["a\x1b[31mx", "\u202ez\u200b", "b\\x", "\u6771\u4eac", "\ufffd\ufffd"])
        title = self.output("sum", "--column", "v", "--by", "a\x1bb\u202e", given="a\x1bb\u202e,v\nx,1\n")
        self.assertEqual(title.splitlines()[0], "a\\x1bb\\u202e v_sum")
        self.assertTrue(all(c == "\n" or c.isprintable() for c in title))

    def test_one_long_key_does_not_pad_all_rows(self):
        text = "k,v\n" + "".join(f"{i},1\n" for i in range(1000)) + "x" * 100000 + ",1\n"
        self.assertLess(len(self.output("sum", "--column", "v", "--by", "k", given=text)), 200000)

    def test_many_rows_on_a_terminal(self):
        path = self.file("t.csv", "k,v\n" + "".join(f"k{i},{i}\n" for i in range(1001)))
        words = [PROGRAM, "reduce", "sum", path, "--column", "v", "--by", "k"]
        reader, writer = pty.openpty()
        with subprocess.Popen(words, stdout=writer) as process:
            os.close(writer)
            shown = b""
            try:
                while piece := os.read(reader, 4096):
                    shown += piece
            except OSError:  # the terminal's other end is closed
                pass
            os.close(reader)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(shown.decode().splitlines(),
                         ["k     v_sum", "k0        0", "k1        1", "k2        2", "...", "k998    998", "k999    999",
                          "k1000  1000", "# 1001 rows in all; --output FILE.npy, --format json or a pipe shows every one"])
        self.assertEqual(len(self.output(*words[1:]).splitlines()), 1002)

    def test_explain(self):
        out = self.output("sum", "--column", "price,qty", "--by", "region", "--explain", given=self.SALES)
        self.assertIn("sum of 4 f64 (column price) by region: 3 keys\ninput: standard input: text, 8 elements, parsed\n", out)
        self.assertIn("sum of 4 f64 (column qty) by region: 3 keys\nbackend ", out)
        self.assertIn("sum of 4 f64 (column qty)\n", self.output("sum", "--column", "price,qty", "--explain", given=self.SALES))


class Keys(ProgramTest):
    def keys(self, text, *words, by="k"):
        return self.reduced("count", "--column", "v", "--by", by, *words, given=text)["keys"]

    def test_are_texts(self):
        self.assertEqual(self.keys('k,v\n1,1\n"1",1\n1.0,1\n01,1\n nan ,1\nNA,1\nnull,1\n'),
                         ["1", "1.0", "01", "nan", "NA", "null"])
        self.assertEqual(self.keys('k,v\n"a ""b"", c",1\n"line\nbreak",1\n"#1",1\na ""b"",1\n'),
                         ['a "b", c', "line\nbreak", "#1", 'a ""b""'])
        self.assertEqual(self.keys("k\tv\na b\t1\nA b\t1\na b\t2\n"), ["a b", "A b"])
        self.assertEqual(self.keys("k v\n 'a'  1\nb 2 # c 3\n"), ["'a'", "b"])
        self.assertEqual(self.keys("k;v\na,b;1\n", "--separator", "semicolon"), ["a,b"])

    def test_blanks_in_quotes_belong_to_them(self):
        text = 'k,v\na,1\n" a ",2\n  a  ,3\n  "a"  ,4\n"   ",5\n"a\t",6\n'
        words = ("sum", "--column", "v", "--by", "k")
        r = self.reduced(*words, given=text)
        self.assertEqual((r["keys"], r["value"]), (["a", " a ", "   ", "a\t"], [8, 2, 5, 6]))
        r = self.reduced(*words, "--missing", "skip", given=text)
        self.assertEqual((r["keys"], r["missing"]), (["a", " a ", "   ", "a\t"], 0))
        for separator in ("\t", ";", " "):
            r = self.reduced(*words, given=text.replace(",", separator))
            self.assertEqual((r["keys"], r["value"]), (["a", " a ", "   ", "a\t"], [8, 2, 5, 6]))
        table = self.output(*words, given=text.replace('"a\t",6\n', ""))
        self.assertEqual(table, 'k     v_sum\na         8\n" a "     2\n"   "     5\n')
        r = self.reduced("sum", "--column", "v_sum", "--by", "k", given=table)
        self.assertEqual((r["keys"], r["value"]), (["a", " a ", "   "], [8, 2, 5]))

    def test_of_several_files_are_the_same(self):
        a, b = self.file("a.csv", "k,v\nx,1\ny,2\n"), self.file("b.csv", "v,k\n3,y\n4,z\n")
        r = self.reduced("sum", a, b, "--column", "v", "--by", "k")
        self.assertEqual((r["keys"], r["value"], r["n"]), (["x", "y", "z"], [1, 5, 4], 4))

    def test_names_with_commas_quotes_and_digits(self):
        text = '"a,b","c ""d""",2,"""q"\n1,2,3,k\n'
        r = lambda column, by: self.reduced("sum", "--column", column, "--by", by, given=text)
        self.assertEqual(r('"a,b"', 4)["value"], [1])
        found = [json.loads(line) for line in
                 self.output("reduce", "sum", "--column", '"a,b",c "d","2"', "--by", '"q', "--format", "json",
                             given=text).splitlines()]
        self.assertEqual([(f["column"], f["by"], f["value"]) for f in found],
                         [("a,b", '"q', [1]), ('c "d"', '"q', [2]), ("2", '"q', [3])])
        self.assertEqual(r('"c ""d"""', '"""q"')["value"], [2])

    def test_missing_ones(self):
        text = 'k,v,w\na,1,1\n,2,2\nb,3,\n"",x,4\na,NA,5\n'
        self.refused(3, ["standard input: line 3, character 1: expected a key (--by k), found an empty field", "--missing skip",
                         "--missing zero"], "sum", "--column", "w", "--by", "k", given=text)
        self.refused(3, ["line 2, character 3", "expected a key (--by 2)", "# begins a comment where it is not in quotes"],
                     "sum", "--column", 1, "--by", 2, given="1,b\n2,#c\n")

    def test_skip_and_zero(self):
        text = "k,v,w\na,1,1\n,2,2\nb,3,\na,NA,5\nb,7,8\n"
        words = ("reduce", "sum,count", "--column", "v,w", "--by", "k", "--missing")
        self.assertEqual(self.noted(*words, "skip", given=text)[0],
                         "k v_sum v_count w_sum w_count\na     1       1     6       2\nb    10       2     8       1\n")
        self.assertEqual(self.noted(*words, "zero", given=text)[0],
                         'k  v_sum v_count w_sum w_count\na      1       1     6       2\n""     2       1     2       1\n'
                         "b     10       2     8       1\n")
        found = [json.loads(line) for line in self.output(*words, "skip", "--format", "json", given=text).splitlines()]
        self.assertEqual([(f["column"], f["n"], f["missing"]) for f in found], [("v", 3, 3)] * 2 + [("w", 3, 3)] * 2)

    def test_without_a_value(self):
        text = "k,v,w\na,1,1\nb\x1b,NA,2\n"
        words = ("--column", "w,v", "--by", "k", "--missing", "skip")
        self.refused(3, ["standard input: mean of no elements has no value: all values of column \"v\" with the key "
                         "\"b\\x1b\" are missing and were skipped"], "mean", *words, given=text)
        self.assertEqual(self.noted("sum", *words, given=text)[0].splitlines()[2].split(), ["b\\x1b", "2", "0"])
        self.refused(3, ['column "v": mean of no elements has no value: all 2 values are missing and were skipped'], "mean",
                     "--column", "w,v", "--missing", "skip", given="w,v\n1,NA\n2,\n")


if __name__ == "__main__":
    unittest.main()
