#!/usr/bin/env python3
"""Compares the library with its peers: who is faster where, how many different answers each gives, and how wrong.

Writes peers.json and peers.md (by onefold report, where the program is beside onefold_bench) to a directory. Times are measured as by run.py, in turns over the
same elements, but each call reduces another copy of the array, so that no cache decides. Answers are those of many
runs, with one thread and with more. OpenMP's threads spin between two calls: TBB's peers have processes of their own.
"""
import argparse
import fractions
import itertools
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from measured import Measured
from run import KIB, MIB, Results, Row, described, elements, python_with, run_python, run_row

FLAGS = {"plain": "-O3", "fast": "-O3 -march=native -ffast-math", "as installed": "as installed"}
PYTHON = {"numpy": "NumPy", "torch": "PyTorch"}
WIDTH = {"f32": 4, "f64": 8, "f16": 2, "bf16": 2}
FLOATS = ["f32", "f64"]
LIMITS = {"read": "reading alone", "read-streams": "reading alone, side by side", "memcpy": "copying alone"}
# Measured on one thread, over arrays of these sizes; as in bench/operations.hpp.
OPERATIONS = ["dot", "exact_dot", "distance", "cosine", "weighted_mean", "covariance", "correlation", "squares", "norm1",
              "norm_inf", "ptp", "summary", "histogram", "edges", "top_k", "median", "quantile", "harmonic_mean",
              "geometric_mean", "skewness", "excess_kurtosis"]
OPERATION_SIZES = [MIB, 16 * MIB]


def write_json(path, found):
    """A line for each comparison."""
    lists = [f'"{name}": [\n' + ",\n".join(map(json.dumps, found[name])) + "\n]"
             for name in ("speeds", "shapes", "answers") if name in found]
    path.write_text('{"context": ' + json.dumps(found["context"], indent=1) + ",\n" + ",\n".join(lists) + "}\n")


def write_page(onefold, path):
    """The page of peers.json beside it, by the program; without it there is none."""
    if onefold.exists():
        page = subprocess.run([str(onefold), "report", "--from", str(path)], stdout=subprocess.PIPE, check=True)
        path.with_suffix(".md").write_bytes(page.stdout)
        path = path.with_suffix(".md")
    print(path)


def ulp(kind, x):
    """The distance between neighboring numbers of the type at x."""
    if kind == "f64":
        return fractions.Fraction(math.ulp(x))
    return fractions.Fraction(2) ** ((max(math.frexp(x)[1], -125) if x else -125) - 24)


def ulps(kind, answers, exact):
    """The error of the worst of the answers, in ulps of the exact one, which is a sum of numbers."""
    exact = sum(map(fractions.Fraction, exact))
    unit = ulp(kind, float(exact))
    return max(float(abs(fractions.Fraction(a) - exact) / unit) for a in answers)


def listed_rows(program, pattern, most):
    """Names of the program's rows that match a pattern, of arrays of up to `most` bytes."""
    done = subprocess.run([str(program), "--benchmark_list_tests", f"--benchmark_filter={pattern}", f"--max-bytes={most}"],
                          stdout=subprocess.PIPE, text=True, check=True)
    return list(dict.fromkeys("/".join(line.split("/")[:3]) for line in done.stdout.splitlines()))


def rows(given, cores):
    """The rows whose times are compared, in the order in which they are measured."""
    names = ["/".join(map(str, name)) for name in itertools.product(["sum", "max"], FLOATS, given.sizes)]
    sums = listed_rows(given.program, "^sum-", max(given.sizes))
    lines = listed_rows(given.program, "^(cumsum|[a-z_]*(softmax|norm)-)", max(given.sizes))
    for name in names + sums + lines:
        in_turn = name in names or (name in sums and int(name.rpartition("/")[2]) > 2 * MIB)
        yield Row(name, in_turn=in_turn)
        if cores > 1:
            for runtime in ["openmp", "tbb"]:
                yield Row(name, cores, runtime=runtime, in_turn=in_turn)
    for op, kind, size in itertools.product(OPERATIONS, FLOATS, OPERATION_SIZES):
        if size in given.sizes:
            yield Row(f"{op}/{kind}/{size}", in_turn=True)


def time_python(python, library, given, row, effort, caches, results):
    copies = max(1, math.ceil(2 * caches / row.bytes)) if row.in_turn else 1
    with tempfile.NamedTemporaryFile(suffix=".bin") as file:
        elements(given.program, row.name, file.name)
        done = run_python(python, library, row.name, file.name, threads=row.threads, copies=copies,
                          repetitions=effort["repetitions"], seconds=effort["seconds"])
    results.add(f"{row.name}/{row.threads}/{PYTHON[library]}/as installed", done["ns"])
    return f"{PYTHON[library]} {done['version']}"


def who_of(name):
    """The contender, and the flags that it was compiled with."""
    _, _, _, _, contender, flavor = name.split("/")
    return contender, FLAGS.get(flavor, FLAGS["plain"])


