#!/usr/bin/env python3
"""Makes tables of a results file: the bars, each comparison behind them, the thresholds, the parts of docs/results.md.

usage: report.py [RESULTS.json]                     which bars are met (exit code 1 if one is missed)
       report.py --cells [RESULTS.json]             every comparison
       report.py --update docs/results.md [RESULTS.json]  renews the parts of the file between the markers
       report.py --check docs/results.md [RESULTS.json]   exit code 1 if those parts are not up to date
       report.py --compare OTHER.json [RESULTS.json]  our times in RESULTS against OTHER, as of two compilers
Without RESULTS.json it takes the newest full one in bench/results/, else the newest quick one.
"""
import argparse
import json
import pathlib
import statistics
import sys

import accuracies
import tables
from measured import Measured

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
#: The parts of docs/results.md between <!-- NAME:begin --> and <!-- NAME:end -->, and the functions that make them.
PARTS = {"accuracy": lambda m: accuracies.page(m, tables.table), "bench": tables.page}


def newest():
    """The newest results of a full run by g++, else of any run, and of a day those with errors: the documents show them."""
    found = []
    for path in RESULTS.glob("*.json"):
        content = json.loads(path.read_text())
        context = content["context"]
        preferred = (context["mode"] == "full", context["compiler"].startswith("GNU"), context["date"],
                     bool(content.get("accuracy")))
        found.append((*preferred, path.stat().st_mtime, path))
    if not found:
        sys.exit(f"{RESULTS} has no results: scripts/bench makes them")
    return max(found)[-1]


def renewed(path, parts):
    """The file's text, and the text with new parts, by name, between the markers."""
    text = new = path.read_text()
    for name, made in parts.items():
        begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
        if new.count(begin) != 1 or new.count(end) != 1 or new.index(begin) > new.index(end):
            sys.exit(f"{path}: expected one line {begin} and below it one line {end}")
        before, rest = new.split(begin)
        new = before + begin + "\n" + made + end + rest.split(end)[1]
    return text, new


def renew(path, parts, check, script):
    """Writes the parts into the file; with `check`, ends the program where they are not there."""
    text, wanted = renewed(path, parts)
    if not check:
        path.write_text(wanted)
    elif text != wanted:
        sys.exit(f"{path} does not show the newest results: run {script} --update {path}")


def comparison(ours, other):
    """Our own benchmarks in both files: how fast in `ours` against `other`."""
    rows, ratios = [], []
    for name in ours.rounds:
        row, contender = name.split("/")[0], name.split("/")[4]
        own_row = row in ("modes", "calls", "levels", "exact", "hostile") and not contender.startswith(("read", "std"))
        if name in other.rounds and (own_row or contender == "onefold"):
            ratio = other.ns(name) / ours.ns(name)
            ratios.append(ratio)
            rows.append([name, f"{ours.ns(name):.4g}", f"{other.ns(name):.4g}", f"{ratio:.2f}"])
    if not rows:
        sys.exit("the two files have no benchmark in common")
    rows.sort(key=lambda row: float(row[3]))
    rows.append(["geometric mean", "", "", f"{statistics.geometric_mean(ratios):.2f}"])
    return tables.table(["benchmark", "ns", "other ns", "speed"], rows)


def main():
    options = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2])
    options.add_argument("results", nargs="?", type=pathlib.Path)
    options.add_argument("--cells", action="store_true")
    options.add_argument("--update", type=pathlib.Path)
    options.add_argument("--check", type=pathlib.Path)
    options.add_argument("--compare", type=pathlib.Path)
    given = options.parse_args()
    measured = Measured.read(given.results or newest())
    if given.update or given.check:
        parts = {name: made(measured) for name, made in PARTS.items()}
        renew(given.update or given.check, parts, bool(given.check), "bench/report.py")
    elif given.compare:
        print(comparison(measured, Measured.read(given.compare)))
    elif given.cells:
        print(tables.cell_table(measured))
    else:
        c = measured.context
        print(f"{c['cpu']}, {c['cores']} cores, {c['compiler']}, {c['flags']}, commit {c['commit']}, {c['date']},",
              f"{c['mode']}\n")
        print(tables.bar_table(measured))
        print(tables.threshold_lines(measured))
        if "**missed**" in tables.bar_table(measured):
            sys.exit(1)


if __name__ == "__main__":
    main()
