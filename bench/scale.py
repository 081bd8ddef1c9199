#!/usr/bin/env python3
"""What onefold::mpi::allreduce adds to MPI_Allreduce for up to a million ranks, by a model whose costs are measured.

usage: scale.py COSTS MPI [--mpirun COMMAND] [--output FILE.json]     measures, with 1 to 8 ranks of this machine
       scale.py --from FILE.json                                      prints the tables of docs/scale.md

COSTS and MPI are the programs onefold_partial_costs and onefold_mpi_cost.
"""

import argparse
import datetime
import json
import math
import os
import re
import subprocess

ELEMENTS = 1 << 16  # f32 of each rank in the runs here: 16 pages
PAGES_OF_A_RANK = 1 << 12  # in the model's table: 2^24 elements
FOLD_US = 3700  # of these, by one core: docs/mpi.md
#: Assumed, not measured: latency in us and bandwidth in GB/s of a message between two ranks.
NETWORKS = {"InfiniBand (1.5 us, 25 GB/s)": (1.5, 25), "Ethernet (20 us, 3 GB/s)": (20, 3)}
RANKS = [10**3, 10**4, 10**5, 10**6]


def line(points):
    """Least squares: y = a + b x."""
    n, sx, sy = len(points), sum(x for x, _ in points), sum(y for _, y in points)
    sxx, sxy = sum(x * x for x, _ in points), sum(x * y for x, y in points)
    b = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    return (sy - b * sx) / n, b


def steps(ranks):
    """Of a binomial tree."""
    return math.ceil(math.log2(ranks)) if ranks > 1 else 0


class Tree:
    """The cost of a message at each level of the tree, from measured partials."""

    def __init__(self, costs, what):
        rows = [r for r in costs if r["what"] == what]
        self.bytes = line([(r["level"], r["bytes"]) for r in rows])
        self.work = line([(r["level"], r["save_ns"] + r["load_ns"] + r["join_ns"]) for r in rows])

    def message(self, pages):
        """Bytes of a partial of so many pages, at most, and microseconds of saving, loading and joining it."""
        level = math.log2(max(pages, 2))
        return self.bytes[0] + self.bytes[1] * level, (self.work[0] + self.work[1] * level) / 1000

    def added(self, ranks, pages_of_a_rank, latency, bandwidth):
        """Microseconds beyond those of the fold and MPI_Allreduce of a double: the counts' exscan, the tree, and the
        broadcast, less MPI's own exchange."""
        count = steps(ranks)
        total = count * latency(8) * 2 - count * latency(8)
        for k in range(count):
            size, work = self.message(pages_of_a_rank * 2**k)
            total += latency(size) + size / bandwidth / 1000 + work
        return total


