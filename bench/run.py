#!/usr/bin/env python3
"""Runs the benchmark and writes every measured time to bench/results/<machine>-<date>-<commit>.json.

Each row (one reduction, type, size and number of threads) is a process of its own: its contenders reduce the same
array in turns, in random order (Google Benchmark's interleaving), so that what disturbs the machine disturbs all of
them alike. OpenMP's threads spin between two calls and would slow TBB's down, so that a row of several threads has a
process for either, one after the other. Everything is repeated in rounds, with new arrays. Times of one thread are
its CPU time, which other programs of the machine lengthen less; times of several threads are real time.
"""
import argparse
import datetime
import itertools
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

import accuracies

BENCH = pathlib.Path(__file__).resolve().parent
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
ONLY_OURS = "(onefold|read)"


class Row:
    """One process: which benchmarks, and with which threads."""

    def __init__(self, name, threads=1, contenders="", runtime="openmp", thresholds=False, in_turn=False):
        self.name, self.threads, self.contenders = name, threads, contenders
        self.runtime, self.thresholds, self.in_turn = runtime, thresholds, in_turn
        self.bytes = int(name.split("/")[2]) if name.count("/") == 2 else 0

    def arguments(self):
        pattern = f"^{self.name}/"
        if self.bytes:
            pattern += f"{self.threads}/{self.contenders}"
        found = [f"--threads={self.threads}", f"--runtime={self.runtime}", f"--benchmark_filter={pattern}"]
        return found + ["--thresholds"] * self.thresholds + ["--in-turn"] * self.in_turn


def rows(quick, cores):
    """The rows, in the order in which they are measured."""
    kinds = ["f32"] if quick else ["f32", "f64"]
    for op, kind in itertools.product(["sum", "max"], ["f32", "f64"]):
        for size in [64 * KIB, 256 * KIB, MIB]:
            yield Row(f"{op}/{kind}/{size}")
        if cores > 1:
            for runtime in ["openmp", "tbb"]:
                yield Row(f"{op}/{kind}/{MIB}", 2, runtime=runtime)
    for kind in ["i8", "i16", "i32", "i64"]:
        yield Row(f"sum/{kind}/{MIB}")
    for op, kind, size in itertools.product(["sum", "max"], kinds, [16 * MIB, GIB]):
        everyone = op == "sum" and kind == "f32" and not quick
        yield Row(f"{op}/{kind}/{size}", 1, "" if everyone else ONLY_OURS)
        if cores > 1:
            yield Row(f"{op}/{kind}/{size}", 2, "" if everyone else ONLY_OURS)
            if everyone:
                yield Row(f"{op}/{kind}/{size}", 2, runtime="tbb")
    for kind, size in itertools.product(kinds, [MIB, 16 * MIB, GIB]):
        yield Row(f"modes/{kind}/{size}")
        if cores > 1 and not quick:
            yield Row(f"modes/{kind}/{size}", 2)
    for kind, size in itertools.product(kinds, [8000, MIB, 16 * MIB, GIB]):
        yield Row(f"exact/{kind}/{size}")
        if cores > 1 and size >= 16 * MIB and not quick:
            yield Row(f"exact/{kind}/{size}", 2)
    for kind in kinds:
        yield Row(f"hostile/{kind}/{GIB}")
    for size in [MIB] if quick else [64 * KIB, MIB, GIB]:
        yield Row(f"levels/f32/{size}")
    for kind in kinds:
        yield Row(f"calls/{kind}")
    if cores > 1:
        for runtime in ["openmp", "tbb"]:
            yield Row("thresholds/f32", 2, runtime=runtime, thresholds=True)


