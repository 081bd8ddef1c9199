"""Results against independent oracles: integers, fractions, and correctly rounded sums."""

import functools
import math
import operator
import random
import struct
import unittest
from fractions import Fraction

from support import TYPES, ProgramTest, bits, npy


def rounded(dtype, exact):
    """The fraction rounded once to the type, by comparing its two neighbors exactly."""
    guess = struct.unpack(TYPES[dtype][1], struct.pack(TYPES[dtype][1], float(exact)))[0]
    code = int.from_bytes(struct.pack("<" + TYPES[dtype][1], abs(guess)), "little")
    size = struct.calcsize(TYPES[dtype][1])
    near = [struct.unpack("<" + TYPES[dtype][1], (code + d).to_bytes(size, "little"))[0] for d in (-1, 0,
                                                                                                   1) if code + d >= 0]
    sign = -1 if exact < 0 else 1
    return min((sign * v for v in near), key=lambda v: abs(Fraction(v) - exact))


class Integers(ProgramTest):
    def setUp(self):
        super().setUp()
        generator = random.Random(8)
        self.data = {}
        for dtype in ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"):
            width = 8 * int(TYPES[dtype][0][1])
            low = -(1 << (width - 1)) if dtype[0] == "i" else 0
            values = [generator.randrange(low, low + (1 << width)) for _ in range(10007)]
            self.data[dtype] = values, self.file(dtype + ".npy", npy(dtype, values))

    def test_arithmetic_wraps_at_64_bits(self):
        for dtype, (values, path) in self.data.items():
            for op, exact in (("sum", sum(values)), ("product", math.prod(values))):
                r = self.reduced(op, path)
                self.assertEqual(r["result_dtype"], dtype[0] + "64")
                self.assertEqual(int(r["bits"], 16), exact % 2**64, (op, dtype))
            self.assertEqual(int(self.reduced("sum", path, "--init", 41)["bits"], 16), (sum(values) + 41) % 2**64)

    def test_selections(self):
        for dtype, (values, path) in self.data.items():
            low, high = min(values), max(values)
            expected = {"min": low, "max": high, "minmax": {"min": low, "max": high}, "argmin": values.index(low),
                        "argmax": values.index(high), "count": sum(v != 0 for v in values), "all": all(values),
                        "any": any(values)}
            for op, value in expected.items():
                self.assertEqual(self.reduced(op, path)["value"], value, (op, dtype))

    def test_bits(self):
        for dtype, (values, path) in self.data.items():
            for op, function in (("bit_and", operator.and_), ("bit_or", operator.or_), ("bit_xor", operator.xor)):
                self.assertEqual(self.reduced(op, path)["value"], functools.reduce(function, values), (op, dtype))

    def test_mean_is_rounded_once_where_the_sum_is_exact(self):
        for dtype in ("i8", "u16", "i32"):
            values, path = self.data[dtype]
            self.assertEqual(self.reduced("mean", path)["bits"],
                             bits("f64", rounded("f64", Fraction(sum(values), len(values)))))


class Floats(ProgramTest):
    def values(self, dtype, seed, count=5003):
        """Numbers of the type with all its bits, 24 or fewer, so that f64 adds thousands of them without an error."""
        generator = random.Random(seed)
        width = 10 if dtype == "f16" else 23
        return [generator.randrange(-(2 << width), 2 << width) * 2.0**-20 for _ in range(count)]

    def test_wide_sums_are_rounded_once(self):
        for dtype in ("f16", "f32", "f64"):
            values = self.values(dtype, 9)
            path = self.file("a.npy", npy(dtype, values))
            exact = sum(map(Fraction, values))
            for result in ("f32", "f64"):
                r = self.reduced("sum", path, "--accuracy", "wide", "--result", result)
                self.assertEqual((r["result_dtype"], r["bits"]), (result, bits(result, rounded(result, exact))))

    def test_exact_sums_and_means_are_rounded_once_in_every_order(self):
        generator = random.Random(21)
        values = [generator.choice([-1, 1]) * generator.random() * 2.0 ** generator.randrange(-900, 900) for _ in range(9000)]
        exact = sum(map(Fraction, values))
        for _ in range(3):
            generator.shuffle(values)
            path = self.file("a.npy", npy("f64", values))
            for op, wanted in (("sum", exact), ("mean", exact / len(values))):
                r = self.reduced(op, path, "--accuracy", "exact")
                self.assertEqual(r["bits"], bits("f64", rounded("f64", wanted)))

    def test_exact_integer_sums_report_overflow(self):
        path = self.file("a.npy", npy("i64", [2**63 - 1, 1]))
        self.refused(3, [path, "sum", "beyond the range of i64"], "sum", path, "--accuracy", "exact")

    def test_double_double_equals_fsum(self):
        for seed in range(10, 20):
            generator = random.Random(seed)
            values = [generator.uniform(-1, 1) for _ in range(4001)]
            r = self.reduced("sum", self.file("a.npy", npy("f64", values)), "--accuracy", "wide")
            self.assertEqual(r["bits"], bits("f64", math.fsum(values)))
            self.assertEqual(r["value"], math.fsum(values))

    def test_native_is_within_its_bound(self):
        generator = random.Random(11)
        for dtype, unit in (("f32", 2.0**-24), ("f64", 2.0**-53)):
            values = [struct.unpack("f", struct.pack("f", generator.gauss(0, 1)))[0] for _ in range(100_003)]
            exact = sum(map(Fraction, values))
            r = self.reduced("sum", self.file("a.npy", npy(dtype, values)))
            depth = 8 + 2 + 7 + math.ceil(math.log2(len(values) / 2048))
            error = abs(Fraction(r["value"]) - exact)
            self.assertLessEqual(error, depth * Fraction(unit) * sum(abs(Fraction(v)) for v in values))

    def test_special_values(self):
        nan, inf = math.nan, math.inf
        for values, op, value in (([1.0, nan, 2.0], "min", "nan"), ([1.0, nan, 2.0], "fmin", 1),
                                  ([inf, -inf], "sum", "nan"), ([inf, 1.0], "sum", "inf"),
                                  ([nan, nan], "fmax", "nan"), ([3.0, nan, 1.0, nan], "argmax", 1),
                                  ([0.0, -0.0], "argmin", 1), ([-inf], "max", "-inf")):
            for dtype in ("f16", "f32", "f64"):
                r = self.reduced(op, self.file("a.npy", npy(dtype, values)))
                self.assertEqual(r["value"], value, (values, op, dtype))
        zero = self.reduced("sum", self.file("z.npy", npy("f64", [-0.0, -0.0])))
        self.assertEqual(zero["bits"], bits("f64", 0.0))
        zero = self.reduced("max", self.file("z.npy", npy("f64", [-0.0, -0.0])))
        self.assertEqual((zero["bits"], math.copysign(1, zero["value"])), (bits("f64", -0.0), -1))

    def test_moments(self):
        values = [float(v) for v in range(1, 1025)]
        exact = {"n": 1024, "mean": 512.5, "m2": sum((Fraction(v) - Fraction(1025, 2)) ** 2 for v in values)}
        r = self.reduced("moments", self.file("a.npy", npy("f32", values)))
        self.assertEqual(r["value"], exact)
        self.assertEqual(r["bits"]["mean"], bits("f64", 512.5))
        self.assertEqual(r["result_dtype"], {"n": "i64", "mean": "f64", "m2": "f64"})
        self.assertEqual(self.reduced("variance", self.file("b.npy", npy("f64", values)))["value"],
                         float(exact["m2"] / 1024))


if __name__ == "__main__":
    unittest.main()
