#!/usr/bin/env python3
"""Makes the data of the test numeric.nist: NIST's certified digits, and the exact figures of the doubles.

usage: nist_data.py FILE.dat... FOLDER    writes FOLDER/nist/nist_FILE.txt; ONEFOLD_TEST_DATA then names FOLDER

The files are the univariate ones of https://www.itl.nist.gov/div898/strd/univ/homepage.html.
"""
import argparse
import math
import pathlib
import re
from fractions import Fraction

CERTIFIED = {"n": r"Number of Observations: *(\d+)", "certified_mean": r"Sample Mean +ybar: *(\S+)",
             "certified_stddev": r"Sample Standard Deviation .* s: *(\S+)"}


def root(x):
    """The square root of a fraction, rounded once: 128 bits of it or more, and an odd last one if there are others."""
    shift = max(0, 128 - x.numerator.bit_length() // 2 + x.denominator.bit_length() // 2)
    scaled = x * 4**shift
    q = math.isqrt(scaled.numerator // scaled.denominator)
    return float(Fraction(2 * q + (q * q != scaled), 2 ** (shift + 1)))


def exact(values):
    """The figures of the doubles, each rounded once."""
    x = [Fraction(v) for v in values]
    mean = sum(x) / len(x)
    variance = sum((y - mean) ** 2 for y in x) / (len(x) - 1)
    return {"exact_mean_of_doubles": float(mean), "exact_stddev_of_doubles_n-1": root(variance),
            "exact_var_of_doubles_n-1": float(variance), "exact_sum_of_doubles": float(sum(x))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", metavar="FILE.dat", nargs="+", type=pathlib.Path)
    parser.add_argument("folder", metavar="FOLDER", type=pathlib.Path)
    given = parser.parse_args()
    files, folder = given.files, given.folder
    (folder / "nist").mkdir(parents=True, exist_ok=True)
    for path in files:
        head, data = re.split(r"^-{5,}\s*$", path.read_text(), maxsplit=1, flags=re.MULTILINE)
        decimals = data.split()
        values = [float(d) for d in decimals]
        lines = [f"# {key} {re.search(pattern, head)[1]}" for key, pattern in CERTIFIED.items()]
        lines += [f"# {key} {value.hex()}" for key, value in exact(values).items()]
        lines += [f"{decimal} {value.hex()}" for decimal, value in zip(decimals, values)]
        (folder / "nist" / f"nist_{path.stem}.txt").write_text("\n".join(lines) + "\n")


main()