def speeds(results, runtimes):
    """A comparison for each peer of each row that was measured."""
    measured = Measured(results.context, results.times, {}, [])
    for name in measured.rounds:
        op, kind, size, threads, contender, _ = name.split("/")
        row = "/".join([op, kind, size, threads])
        runtime = runtimes[name] if threads != "1" else None
        ours = measured.find(row, "onefold", runtime or "sequential")
        who, flags = who_of(name)
        if contender in LIMITS:
            who, flags = LIMITS[contender], FLAGS["plain"]
        where = f"{threads} threads, {runtime}" if runtime else "1 thread"
        op, _, shape = op.partition("-")
        over = {"shape": shape.replace("-axis", " axis ")} if shape else {}
        yield {"op": op, **over, "dtype": kind, "n": int(size) // WIDTH[kind], "where": where, "who": who, "flags": flags,
               "ns": measured.ns(name), "onefold_ns": measured.ns(ours), "onefold_speed": measured.speed(ours, name)[0]}


def ask(given, op, kind, size, threads, runtime):
    """What the contenders answer, and the exact answer."""
    contenders = "exact/" if op == "exact" else "(?!read)"
    command = [str(given.program), f"--answers={given.runs}", f"--threads={threads}", f"--runtime={runtime}",
               f"--benchmark_filter=^{op}/{kind}/{size}/{threads}/{contenders}"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ONEFOLD_")}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    return json.loads(done.stdout)


def answers(given, pythons):
    """Of each contender: how many different answers in the runs of one number of threads, and in all runs."""
    counts = range(1, given.most_threads + 1)
    for op, kind, size in itertools.product(["sum", "max", "exact"], FLOATS, given.answer_sizes):
        print(f"answers: {op}/{kind}/{size}", file=sys.stderr, flush=True)
        found = {}  # contender -> number of threads -> answers
        for threads, runtime in itertools.product(counts, ["openmp", "tbb"]):
            if (threads, runtime) == (1, "tbb"):
                continue  # one thread is the same process for both
            told = ask(given, op, kind, size, threads, runtime)
            exact = told["exact"][f"{op}/{kind}/{size}"]
            for name, values in told["answers"].items():
                found.setdefault(who_of(name), {}).setdefault(threads, []).append(values)
        if op != "exact":
            with tempfile.NamedTemporaryFile(suffix=".bin") as file:
                elements(given.program, f"{op}/{kind}/{size}", file.name)
                for library, python in pythons.items():
                    for threads in counts if library == "torch" else [1]:
                        done = run_python(python, library, f"{op}/{kind}/{size}", file.name, threads=threads,
                                          repetitions=0, runs=given.runs)
                        key = (PYTHON[library], FLAGS["as installed"])
                        found.setdefault(key, {}).setdefault(threads, []).append(done["answers"])
        for (who, flags), by_threads in found.items():
            lists = [values for each in by_threads.values() for values in each]
            every = set().union(*lists)
            yield {"op": "sum" if op == "exact" else op, "dtype": kind, "n": size // WIDTH[kind],
                   "who": "onefold, exact" if op == "exact" else who, "flags": flags, "runs": given.runs,
                   "threads": sorted(by_threads), "answers_in_runs": max(map(len, lists)),
                   "answers_over_threads": len(every), "ulps": ulps(kind, every, exact)}


def sizes_in(text):
    return [int(size) for size in text.split(",")]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", type=pathlib.Path, required=True, help="the program onefold_bench")
    options.add_argument("--out", type=pathlib.Path, required=True, help="the directory to write to")
    options.add_argument("--sizes", type=sizes_in, default=[64 * KIB, MIB, 16 * MIB, 256 * MIB],
                         help="bytes of the arrays whose times are compared; sums over axes: of arrays up to the largest")
    options.add_argument("--answer-sizes", type=sizes_in, default=[MIB, 16 * MIB],
                         help="bytes of the arrays whose answers are compared")
    options.add_argument("--only", default="", help="times of the rows alone that match this regular expression")
    options.add_argument("--runs", type=int, default=20, help="runs of each peer whose answers are compared")
    options.add_argument("--most-threads", type=int, default=8, help="the answers are those of 1 to so many threads")
    options.add_argument("--rounds", type=int, default=2, help="how often every time is measured, with new arrays")
    given = options.parse_args()

    effort = {"repetitions": 5, "seconds": 0.002}
    pythons = {library: python for library in PYTHON if (python := python_with(library))}
    results, versions, runtimes = Results(), set(), {}  # runtimes: whose process a time comes from
    for i, row in itertools.product(range(given.rounds), rows(given, os.cpu_count())):
        if not re.search(given.only, row.name):
            continue
        print(f"round {i + 1} of {given.rounds}: {row.name}, {row.threads} thread(s), {row.runtime}", file=sys.stderr,
              flush=True)
        run_row(given.program, row, effort, results)
        caches = max(c["size"] for c in results.context["caches"])
        for library, python in pythons.items():
            op, kind, _ = row.name.split("/")
            if kind == "bf16" or (library == "torch" and not re.match("(sum|max)(-|$)", op)):
                continue
            if row.threads == 1 or (library == "torch" and row.runtime == "openmp"):
                versions.add(time_python(python, library, given, row, effort, caches, results))
        for name in results.times:
            runtimes.setdefault(name, row.runtime)
    if not results.times:
        sys.exit(f"no row matches {given.only}")
    compared = list(speeds(results, runtimes))
    found = {"context": {**described(results, "peers"), "versions": sorted(versions)},
             "speeds": [r for r in compared if "shape" not in r], "shapes": [r for r in compared if "shape" in r],
             "answers": list(answers(given, pythons))}
    given.out.mkdir(parents=True, exist_ok=True)
    write_json(given.out / "peers.json", found)
    write_page(given.program.parent / "onefold", given.out / "peers.json")


if __name__ == "__main__":
    main()