class Results:
    """The times of each benchmark, round by round."""

    def __init__(self):
        self.times, self.allocations, self.context, self.accuracy = {}, {}, {}, []

    def add(self, name, times):
        self.times.setdefault(name, []).append([float(f"{t:.5g}") for t in times])

    def add_output(self, output, clock):
        self.context = output["context"]
        found = {}
        for b in output["benchmarks"]:
            if b.get("run_type") != "iteration":
                continue
            name = "/".join(b["name"].split("/")[:6])
            if b.get("error_occurred"):
                sys.exit(f"{name}: {b['error_message']}")
            found.setdefault(name, []).append(b[clock])
            if "allocations" in b:
                self.allocations[name] = max(self.allocations.get(name, 0), int(b["allocations"]))
        for name in sorted(found):  # they ran in random order
            self.add(name, found[name])


def run_row(program, row, effort, results):
    environment = dict(os.environ, OMP_NUM_THREADS=str(row.threads))
    for name in ["ONEFOLD_BACKEND", "ONEFOLD_ISA", "ONEFOLD_NUM_THREADS"]:
        environment.pop(name, None)
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [str(program), *row.arguments(), f"--benchmark_out={out.name}", "--benchmark_out_format=json",
                   f"--benchmark_repetitions={effort['repetitions']}", f"--benchmark_min_time={effort['seconds']}",
                   "--benchmark_enable_random_interleaving=true"]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              env=environment)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\nfailed with {done.returncode}:\n{done.stderr}")
        results.add_output(json.load(out), "cpu_time" if row.threads == 1 else "real_time")


def python_with(library, given=None):
    """The first Python that has the library; None, and a note, if there is none."""
    for python in [given] if given else [sys.executable, "/usr/bin/python3"]:
        try:
            if subprocess.run([python, "-c", f"import numpy, {library}"], stderr=subprocess.DEVNULL).returncode == 0:
                return python
        except OSError:
            pass
    print(f"{library} is left out: no Python here has it", file=sys.stderr)
    return None


def elements(program, name, file):
    """Writes the elements of a row to a file, for peers that are no C++."""
    subprocess.run([str(program), f"--write-data={file}", f"--data={name.partition('/')[2]}"], check=True)


def run_python(python, library, name, file, **settings):
    """What python_peer.py writes."""
    command = [python, str(BENCH / "peers" / "python_peer.py"), library, name, str(file)]
    command += [f"--{setting}={value}" for setting, value in settings.items()]
    # NumPy's products are a BLAS's, which takes all cores unless it is told otherwise.
    most = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"]
    threads = dict.fromkeys(most, str(settings.get("threads", 1)))
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, **threads})
    return json.loads(done.stdout)


def run_numpy(python, program, row, effort, results):
    with tempfile.NamedTemporaryFile(suffix=".bin") as file:
        elements(program, row.name, file.name)
        done = run_python(python, "numpy", row.name, file.name, repetitions=effort["repetitions"],
                          seconds=effort["seconds"])
    results.add(f"{row.name}/1/NumPy/as installed", done["ns"])


def measure_accuracy(program, results):
    """What the laboratory of the program `onefold` finds; a note, if it is not there."""
    if program.exists():
        print("the errors of each accuracy", file=sys.stderr, flush=True)
        results.accuracy = accuracies.measure(program)
    else:
        print(f"the errors of each accuracy are left out: program {program} not found", file=sys.stderr)


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=BENCH.parent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True)
    return done.stdout.strip()


def cpu_model():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
        return re.search(r"(?:model name|CPU part)\s*:\s*(.*)", text).group(1)
    except (OSError, AttributeError):
        return platform.processor() or platform.machine()


def described(results, mode):
    """What a reader must know to judge the times."""
    context = results.context
    commit = git("rev-parse", "--short", "HEAD") or "none"
    if git("status", "--porcelain", "--", "include", "src", "backends", "bench", ":!bench/results"):
        commit += "-changed"
    return {
        "cpu": cpu_model(), "cores": os.cpu_count(), "system": platform.system(),
        "caches": [f"L{c['level']} {c['type']} {c['size'] >> 10} KiB for {c['num_sharing']} core(s)"
                   for c in context["caches"]],
        "load": context["load_avg"], "compiler": context["compiler"], "flags": context["flags"],
        "fast_flags": "-O3 -march=native -ffast-math", "date": datetime.date.today().isoformat(),
        "commit": commit, "mode": mode,
    }


