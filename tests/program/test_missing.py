"""Text as people have it: missing values, integers that are too large, titles, and quoted line breaks."""

import json
import random
import unittest

from support import ProgramTest, bits, npy

WORDS = ("NA", "N/A", "n/a", "<NA>", "null", "NULL", "None", "\\N")


class Missing(ProgramTest):
    def test_error_names_the_option(self):
        for word in WORDS:
            self.refused(3, ["line 2, character 1", word.replace("\\", "\\"), "--missing skip", "--missing zero"], "sum",
                         given=f"1\n{word}\n3\n")
        self.refused(3, ["line 2, character 3", "an empty field", "--missing"], "sum", "--column", 2, given="1,2\n3,\n")

    def test_skip_and_zero(self):
        for word in (*WORDS, '"NA"', ""):
            text = f"a,b\n1,2\n3,{word}\n5,7\n"
            for rule, n, smallest in (("skip", 2, 2), ("zero", 3, 0)):
                with self.subTest(word=word, rule=rule):
                    r = self.reduced("min", "--column", "b", "--missing", rule, given=text)
                    self.assertEqual((r["n"], r["value"], r["missing"]), (n, smallest, 1))
        r = self.reduced("sum", "--missing", "skip", "--dtype", "i32", given="NA 1 null 2 N/A")
        self.assertEqual((r["n"], r["value"], r["missing"]), (2, 3, 3))

    def test_note_of_the_count(self):
        """Standard output has results only."""
        self.assertEqual(self.noted("reduce", "sum", "--missing", "skip", given="1 NA 2"),
                         ("3\n", "1 missing value (--missing skip)"))
        self.assertEqual(self.noted("reduce", "sum", "--missing", "zero", "-o", self.file("a.npy", ""), given="NA NA"),
                         ("", "2 missing values (--missing zero)"))
        self.assertEqual(self.output("reduce", "sum", "--missing", "zero", given="1 2"), "3\n")
        self.assertEqual(self.output("reduce", "sum", "--missing", "error", given="1 2"), "3\n")
        self.assertNotIn("missing", self.reduced("sum", given="1 2"))

    def test_count_of_all_files_and_pieces(self):
        a, b = self.file("a.csv", "1,\n,2\n"), self.file("b.csv", "NA,2\n")
        self.assertEqual(self.reduced("count", "--column", 1, "--missing", "skip", a, b)["missing"], 2)
        text = "1,NA\n2,3\n" * 2_000_000  # more than a window, and many pieces
        r = self.reduced("sum", "--column", 2, "--missing", "skip", "--threads", 3, given=text)
        self.assertEqual((r["n"], r["value"], r["missing"]), (2_000_000, 6_000_000, 2_000_000))

    def test_not_a_missing_value(self):
        self.assertEqual(self.reduced("max", "--missing", "skip", given="1 nan")["value"], "nan")
        for word in ("x", "-", "NAN1", "n.a."):
            self.refused(3, ["expected a number"], "sum", "--missing", "skip", given=f"1 {word}")

    def test_accuracy(self):
        path = self.file("a.txt", "1 NA 2")
        study = json.loads(self.output("accuracy", path, "--missing", "skip", "--format", "json"))
        study = study["studies"][0]
        self.assertEqual((study["n"], study["missing"]), (2, 1))
        self.assertIn("missing 1", self.output("accuracy", path, "--missing", "zero"))

    def test_bench(self):
        path = self.file("a.txt", "1 NA 2 NA")
        words = ("bench", "--seconds", "0.001", "--backend", "sequential", path)
        for rule, n in (("skip", 2), ("zero", 4)):
            row = json.loads(self.output(*words, "--missing", rule, "--format", "json"))
            self.assertEqual((row["n"], row["missing"]), (n, 2))
            self.assertIn("missing 2", self.output(*words, "--missing", rule).splitlines()[0])
        row = json.loads(self.output("bench", "--seconds", "0.001", "--backend", "sequential", "--n", 3, "--format", "json"))
        self.assertIsNone(row["missing"])

    def test_all_missing(self):
        for count, piece in ((1, "the only value is missing and was skipped"),
                             (3, "all 3 values are missing and were skipped")):
            text = "NA\n" * count
            for words in (["reduce", "mean"], ["min"], ["accuracy"], ["accuracy", "--op", "mean"]):
                done = self.run_program(*words, "--missing", "skip", given=text)
                self.check_error(done, 3, "standard input: ", piece)
                self.assertNotIn(b"is empty", done.stderr)
            self.assertEqual(self.noted("sum", "--missing", "skip", given=text)[0], "0\n")
        both = [self.file(name, "NA NA") for name in "ab"]
        self.refused(3, ["all 4 values are missing"], "min", "--missing", "skip", *both)
        self.refused(3, ["the input is empty"], "min", "--missing", "skip", given="")

    def test_goes_with_text(self):
        self.refused(2, ["--missing applies to text, not to --input npy"], "sum", "--missing", "skip", "--input", "npy")
        self.refused(3, ["--missing applies to text"], "sum", "--missing", "skip", self.file("a.npy", npy("f64", [1.0])))
        self.refused(2, ["--missing", '"skp"', "skip"], "sum", "--missing", "skp")
        done = self.run_program("accuracy", "--data", "uniform", "--missing", "skip")
        self.check_error(done, 2, "--missing applies to files, not to --data")


