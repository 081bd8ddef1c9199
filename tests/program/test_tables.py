"""Tables: one column of comma-, tab-, semicolon- or blank-separated text."""

import unittest

from support import ProgramTest


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

    def test_column_out_of_range(self):
        path = self.file("t.csv", "1,2,3\n4,5,6\n7,8\n")
        self.refused(3, ["t.csv: line 1", "at least 4 columns", "found 3 (separated by commas)"], "sum", "--column", 4,
                     path)
        self.refused(3, ["t.csv: line 3", "at least 3 columns", "found 2"], "sum", "--column", 3, path)
        for wrong in ("0", "-1", "99999999999999999999"):
            self.refused(2, ["--column", "at least 1", wrong], "sum", "--column", wrong, path)

    def test_fields_that_are_no_numbers(self):
        self.refused(3, ["line 2, column 3", '"x"'], "sum", "--column", 2, given="1,2\n3,x\n")
        self.refused(3, ["line 2, column 3", "an empty field"], "sum", "--column", 2, given="1,2\n3,\n")
        self.refused(3, ["line 2", "closed on its line"], "sum", "--column", 2, given='1,2\n3,"4\n')
        self.refused(3, ["line 1", "a separator behind a quote"], "sum", "--column", 2, given='1,"2"3\n')
        self.refused(3, ["line 1", "NUL"], "sum", "--column", 2, given=b"1,\0\n")
        self.refused(3, ["line 1, column 3", "range of u8"], "sum", "--column", 2, "--dtype", "u8", given="1,300\n")

    def test_options_that_do_not_go_together(self):
        self.refused(2, ["--column", "--input text"], "sum", "--column", 1, "--input", "npy")
        self.refused(2, ["--header", "--column"], "sum", "--header")

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