def written(results, context, directory):
    """The new file of the results."""
    name = re.sub(r"[^a-z0-9]+", "-", re.sub(r"\((r|tm)\)|cpu|processor|@.*", "", context["cpu"].lower())).strip("-")
    path = directory / f"{name}-{context['cores']}-cores-{context['date']}-{context['commit']}.json"
    benchmarks = []
    for benchmark, rounds in results.times.items():
        benchmarks.append({"name": benchmark, "ns": rounds})
        if benchmark in results.allocations:
            benchmarks[-1]["allocations"] = results.allocations[benchmark]
    directory.mkdir(parents=True, exist_ok=True)
    write(path, {"context": context, "benchmarks": benchmarks, "accuracy": results.accuracy})
    return path


def write(path, content):
    """Writes a results file, each benchmark and each study of the accuracy on a line of its own."""
    lists = "".join(f',\n"{key}": [\n' + ",\n".join(json.dumps(entry) for entry in content[key]) + "\n]"
                    for key in ["benchmarks", "accuracy"])
    path.write_text('{"context": ' + json.dumps(content["context"], indent=1) + lists + "}\n")


def add_errors(path, program):
    """Adds the errors of each accuracy to a results file: they are the same on every machine."""
    content = json.loads(path.read_text())
    content["accuracy"] = accuracies.measure(program)
    write(path, content)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", type=pathlib.Path, required=True,
                         help="the program onefold_bench; the program onefold beside it measures errors")
    options.add_argument("--quick", action="store_true", help="fewer rows and repetitions: about two minutes")
    options.add_argument("--only", default="", help="only rows that match this regular expression")
    options.add_argument("--max-bytes", type=int, default=GIB, help="no arrays larger than this")
    options.add_argument("--rounds", type=int, help="how often everything is repeated, with new arrays")
    options.add_argument("--repetitions", type=int, help="repetitions of a row in a round")
    options.add_argument("--numpy", metavar="PYTHON", help="a Python that has NumPy, if this one has not")
    options.add_argument("--results", type=pathlib.Path, default=BENCH / "results", help="the directory to write to")
    options.add_argument("--add-errors", type=pathlib.Path, metavar="RESULTS",
                         help="measure only the errors of each accuracy, and add them to this file of results")
    given = options.parse_args()
    onefold = given.program.with_name("onefold")
    if given.add_errors:
        return add_errors(given.add_errors, onefold)
    effort = {"rounds": 3, "repetitions": 9, "seconds": 0.005}
    if given.quick:
        effort = {"rounds": 2, "repetitions": 7, "seconds": 0.003}
    effort.update((k, v) for k in ["rounds", "repetitions"] if (v := getattr(given, k)))

    wanted = [r for r in rows(given.quick, os.cpu_count())
              if r.bytes <= given.max_bytes and re.search(given.only, r.name)]
    if not wanted:
        sys.exit(f"no row matches {given.only}")
    numpy = python_with("numpy", given.numpy)
    results = Results()
    measure_accuracy(onefold, results)
    for i, row in itertools.product(range(effort["rounds"]), wanted):
        print(f"round {i + 1} of {effort['rounds']}: {row.name}, {row.threads} thread(s), {row.runtime}",
              file=sys.stderr, flush=True)
        run_row(given.program, row, effort, results)
        if numpy and row.threads == 1 and row.name.startswith(("sum/", "max/")) and row.contenders == "":
            run_numpy(numpy, given.program, row, effort, results)
    print(written(results, described(results, "quick" if given.quick else "full"), given.results))


if __name__ == "__main__":
    main()