class Integers(ProgramTest):
    def test_rounded_integers_are_refused(self):
        for dtype, text, hint in (("f64", "9007199254740993", "--dtype i64 holds it"),
                                  ("f64", "-9007199254740993", "--dtype i64 holds it"),
                                  ("f64", "+0009007199254740993", "--dtype i64 holds it"),
                                  ("f64", "18446744073709551615", "--dtype u64 holds it"),
                                  ("f64", "0x20000000000001", "--dtype i64 holds it"),
                                  ("f64", "123456789012345678901234567890", "--integers round rounds it"),
                                  ("f32", "16777217", "--dtype i64 holds it"), ("f16", "2049", "--dtype i64 holds it"),
                                  ("bf16", "257", "--dtype i64 holds it")):
            with self.subTest(dtype=dtype, text=text):
                pieces = ["line 2, character 3", f"an integer that {dtype} holds exactly", f'"{text}"', hint]
                self.refused(3, pieces, "sum", "--dtype", dtype, given=f"1\n2 {text}\n")
                self.refused(3, pieces, "sum", "--dtype", dtype, "--column", 2, given=f"1,1\n2,{text}\n")
                rounded = self.reduced("max", "--dtype", dtype, "--integers", "round", given=text)
                self.assertEqual(rounded["n"], 1)
        self.assertEqual(self.reduced("sum", "--dtype", "i64", given="9007199254740993 1")["value"], 9007199254740994)

    def test_integers_that_are_held_are_not(self):
        for dtype, text in (("f64", "9007199254740992"), ("f64", "9007199254740994"), ("f64", str(2**70)),
                            ("f64", "100000000000000000000"), ("f64", "0x20000000000000"), ("f32", "16777218"),
                            ("f16", "2050"), ("bf16", "258"), ("f64", str(10**22)), ("f64", "9007199254740993.0"),
                            ("f64", "9007199254740993e0"), ("f64", "0x1.00000000000008p60"), ("f32", "0.1"),
                            ("f32", "16777217.5"), ("f64", "-inf"), ("f32", "nan")):
            with self.subTest(dtype=dtype, text=text):
                self.assertEqual(self.reduced("count", "--dtype", dtype, given=text)["n"], 1)

    def test_rule_against_exact_arithmetic(self):
        generator = random.Random(7)
        for dtype, digits in (("f64", 53), ("f32", 24), ("f16", 11), ("bf16", 8)):
            for _ in range(60):
                width = generator.randrange(digits - 1, 15 if dtype == "f16" else digits + 20)
                value = generator.getrandbits(max(width, 1)) << generator.randrange(2 if dtype == "f16" else 6)
                if dtype == "f16" and value >= 65504:
                    continue
                spelled = value
                while spelled and spelled % 2 == 0:
                    spelled //= 2
                held = spelled.bit_length() <= digits
                done = self.run_program("reduce", "count", "--dtype", dtype, given=str(value))
                self.assertEqual(done.returncode, 0 if held else 3, (dtype, value, done.stderr))

    def test_integer_types_name_the_one_that_holds(self):
        self.refused(3, ["range of i32", "--dtype i64 holds it"], "sum", "--dtype", "i32", given="4294967296")
        self.refused(3, ["range of i64", "--dtype u64 holds it"], "sum", "--dtype", "i64", given=str(2**63))


