"""Text: one number a token."""

import random
import unittest

from support import ProgramTest, bits


class Text(ProgramTest):
    def of(self, text, op="sum", *words):
        return self.reduced(op, *words, given=text)

    def test_tokens_and_comments(self):
        self.assertEqual(self.of("# a comment 9\n1 2\t3\r\n\n 4#5 6\n#\n7 # 8")["value"], 17)
        self.assertEqual(self.of("\xef\xbb\xbf1 2".encode("latin-1"))["value"], 3)
        self.assertEqual(self.of("")["value"], 0)
        self.assertEqual(self.of(" \n # only\n")["n"], 0)

    def test_spellings(self):
        for text, value in (("1", 1), ("+1", 1), ("-1", -1), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("1E-2", 0.01),
                            ("-0", -0.0),
                            ("0x1.8p3", 12), ("-0X1P-1", -0.5), ("0xff", 255), ("0x.8", 0.5), ("1e-400", 0),
                            ("4.9e-324", 5e-324),
                            ("2.2250738585072011e-308", 2.2250738585072011e-308), ("0x1p-1080", 0),
                            ("1.7976931348623157e308", 1.7976931348623157e308),
                            ("9007199254740993.0", 9007199254740992), ("0.1", 0.1), ("0x1.00000000000008p0", 1.0)):
            with self.subTest(text=text):
                self.assertEqual(self.of(text, "max")["bits"], bits("f64", value))
        for text, value in (("inf", "inf"), ("-INF", "-inf"), ("Infinity", "inf"), ("nan", "nan"), ("-NaN", "nan"),
                            ("nan(7)", "nan")):
            with self.subTest(text=text):
                self.assertEqual(self.of(text, "max")["value"], value)

    def test_words(self):
        for text in ("x", "1x", "--1", "+-1", "-", "+", ".", "0x", "0xg", "0x-1", "0xinf", "1e", "1e+", "1_000", "1,2",
                     "infx", "na", "0x1p", "e5",
                     "\x7f", "é", "１"):
            with self.subTest(text=text):
                self.refused(3, ["standard input: line 2, character 3", "expected a number (f64)", "found"], "sum",
                             given=f"1\n2 {text} 3\n")

    def test_words_of_a_file(self):
        path = self.file("numbers.txt", "1 2 3\n4 five 6\n")
        self.refused(3, ["numbers.txt: line 2, character 3", '"five"'], "sum", path)

    def test_places_count_characters(self):
        self.refused(3, ["line 2, character 11", '"x"'], "sum", "--column", "größe",
                     given="name,größe\n€ München,x\n")
        self.refused(3, ["line 1, character 3", '"x"'], "sum", given="\ufeff1 x")  # the byte order mark is none

    def test_a_table_gets_a_hint(self):
        self.refused(3, ["line 1, character 1", "--column"], "sum", given="1,2,3\n")

    def test_nul_bytes(self):
        self.refused(3, ["line 2, character 3", "NUL"], "sum", given=b"1\n2\t\0" + b"3\n")
        self.refused(3, ["line 1, character 2", "NUL"], "sum", given=b"1\0")
        self.refused(3, ["NUL"], "sum", given=bytes(3 << 20))

    def test_long_words_are_shortened(self):
        done = self.run_program("reduce", "sum", given="a" * 100000)
        self.check_error(done, 3, "...")
        self.assertLess(len(done.stderr), 200)

    def test_integers(self):
        ranges = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
        for dtype, width in ranges.items():
            low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
            self.check_range(dtype, low, high)
            self.check_range("u" + dtype[1:], 0, (1 << width) - 1)

    def check_range(self, dtype, low, high):
        r = self.of(f"{low} {high}", "minmax", "--dtype", dtype)
        self.assertEqual(r["value"], {"min": low, "max": high})
        for beyond in (low - 1, high + 1, 10**30, -(10**30)):
            self.refused(3, ["line 1, character 3", f"an integer in the range of {dtype}", str(beyond)], "sum", "--dtype",
                         dtype, given=f"1 {beyond}")

    def test_integers_have_no_fraction(self):
        for text in ("1.0", "1e3", "nan", "inf", "0x1p3", "- 1", "0x-1"):
            with self.subTest(text=text):
                self.refused(3, ["expected an integer (i32)"], "sum", "--dtype", "i32", given=text)
        self.assertEqual(self.of("0x1F +3 -0x10 -0", "sum", "--dtype", "i32")["value"], 31 + 3 - 16)
        self.assertEqual(self.of("-0 0xFFFFFFFFFFFFFFFF", "max", "--dtype", "u64")["value"], 2**64 - 1)

    def test_floats_out_of_range(self):
        for dtype, text in (("f64", "1e309"), ("f64", "-1e999999"), ("f64", "0x1p1024"), ("f32", "3.5e38"),
                            ("f16", "65520"), ("bf16", "3.4e38"),
                            ("f64", "1" * 400)):
            with self.subTest(dtype=dtype, text=text):
                self.refused(3, ["line 3, character 1", f"in the range of {dtype}"], "sum", "--dtype", dtype,
                             given=f"1\n\n{text}")
        self.assertEqual(self.of("65519.99", "max", "--dtype", "f16")["value"], 65504)

    def test_rounding(self):
        generator = random.Random(6)
        for _ in range(300):
            value = generator.uniform(-4, 4) * 2.0 ** generator.randrange(-30, 14)
            text = repr(value)
            r = self.of(text, "max", "--dtype", "f64")
            self.assertEqual(r["bits"], bits("f64", value))
            if _ % 10 == 0:
                self.assertEqual(self.of(text, "max", "--dtype", "f32")["bits"], bits("f32", value))
                self.assertEqual(self.of(text, "max", "--dtype", "f16")["bits"], bits("f16", value))

    def test_sixteen_bits_are_rounded_once(self):
        # Just above the middle of 1 and its f16 neighbor; through f32 it would be the middle, and go down.
        value = 1 + 2.0**-11 + 2.0**-40
        self.assertEqual(self.of(repr(value), "max", "--dtype", "f16")["bits"], "0x3c01")
        value = 1 + 2.0**-8 + 2.0**-40
        self.assertEqual(self.of(repr(value), "max", "--dtype", "bf16")["bits"], "0x3f81")

    def test_sixteen_bits_of_any_length(self):
        # Halfway between two neighbors, and so little beside it that f64 does not see it.
        for dtype, half, below, above in (("f16", "1.00048828125", "0x3c00", "0x3c01"),
                                          ("f16", "1.00146484375", "0x3c01", "0x3c02"),
                                          ("f16", "0x1.002", "0x3c00", "0x3c01"),
                                          ("f16", "2049", "0x6800", "0x6801"),
                                          ("bf16", "1.00390625", "0x3f80", "0x3f81"),
                                          ("f16", "0.0000000298023223876953125", "0x0000", "0x0001")):
            even = below if int(below, 16) % 2 == 0 else above
            more = half + ("." if "." not in half else "") + "0" * 40 + "1"
            less = half[:-1] + ("1" if half[0:2] == "0x" else str(int(half[-1]) - 1)) + ("." if "." not in half else "")
            less += ("f" if half[0:2] == "0x" else "9") * 40
            for text, expected in ((half, even), (more, above), (less, below)):
                for sign in ("", "-"):
                    with self.subTest(dtype=dtype, text=sign + text):
                        negative = f"0x{int(expected, 16) | (0x8000 if sign else 0):04x}"
                        r = self.of(sign + text, "max", "--dtype", dtype, "--integers", "round")
                        self.assertEqual(r["bits"], negative)
        self.assertEqual(self.of("65519." + "9" * 40, "max", "--dtype", "f16")["value"], 65504)
        self.refused(3, ["in the range of f16"], "max", "--dtype", "f16", given="65520")

    def test_large_text_in_pieces(self):
        # Windows of 32 MiB and pieces of 1 MiB: more than one of each, from a file and from a stream.
        lines = [f"{i} {i + 0.5} # {i}" for i in range(1_600_000)]
        text = "\n".join(lines).encode()
        self.assertGreater(len(text), 33 << 20)
        path = self.file("large.txt", text)
        count = len(lines)
        expected = count * (count - 1) + count * 0.5
        seen = {(r["n"], r["value"]) for r in (self.reduced("sum", path), self.reduced("sum", path, "--threads", 3),
                                               self.reduced("sum", given=text))}
        self.assertEqual(seen, {(2 * count, expected)})
        broken = text + b"\n 7 seven"
        place = f"line {count + 1}, character 4"
        self.refused(3, [place, '"seven"'], "sum", self.file("broken.txt", broken))
        self.refused(3, [place, '"seven"'], "sum", given=broken)

    def test_the_first_error_is_told(self):
        text = "1\n" * 500_000 + "first\n" + "1\n" * 2_000_000 + "second\n"
        self.refused(3, ["line 500001, character 1", '"first"'], "sum", "--threads", 4, given=text)

    def test_one_long_line(self):
        count = 9_000_000
        text = b"1234 " * count
        self.assertGreater(len(text), 33 << 20)
        self.assertEqual(self.reduced("sum", given=text)["value"], 1234 * count)
        self.refused(3, [f"line 1, character {len(text) + 1}"], "sum", given=text + b"x")
        self.assertEqual(self.reduced("sum", given=b"1 #" + text)["value"], 1)


if __name__ == "__main__":
    unittest.main()
