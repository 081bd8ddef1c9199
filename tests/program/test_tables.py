"""Tables: one column of comma-, tab-, semicolon- or blank-separated text."""

import unittest

from support import ProgramTest, npy


class Tables(ProgramTest):
    def column(self, text, column, *words, op="sum"):
        return self.reduced(op, "--column", column, *words, given=text)["value"]

    def test_separators(self):
        for text in ("1,2,3\n4,5,6\n", "1\t2\t3\n4\t5\t6", "1;2;3\r\n4;5;6\r\n", "1  2 3\n 4 5   6\n",
                     "1, 2 ,3\n4 ,5, 6"):
            with self.subTest(text=text):
                self.assertEqual([self.column(text, k) for k in (1, 2, 3)], [5, 7, 9])

    def test_tabs_separate_fields_with_blanks(self):
        self.assertEqual(self.column("a b\t1\t\t7\n\t2\tx y z\t8", 4), 15)
        self.assertEqual(self.column("a b\t1\t\t7\n\t2\tx y z\t8", 2), 3)

    def test_separator_asked_for(self):
        for word in ("semicolon", "Semicolon", ";"):
            self.assertEqual(self.column("15,x;2\n35,y;4\n", 2, "--separator", word), 6)
        self.assertEqual(self.column("a,1\t2\nb,3\t4", 2, "--separator", "tab"), 6)
        self.assertEqual(self.column("a,1\t2\nb;,3\t4", 2, "--separator=\t"), 6)
        self.assertEqual(self.column("a b,1\nc,3", 2, "--separator", "comma"), 4)
        self.assertEqual(self.column("a|1\nc|3", 2, "--separator", "|"), 4)
        self.assertEqual(self.column("1,2 3\n4,5  6 7", 2, "--separator", "blank"), 9)
        for wrong in ("", "semi", "5", "-", "#", '"', "é"):
            self.refused(2, ["--separator", "semicolon"], "sum", "--column", 1, "--separator", wrong, given="1")
        self.refused(2, ["--separator requires --column"], "sum", "--separator", "tab", given="1")

    def test_separator_that_is_not_clear(self):
        for text, kinds in (("1,5;2,5\n3,5;4,5\n", "commas and semicolons (--separator comma or semicolon decides)"),
                            ("1,5\t2,5\n", "tabs and commas"), ('# ;\n"a,b"\t1;2,3', "tabs and commas and semicolons")):
            self.refused(3, ["expected one kind of separator", kinds], "sum", "--column", 1, given=text)
        self.refused(3, ["line 2, character 4"], "sum", "--column", 1, given="\n1,5;2,5\n")

    def test_separators_in_quotes_are_none(self):
        for text in ('"Doe, John";3\n"Roe, Jane";4\n', '"a ""b"", c";3\n"x";4', 'a; 3\n"b,";4', '";,\t"\t3\n5\t4'):
            with self.subTest(text=text):
                self.assertEqual(self.column(text, 2), 7)

    def test_blank_lines_and_comments(self):
        self.assertEqual(self.column("# names, more\n\n1,2 # 3,4\n   \n5,6\n#", 2), 8)

    def test_other_columns_may_hold_anything(self):
        self.assertEqual(self.column('a,1,"x, y"\n"b ""q"" #1",2,\n,"3",-', 2), 6)

    def test_header(self):
        text = 'name,price,"the count"\napple,1.5,3\npear,2.5,4\n'
        self.assertEqual(self.column(text, 2, "--header"), 4)
        self.assertEqual(self.column(text, "price"), 4)
        self.assertEqual(self.column(text, "the count"), 7)
        self.refused(3, ["line 1", "price"], "sum", "--column", 2, given=text)
        self.refused(3, ["line 1", 'a column named "cost"'], "sum", "--column", "cost", given=text)

    def test_names_with_quotes(self):
        text = '"a ""b""","c""",d""\n1,2,3\n'
        self.assertEqual([self.column(text, name) for name in ('a "b"', 'c"', 'd""')], [1, 2, 3])

    def test_blanks_in_quotes(self):
        text = '" price ",price, qty ,"qty "\n1,2,3,4\n'
        for name, value in ((" price ", 1), ("price", 2), ("qty", 3), ("qty ", 4), ('" price "', 1)):
            self.assertEqual(self.column(text, name), value, name)
        self.refused(3, ['a column named " qty"', 'did you mean "qty"?'], "sum", "--column", " qty", given=text)
        # A number may stand between blanks everywhere; blanks alone are a missing value.
        self.assertEqual(self.column('a,b\n" 1 ",x\n "\t2" ,y\n', "a"), 3)
        self.refused(3, ["line 1, character 4", "an empty field"], "sum", "--column", 1, given='"  ",2\n')
        r = self.reduced("sum", "--column", 1, "--missing", "skip", given='"  ",2\n" NA ",3\n4,5\n')
        self.assertEqual((r["value"], r["missing"]), (4, 2))

    def test_names_that_stand_twice(self):
        text = "a,b,a\n1,2,4\n"
        self.refused(3, ["line 1", 'one column named "a"', "columns 1 and 3"], "sum", "--column", "a", given=text)
        self.assertEqual([self.column(text, "b"), self.column(text, 3, "--header")], [2, 4])

    def test_column_out_of_range(self):
        path = self.file("t.csv", "1,2,3\n4,5,6\n7,8\n")
        self.refused(3, ["t.csv: line 1, character 6", "at least 4 columns", "found 3 (separated by commas)"], "sum",
                     "--column", 4, path)
        self.refused(3, ["line 1, character 4", "at least 3 columns", "found 2 (separated by blanks)"], "sum",
                     "--column", 3, given="1 2\n")
        for wrong in ("0", "-1", "2147483648", "99999999999999999999"):
            self.refused(2, ["--column", "from 1 to 2147483647", wrong], "sum", "--column", wrong, path)
        for text in ("", "# 1,2\n"):
            self.refused(3, ['expected a line with a column named "nosuch"', "the end"], "sum", "--column", "nosuch", given=text)
            self.assertEqual(self.output("reduce", "sum", "--column", 1, given=text), "0\n")
        for empty in (["--column", ""], ["--column="]):
            self.refused(2, ["--column: expected a position (from 1) or a name", 'found ""'], "sum", *empty, path)

    def test_lines_of_another_length(self):
        for text, place, found in (("1,2\n3,4,5\n", "line 2, character 5", 3), ("1,2,3\n4,5\n", "line 2, character 4", 2),
                                   ("1,2\n\n3,4,\n", "line 3, character 5", 3), ("1;2\n3;'4;5';6", "line 2, character 6", 4),
                                   ('a\tb\n1\t"2\t3"\t4', "line 2, character 9", 3)):
            with self.subTest(text=text):
                columns = 3 if found == 2 else 2
                self.refused(3, [place, f"{columns} columns, as in the first line", f"found {found} "], "sum",
                             "--column", 1, *(["--header"] if text[0] == "a" else []), given=text)
        self.assertEqual(self.column('1,"2, 3"\n4,"5,6, 7"\n', 1), 5)
        # The last column of a blank-separated table may hold blanks: a command, a remark.
        self.assertEqual(self.column("1 2 a\n4 5 b c d\n", 2), 7)

    def test_comments_are_named_where_they_shorten_a_line(self):
        for text in ("1,2\n3,#4\n", "1,2\n3 #a,4\n"):
            self.refused(3, ["line 2", "# begins a comment"], "sum", "--column", 2, given=text)
        done = self.run_program("reduce", "sum", "--column", 2, given="1,2\n3\n")
        self.assertNotIn(b"#", done.stderr)

    def test_fields_that_are_no_numbers(self):
        self.refused(3, ["line 2, character 3", '"x"'], "sum", "--column", 2, given="1,2\n3,x\n")
        self.refused(3, ["line 2, character 3", "an empty field"], "sum", "--column", 2, given="1,2\n3,\n")
        # The first thing that is wrong, whatever comes behind it.
        self.refused(3, ["line 1, character 2", "at least 3 columns"], "sum", "--column", 3, given="1\n\0 2 3\n")
        self.refused(3, ["line 2", "a quote that is closed"], "sum", "--column", 2, given='1,2\n3,"4\n')
        self.refused(3, ["line 1", "a separator after the closing quote"], "sum", "--column", 2, given='1,"2"3\n')
        self.refused(3, ["line 1", "NUL"], "sum", "--column", 2, given=b"1,\0\n")
        self.refused(3, ["line 2, character 3", "NUL"], "sum", "--column", 1, given=b"1,2\n3,\0\n")
        self.refused(3, ["line 2, character 4", '"x,y"'], "sum", "--column", 2, "--separator", ";", given="a;1\nbc;x,y\n")
        self.refused(3, ["line 1, character 3", "range of u8"], "sum", "--column", 2, "--dtype", "u8", given="1,300\n")

    def test_options_that_do_not_go_together(self):
        self.refused(2, ["--column applies to text, not to --input npy"], "sum", "--column", 1, "--input", "npy")
        self.refused(2, ["--header applies to text, not to --input npy"], "sum", "--header", "--input", "npy")

    def test_column_of_a_file_that_is_no_text(self):
        for words, given in (([self.file("a.npy", npy("f64", [1.0]))], b""), ([], npy("f64", [1.0]))):
            self.refused(3, ["--column applies to text", "read as npy"], "sum", "--column", 1, *words, given=given)

    def test_large_table(self):
        count = 2_000_000
        text = "key,value\n" + "".join(f"row {i},{i}\n" for i in range(count))
        path = self.file("large.csv", text)
        expected = count * (count - 1) // 2
        self.assertEqual(self.reduced("sum", "--column", "value", "--dtype", "i64", path)["value"], expected)
        # Behind a comment the windows of 32 MiB end elsewhere in their lines.
        self.assertEqual(self.reduced("sum", "--column", 2, "--header", given="# comment\n" + text)["value"], expected)
        self.refused(3, [f"line {count + 2}", "2 columns"], "sum", "--column", "value", given=text + "end\n")

    def test_each_file_has_its_own_header(self):
        a, b = self.file("a.csv", "x,y\n1,2\n"), self.file("b.tsv", "y\tx\n3\t4\n")
        self.assertEqual(self.reduced("sum", "--column", "y", a, b)["value"], 5)


if __name__ == "__main__":
    unittest.main()
