#!/usr/bin/env python3
"""Counts the instructions of fixed small reductions, by callgrind, and compares them with the stored figures.

Exit code 1 if one takes more than the tolerance allows. Counts are the compiler's: with another than the one that
the figures were recorded with, the tolerance is wider. --record writes new figures, --planted counts a program that
walks every array twice.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FIGURES = pathlib.Path(__file__).resolve().parent / "counts.json"
#: How much more a count may be: by the same compiler, whose packages differ a little; and by another.
TOLERANCE, OTHER_COMPILER = 0.03, 0.5


def fail(reason):
    print(f"counts.py: {reason}", file=sys.stderr)
    sys.exit(2)


def counted(program, planted):
    """What the program was compiled with, its instruction set, and the count of each reduction."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ONEFOLD_")}
    with tempfile.TemporaryDirectory() as directory:
        command = ["valgrind", "--tool=callgrind", "--collect-atstart=no", f"--callgrind-out-file={directory}/out",
                   str(program)] + ["--planted"] * planted
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        except FileNotFoundError:
            fail("valgrind is not installed (Debian package valgrind)")
        if done.returncode != 0:
            fail(f"{' '.join(command)} failed with {done.returncode}:\n{done.stderr}")
        compiler, level = done.stdout.splitlines()[-2:]
        counts = {}
        dumps = pathlib.Path(directory).glob("out.*")
        for dump in sorted(dumps, key=lambda path: int(path.suffix[1:])):
            text = dump.read_text()
            name = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE)
            if name:
                counts[name[1]] = int(re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)[1])
    return {"compiler": compiler, "isa": level, "instructions": counts}


def compared(now, stored, tolerance):
    """The lines of the table, and the names of those that take too many instructions."""
    lines, slower = [], []
    for name in dict.fromkeys([*stored, *now]):
        if name not in now or name not in stored:
            slower.append(name)
            lines.append(f"{name:28} {'only ' + ('stored' if name in stored else 'counted'):>24}  RECORD ANEW")
            continue
        change = now[name] / stored[name] - 1
        verdict = "ok"
        if change > tolerance:
            verdict = "SLOWER"
            slower.append(name)
        elif change < -tolerance:
            verdict = "faster: record anew"
        lines.append(f"{name:28} {stored[name]:12} {now[name]:12} {change:+8.1%}  {verdict}")
    return lines, slower


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", type=pathlib.Path, required=True, help="the program onefold_counts")
    options.add_argument("--figures", type=pathlib.Path, default=FIGURES, help="the stored figures")
    options.add_argument("--record", action="store_true", help="store what is counted")
    options.add_argument("--planted", action="store_true", help="count a program that walks every array twice")
    given = options.parse_args()
    found = counted(given.program, given.planted)
    if given.record:
        given.figures.write_text(json.dumps(found, indent=1) + "\n")
        print(f"recorded in {given.figures}")
        return
    stored = json.loads(given.figures.read_text())
    if found["isa"] != stored["isa"]:
        fail(f"the figures are of instruction set {stored['isa']}, this program's is {found['isa']}")
    tolerance = TOLERANCE
    if found["compiler"] != stored["compiler"]:
        tolerance = OTHER_COMPILER
        print(f"The figures were recorded with {stored['compiler']}, this program is built by {found['compiler']}:",
              f"the tolerance is {tolerance:.0%} instead of {TOLERANCE:.0%}.")
    print(f"{'instructions':28} {'stored':>12} {'counted':>12}   change")
    lines, slower = compared(found["instructions"], stored["instructions"], tolerance)
    print("\n".join(lines))
    if slower:
        print(f"Slower, or not in the figures: {', '.join(slower)}. If that is meant: scripts/bench-check --record")
        sys.exit(1)


if __name__ == "__main__":
    main()