def run_mpi(mpirun, program, ranks):
    environment = {**os.environ, "ONEFOLD_PROFILE": "none", "OMPI_MCA_mpi_yield_when_idle": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    done = subprocess.run([mpirun, "-n", str(ranks), os.path.abspath(program), str(ELEMENTS), "400"], check=True, cwd="/",
                          capture_output=True, text=True, env=environment)
    times = {}
    for name, least, median in re.findall(r"^(.*?) +least +([\d.]+) +median +([\d.]+) us$", done.stdout, re.M):
        times[name] = {"least_us": float(least), "median_us": float(median)}
    return times


def measure(given):
    environment = {**os.environ, "ONEFOLD_PROFILE": "none"}
    costs = subprocess.run([os.path.abspath(given.costs)], check=True, capture_output=True, text=True, cwd="/", env=environment)
    with open("/proc/cpuinfo", encoding="ascii") as file:
        cpu = re.search(r"model name\s*: (.*)", file.read()).group(1)
    version = subprocess.run([given.mpirun, "--version"], capture_output=True, text=True, check=True).stdout
    return {"date": datetime.date.today().isoformat(), "cpu": cpu, "processors": os.cpu_count(),
            "mpi": next(text.strip() for text in version.splitlines() if re.search(r"\d\.\d", text)),
            "elements_of_a_rank": ELEMENTS, "costs": json.loads(costs.stdout),
            "runs": {ranks: run_mpi(given.mpirun, given.mpi, ranks) for ranks in (1, 2, 4, 8)}}


def start_us(result):
    """What making an accumulator adds to a fold."""
    start = next(r for r in result["costs"] if r["what"] == "start")
    return (start["partial_ns"] - start["reduce_ns"]) / 1000


def here(result):
    """Rows of the model beside the runs: ranks, modeled and measured microseconds that are added. Ranks that share a
    processor make their accumulators one after another."""
    costs, runs = result["costs"], result["runs"]
    tree = Tree(costs, "sum of f32")
    sizes = {int(m.group(1)): t["least_us"] for name, t in runs["2"].items()
             if (m := re.match(r"message of (\d+) bytes", name))}
    latency = lambda size: sizes[min(sizes, key=lambda s: abs(s - size))]
    for ranks, times in sorted(runs.items(), key=lambda item: int(item[0])):
        share = max(1, int(ranks) / result["processors"])
        model = share * start_us(result) + tree.added(int(ranks), ELEMENTS * 4 // 16384, latency, math.inf)
        mine, other = times["onefold::mpi::allreduce"], times["fold and MPI_Allreduce"]
        yield int(ranks), model, mine["least_us"] - other["least_us"], mine["median_us"] - other["median_us"]


def tables(result):
    print("| ranks | modeled | measured, least | measured, median |\n|---|---|---|---|")
    for ranks, model, least, median in here(result):
        print(f"| {ranks} | {model:.1f} us | {least:.1f} us | {median:.1f} us |")
    for name, (latency, bandwidth) in NETWORKS.items():
        print(f"\n| {name} | " + " | ".join(f"{r:,} ranks" for r in RANKS) + " |\n|---|" + "---|" * len(RANKS))
        print("| `MPI_Allreduce` of one f64 | " + " | ".join(f"{steps(r) * latency:.0f} us" for r in RANKS) + " |")
        for what in ("sum of f32", "variance of f64", "exact sum of f64", "sum of f32, cut elsewhere"):
            tree = Tree(result["costs"], what)
            added = [start_us(result) + tree.added(r, PAGES_OF_A_RANK, lambda _, l=latency: l, bandwidth) for r in RANKS]
            print(f"| {what}: added | " + " | ".join(f"{a:.0f} us ({100 * a / FOLD_US:.1f} %)" for a in added) + " |")
    print("\n| bytes of the largest message | " + " | ".join(f"{r:,} ranks" for r in RANKS) + " |\n|---|" + "---|" * len(RANKS))
    for what in ("sum of f32", "variance of f64", "exact sum of f64", "sum of f32, cut elsewhere"):
        tree = Tree(result["costs"], what)
        sizes = [tree.message(PAGES_OF_A_RANK * 2**(steps(r) - 1))[0] for r in RANKS]
        print(f"| {what} | " + " | ".join(f"{s:.0f}" for s in sizes) + " |")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("costs", nargs="?", help="onefold_partial_costs")
    options.add_argument("mpi", nargs="?", help="onefold_mpi_cost")
    options.add_argument("--mpirun", default="mpirun")
    options.add_argument("--output", help="where the measurements are stored")
    options.add_argument("--from", dest="stored", help="stored measurements, instead of new ones")
    given = options.parse_args()
    if not given.stored and not given.mpi:
        options.error("name the two programs, or stored measurements by --from")
    if given.stored:
        with open(given.stored, encoding="utf-8") as file:
            result = json.load(file)
    else:
        result = json.loads(json.dumps(measure(given)))
    if given.output:
        with open(given.output, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
            file.write("\n")
    tables(result)


if __name__ == "__main__":
    main()
