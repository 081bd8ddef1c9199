#!/usr/bin/env python3
"""Makes README.md's tables: the accuracies in five rows and the speeds in six, of the newest results on CPU and GPU.

usage: brief.py --update README.md  renews the parts of the file between the markers
       brief.py --check README.md   exit code 1 if those parts are not up to date
"""
import argparse
import importlib.util
import pathlib

import accuracies
import bars
import report
from bars import GIB, MIB
from measured import Measured
from tables import short, table

HERE = pathlib.Path(__file__).resolve().parent


def gpu_report():
    """bench/cuda/report.py, which has the name of this folder's."""
    spec = importlib.util.spec_from_file_location("gpu_report", HERE / "cuda" / "report.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def accuracy(m, source):
    """A row for each mode of an f32 sum: its bound, errors on two data sets, its cost in a cache and in memory."""
    lines = []
    for mode, (bounds, speed) in accuracies.MODES.items():
        ulps = {s["data"]: f["ulps"] for s in m.accuracy if s["dtype"] == "f32"
                for f in s["findings"] if f["mode"] == mode}
        costs = [accuracies.speed_and_cost(m, "f32", size, *speed)[1] if speed else "" for size in (MIB, GIB)]
        lines.append([f"`{mode}`" if speed else "a plain loop", bounds[0],
                      *(accuracies.shown(ulps[data]) for data in ("small terms", "condition 1e12")), *costs])
    c = m.context
    head = ["f32 sum", "error bound", "small terms", "condition 1e12", "time, 1 MB", "time, 1 GB"]
    return (f"Errors of sums of {accuracies.N:,} elements, in ulps (a correctly rounded result has at most 0.5); time "
            f"relative to the\nnative sum, one thread. {c['cpu']}, {c['date']}, `{source}`.\n\n" + table(head, lines))


def fastest(m, names):
    """The fastest benchmark, as text; empty where there is none."""
    best = max(names, key=m.gb_per_s, default=None)
    return f"{m.gb_per_s(best):.3g} ({short(best).removesuffix(' (plain)').removesuffix(' (fast)')})" if best else ""


def cpu_lines(m):
    for row, what in [(f"sum/f32/{MIB}/1", "sum, 1 MB, one thread"), (f"max/f32/{MIB}/1", "max, 1 MB, one thread"),
                      (f"sum/f32/{MIB}/2", "sum, 1 MB, two threads")]:
        limits = [name for name in (m.find(row, "read"), m.find(row, "read-streams")) if name]
        yield [what, f"{max(map(m.gb_per_s, [m.find(row, 'onefold')])):.3g}", f"{max(map(m.gb_per_s, limits)):.3g}",
               fastest(m, bars.peers_of(m, row, "plain")),
               fastest(m, [n for n in bars.peers_of(m, row, "fast") if n.split("/")[5] == "fast"])]


def gpu_lines(t):
    for n in [1 << 20, 1 << 22, 1 << 30]:
        ours, read, cub = (4 * n / 1000 / t.us("sizes", op, "f32", n, who)
                           for op, who in [("sum", "onefold"), ("read", "ceiling"), ("sum", "CUB")])
        yield [f"sum, {4 * n >> 20} MB, GPU" if n < 1 << 28 else f"sum, {4 * n >> 30} GB, GPU", f"{ours:.4g}",
               f"{read:.4g}", f"{cub:.4g} (CUB)", ""]


def speed(m, source, t, gpu_source):
    """A row for each reduction of f32: this library, reading alone, the fastest peers."""
    c = m.context
    head = ["f32, GB/s", "**onefold**", "reading alone", "fastest peer", f"fastest with `{c['fast_flags']}`"]
    return (f"{c['cpu']}, {c['compiler']}, medians, {c['date']}, `{source}`; {t.context['gpu']},\nback-to-back calls "
            f"replayed from a CUDA graph, {t.context['date']}, `{gpu_source}`.\n\n"
            + table(head, [*cpu_lines(m), *gpu_lines(t)]))


def main():
    options = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2])
    given = options.add_mutually_exclusive_group(required=True)
    given.add_argument("--update", type=pathlib.Path)
    given.add_argument("--check", type=pathlib.Path)
    given = options.parse_args()
    on_gpu = gpu_report()
    cpu, gpu = report.newest(), on_gpu.newest()
    m, t = Measured.read(cpu), on_gpu.Times(gpu)
    names = [str(path.relative_to(HERE.parent)) for path in (cpu, gpu)]
    parts = {"accuracy": accuracy(m, names[0]), "speed": speed(m, names[0], t, names[1])}
    report.renew(given.update or given.check, parts, bool(given.check), "bench/brief.py")


if __name__ == "__main__":
    main()