class Titles(ProgramTest):
    def test_one_column_with_a_title(self):
        for text in ("price\n1\n2\n", "the price, EUR\r\n1\r\n2\r\n", "# comment\n\nprice\n1 2", '"a\nb"\n1\n2', "\ufeffx\n1 2"):
            self.assertEqual(self.reduced("sum", "--header", given=text.encode())["value"], 3)
        self.refused(3, ['line 1, character 1', '"price"', "--header skips"], "sum", given="price\n1\n2\n")
        self.refused(3, ["line 1", '"price"', "--header skips"], "sum", "--column", 1, given="price\n1\n2\n")
        done = self.run_program("reduce", "sum", given="1\nprice\n")
        self.check_error(done, 3, "line 2")
        self.assertNotIn(b"--header", done.stderr)
        self.assertEqual(self.reduced("sum", "--header", given="only a title")["n"], 0)
        self.assertEqual(self.reduced("sum", "--header", given="")["n"], 0)

    def test_long_streams(self):
        text = "a title " * 3 + "\n" + "1\n" * 20_000_000
        self.assertEqual(self.reduced("sum", "--header", given=text)["value"], 20_000_000)


class LineBreaks(ProgramTest):
    def column(self, text, column, *words):
        return self.reduced("sum", "--column", column, *words, given=text)["value"]

    def test_in_quotes(self):
        for end in ("\n", "\r\n"):
            text = f'name,"the{end}price",n{end}"a{end}b",1,2{end}"c ""d"" #1{end}{end}e",3,4{end}f,"5{end}",6{end}'
            self.assertEqual(self.column(text, "n"), 12)
            self.assertEqual(self.column(text, 2, "--header"), 9)
            self.assertEqual(self.column(text, f"the{end}price"), 9)
        self.assertEqual(self.column('"a\nb";1\n"c";2', 2), 3)
        self.assertEqual(self.column('"a\nb"\t1\n"c"\t2', 2), 3)
        self.assertEqual(self.column('"a\nb"  1\n"c" 2', 2), 3)
        self.assertEqual(self.column('x|"a\nb"|1\ny|c|2', 3, "--separator", "|"), 3)

    def test_places_count_lines(self):
        self.refused(3, ["line 4, character 4", '"x"'], "sum", "--column", 2, given='a,1\n"b\n\nc",x\n')

    def test_quotes_that_do_not_open(self):
        self.assertEqual(self.column('5" pipe,1\n6" pipe # 7" comment,1\n,2 # "\n'.replace("pipe # 7", "pipe,1 # 7"), 2), 4)
        self.assertEqual(self.column('# it\'s "\na,1\nb,2 # "\n', 2), 3)
        self.assertEqual(self.column('id, the "x\n1,2\n', 1, "--header"), 1)

    def test_quotes_that_stay_open(self):
        self.refused(3, ["line 2, character 3", "a quote that is closed", '"4'], "sum", "--column", 1, given='1,2\n3,"4\n5,6\n')
        self.refused(3, ["line 2, character 3", "a quote that is closed"], "sum", "--column", 1, given='1 2\n3 "4\n5 6\n')
        # Told long before the file's end, and not at the cost of its memory.
        text = '1,2\n3,"4\n' + "5,6\n" * 10_000_000
        self.refused(3, ["line 2, character 3", "within 1048576 bytes"], "sum", "--column", 1, given=text)

    def test_large_tables(self):
        row = '"a ""q""\nb, #",{}\n'
        count = 2_000_000
        text = "n,value\n" + "".join(row.format(i) for i in range(count))
        self.assertGreater(len(text), 40 << 20)
        path = self.file("large.csv", text)
        expected = count * (count - 1) // 2
        for words in (["--threads", 1, path], ["--threads", 3, path]):
            self.assertEqual(self.reduced("sum", "--column", "value", "--dtype", "i64", *words)["value"], expected)
        self.assertEqual(self.reduced("sum", "--column", "value", "--dtype", "i64", given=text)["value"], expected)
        self.refused(3, [f"line {2 * count + 2}, ", "2 columns"], "sum", "--column", 2, "--header", given=text + 'x\n')

    def test_empty_fields_are_not_a_blank_line(self):
        text = "1\t2\n\t\n3\t4\n"
        self.refused(3, ["line 2", "an empty field"], "sum", "--column", 1, given=text)
        r = self.reduced("count", "--column", 2, "--missing", "zero", given=text)
        self.assertEqual((r["n"], r["missing"]), (3, 1))
        self.assertEqual(self.reduced("count", "--column", 1, "--missing", "skip", given="\t\n1\t2\n")["missing"], 1)
        self.assertEqual(self.reduced("count", "--column", 1, "--missing", "skip", given=",\n1,2\n")["missing"], 1)
        # Blank lines of a table whose separator is another one stay blank.
        self.assertEqual(self.reduced("count", "--column", 1, given="1,2\n \t \n\n3,4\n")["n"], 2)


if __name__ == "__main__":
    unittest.main()
