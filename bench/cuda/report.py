#!/usr/bin/env python3
"""Makes tables of what onefold_bench_cuda wrote: the bars, shapes beside their peers, the GPU's part of docs/results.md.

usage: report.py [RESULTS.json [PYTHON.json]]       shapes; which bars are met (exit code 1 if one is missed)
       report.py --update docs/results.md [RESULTS.json]  renews the part of the file between the markers
       report.py --check docs/results.md [RESULTS.json]   exit code 1 if that part is not up to date
Without RESULTS.json it takes the newest in bench/results/cuda/. PYTHON.json is what peers.py wrote of the same shapes,
by default python.json beside RESULTS.json, where there is one.
"""
import argparse
import json
import pathlib
import statistics
import sys

RESULTS = pathlib.Path(__file__).resolve().parent.parent / "results" / "cuda"
BEGIN, END = "<!-- cuda:begin -->", "<!-- cuda:end -->"


class Times:
    """Microseconds by group, operation, type, size and contender: the best of a run's turns."""

    def __init__(self, path):
        data = json.loads(path.read_text())
        self.context, self.rows = data["context"], {}
        for r in data["rows"]:
            if "shape" in r:
                continue  # the tables of shapes have them
            key = (r["group"], r["op"], r["dtype"], r["n"], r["who"])
            if key not in self.rows or r["us"] < self.rows[key]["us"]:
                self.rows[key] = r

    def us(self, *key):
        return self.rows[key]["us"] if key in self.rows else None

    def sizes(self, group, op, kind):
        return sorted({k[3] for k in self.rows if k[:3] == (group, op, kind)})


def table(head, lines):
    rows = [head, ["---"] * len(head), *lines]
    return "".join("| " + " | ".join(str(c) for c in row) + " |\n" for row in rows)


def log2(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else str(n)


def bars(t):
    """(what, demanded, measured, met) for each bar."""
    found = []

    def bar(what, demanded, value, at_least=True):
        if value is not None:
            found.append((what, demanded, value, value >= demanded if at_least else value <= demanded))

    def ratio(slow, fast):
        return slow / fast if slow and fast else None

    ratios = {}
    for op in ["sum", "max"]:
        for kind in ["f32", "f64", "i32"]:
            for n in t.sizes("sizes", op, kind):
                ours, cub = t.us("sizes", op, kind, n, "onefold"), t.us("sizes", op, kind, n, "CUB")
                ratios[op, kind, n] = (ratio(cub, ours), ratio(t.us("sizes", "read", kind, n, "ceiling"), ours))
    for op in ["sum", "max"]:
        for kind in ["f32", "f64", "i32"]:
            mine = {n: r for (o, k, n), r in ratios.items() if (o, k) == (op, kind)}
            large = [r[0] for n, r in mine.items() if n >= 1 << 26]
            full = [r[1] for n, r in mine.items() if n >= 1 << 28]
            small = [r[0] for n, r in mine.items() if n <= 1 << 24]
            bar(f"{op} {kind}, 2^26 and up, against CUB", 0.995, min(large, default=None))
            bar(f"{op} {kind}, 2^28 and up, of the ceiling", 0.97, min(full, default=None))
            bar(f"{op} {kind}, 2^10 to 2^24, against CUB, geometric mean", 1.0,
                statistics.geometric_mean(small) if small else None)
            bar(f"{op} {kind}, 2^10 to 2^24, against CUB, worst", 0.93, min(small, default=None))
    for kind in ["f32", "f16"]:
        for n in t.sizes("lengths", "sum", kind):
            ours = t.us("lengths", "sum", kind, n, "onefold")
            if n >= 10**6 and kind == "f32":
                for when in ["", ", after another"]:
                    bar(f"sum f32, {n} elements{when}, against CUB", 1.0,
                        ratio(t.us("lengths", "sum", "f32", n, "CUB" + when), t.us("lengths", "sum", "f32", n, "onefold" + when)))
            for first in range(1, 8):
                bar(f"sum {kind}, {n} elements, from element {first} on, of aligned", 0.95,
                    ratio(ours, t.us("lengths", "sum", kind, n, f"onefold, from element {first}")))
            for op, least in [("argmax", 0.95), ("moments", 0.85)]:
                bar(f"{op} {kind}, {n} elements, of sum", least, ratio(ours, t.us("lengths", op, kind, n, "onefold")))
    for kind in ["f16", "bf16", "i8", "u8"]:
        for n in t.sizes("types", "sum", kind):
            bar(f"sum {kind}, of the ceiling", 0.95,
                ratio(t.us("types", "read", kind, n, "ceiling"), t.us("types", "sum", kind, n, "onefold")))
    for kind in ["f32", "f64"]:
        for n in t.sizes("modes", "sum", kind):
            native = t.us("modes", "sum", kind, n, "native")
            for mode in ["kahan", "wide"] if kind == "f32" else ["kahan"]:
                bar(f"{mode} {kind}, of native", 0.97, ratio(native, t.us("modes", "sum", kind, n, mode)))
            if kind == "f32":
                for op in ["argmax", "minmax", "moments"]:
                    bar(f"{op} {kind}, of sum", 0.93, ratio(native, t.us("modes", op, kind, n, "native")))
    for kind in ["f32", "f64"]:
        for n in t.sizes("exact", "uniform", kind):
            speed = ratio(t.us("exact", "uniform", kind, n, "CUB, plain"), t.us("exact", "uniform", kind, n, "onefold, exact"))
            bar(f"exact {kind}, {log2(n)}, against CUB's plain sum", 0.5 if n <= 1 << 20 else 0.8 if n <= 1 << 24 else 0.98, speed)
        for n in t.sizes("exact", "uniform", kind):
            cub, ours = (t.us("exact", "uniform", kind, n, who) for who in ("CUB, gpu_to_gpu", "onefold, exact"))
            bar(f"exact {kind}, {log2(n)}, against CUB's gpu_to_gpu", 1.3, ratio(cub, ours))
        for n in t.sizes("exact", "any exponent", kind):
            native = t.us("exact", "any exponent", kind, n, "CUB, plain")
            if n > 1 << 24:
                bar(f"exact {kind}, {log2(n)}, any exponents, against CUB's plain sum", 0.35,
                    ratio(native, t.us("exact", "any exponent", kind, n, "onefold, exact")))
    for n in t.sizes("calls", "sum", "f32"):
        if n <= 1 << 20:
            ours = t.us("calls", "sum", "f32", n, "onefold plan")
            bar(f"host value, {log2(n)}, time against thrust::reduce", 0.5,
                ratio(ours, t.us("calls", "sum", "f32", n, "thrust::reduce")), False)
            bar(f"host value, {log2(n)}, time against CUB + copy + sync", 0.65,
                ratio(ours, t.us("calls", "sum", "f32", n, "CUB + copy + sync")), False)
    for n in t.sizes("host", "sum", "f32"):
        bar("pinned host data, of the copy", 0.95,
            ratio(t.us("host", "copy", "f32", n, "pinned, cudaMemcpy"), t.us("host", "sum", "f32", n, "pinned, onefold")))
        bar("pageable host data, against cudaMemcpy first", 2.0,
            ratio(t.us("host", "sum", "f32", n, "pageable, cudaMemcpy + onefold"),
                  t.us("host", "sum", "f32", n, "pageable, onefold")))
    return found


def page(t):
    c = t.context
    text = (f"{c['gpu']}, CUDA {c['runtime_cuda'] // 1000}.{c['runtime_cuda'] % 1000 // 10}, commit {c['commit']}, "
            f"{c['date']}. Device time in a graph's replay, {c['calls'] + ', ' if 'calls' in c else ''}"
            "inputs beyond the cache; microseconds, "
            f"the best of two turns; CUB {c['cub'] // 100000}.{c['cub'] // 100 % 1000}.\n\n")
    rows = []
    for n in t.sizes("sizes", "sum", "f32"):
        row = [log2(n)]
        for op, kind in [("sum", "f32"), ("max", "f32"), ("sum", "f64")]:
            ours, cub = t.us("sizes", op, kind, n, "onefold"), t.us("sizes", op, kind, n, "CUB")
            row += [f"{ours:.4g}", f"{cub:.4g}", f"{cub / ours:.2f}"] if ours and cub else ["", "", ""]
        ceiling = t.us("sizes", "read", "f32", n, "ceiling")
        rows.append(row[:4] + [f"{ceiling:.4g}"] + row[4:])
    text += table(["elements", "**sum f32**", "CUB", "speed", "only reading", "**max f32**", "CUB", "speed", "**sum f64**",
                   "CUB", "speed"], rows) + "\n"
    rows = []
    for kind in ["f32", "f64"]:
        for n in t.sizes("exact", "uniform", kind):
            row = [kind, log2(n)]
            for data in ["uniform", "any exponent"]:
                ours, cub = (t.us("exact", data, kind, n, who) for who in ("onefold, exact", "CUB, plain"))
                row += [f"{ours:.4g}", f"{cub / ours:.2f}"]
            rows.append(row + [f"{cub:.4g}"])
    if rows:
        text += table(["exact sums", "elements", "**uniform**", "speed", "**any exponent**", "speed", "CUB, plain sum"],
                      rows) + "\n"
    sizes = t.sizes("ladder", "sum", "f32")
    names = list(dict.fromkeys(k[4] for k in t.rows if k[:2] == ("ladder", "sum")))
    rows, before = [], {}
    for name in names:
        shares = [t.rows["ladder", "sum", "f32", n, name].get("occupancy") for n in sizes]
        row = [name, ", ".join(dict.fromkeys(f"{100 * s:.0f} %" for s in shares if s is not None))]
        for n in sizes:
            us = t.us("ladder", "sum", "f32", n, name)
            share = t.us("ladder", "read", "f32", n, "ceiling") / us
            step = f"{before[n] / us:.2f}" if n in before else ""
            row += [f"{us:.4g}", f"{4 * n / us / 1000:.0f}", f"{100 * share:.0f} %", step]
            before[n] = us
        rows.append(row)
    heads = [h for n in sizes for h in (f"{log2(n)}: us", "GB/s", "of reading", "step")]
    text += table(["kernel", "theoretical occupancy"] + heads, rows) + "\n"
    rows = []
    for n in t.sizes("calls", "sum", "f32"):
        rows.append([log2(n)] + [f"{t.us('calls', 'sum', 'f32', n, who):.1f}" for who in
                                 ("onefold plan", "onefold reduce", "CUB + copy + sync", "thrust::reduce")])
    text += table(["elements, device data to a host value", "**plan**", "**reduce**", "CUB + copy + sync", "thrust::reduce"],
                  rows)
    return text


def newest():
    """The newest results of whole arrays."""
    files = sorted(RESULTS.glob("*.json"), key=lambda p: (json.loads(p.read_text())["context"]["date"], p.stat().st_mtime))
    if not files:
        sys.exit(f"{RESULTS} has no results: scripts/gpu-check makes them")
    return files[-1]


def peers_of_shapes(names):
    """CUB's first, then the others."""
    return sorted(set(names) - {"onefold"}, key=lambda who: (not who.startswith("CUB"), who))


def shape_tables(cuda, python):
    """Microseconds of everything that has several results, and how many times as fast as the best peer the library is."""
    times, rates = {}, {}
    for r in cuda["rows"]:
        if "shape" in r:
            key = (r["group"], r["op"], r["dtype"], r["shape"])
            row = times.setdefault(key, {"bytes": r["gb_per_s"] * r["us"], "us": {}})
            row["us"][r["who"]] = min(r["us"], row["us"].get(r["who"], r["us"]))
        elif r["who"] == "ceiling":
            rates[r["group"]] = max(r["gb_per_s"], rates.get(r["group"], 0))
    for r in python.get("shapes", []):
        row = times.get((r.get("group", "shapes"), r["op"], r["dtype"], r["shape"]))
        if row:
            row["us"][r["who"]] = r["device_us"]
    text = ""
    for group in dict.fromkeys(key[0] for key in times):
        mine = {key: row for key, row in times.items() if key[0] == group}
        peers = peers_of_shapes(who for row in mine.values() for who in row["us"])
        lines = []
        for (_, op, kind, shape), row in mine.items():
            us = row["us"]
            ours, best = us.get("onefold"), min((us[p] for p in peers if p in us), default=None)
            cells = [us.get("onefold"), row["bytes"] / rates[group] if group in rates else None, *map(us.get, peers)]
            lines.append([f"{op} {kind}", shape, *("" if c is None else f"{c:.4g}" for c in cells),
                          f"{best / ours:.2f}" if ours and best else ""])
        text += table([group, "", "**onefold**", "limit", *peers, "speed"], lines) + "\n"
    return text


def renewed(path, t):
    text = path.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"{path}: expected one line {BEGIN} and below it one line {END}")
    return text, text.split(BEGIN)[0] + BEGIN + "\n" + page(t) + END + text.split(END)[1]


def main():
    options = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2])
    options.add_argument("results", nargs="?", type=pathlib.Path)
    options.add_argument("python", nargs="?", type=pathlib.Path)
    options.add_argument("--update", type=pathlib.Path)
    options.add_argument("--check", type=pathlib.Path)
    given = options.parse_args()
    results = given.results or newest()
    t = Times(results)
    if given.update:
        given.update.write_text(renewed(given.update, t)[1])
    elif given.check:
        text, wanted = renewed(given.check, t)
        if text != wanted:
            sys.exit(f"{given.check} does not show the newest results: run bench/cuda/report.py --update {given.check}")
    else:
        python = given.python or results.parent / "python.json"
        print(shape_tables(json.loads(results.read_text()),
                           json.loads(python.read_text()) if given.python or python.exists() else {}), end="")
        found = bars(t)
        print(table(["bar", "demanded", "measured", ""],
                    [[w, d, f"{v:.3f}", "met" if met else "**missed**"] for w, d, v, met in found]))
        sys.exit(any(not met for *_, met in found))


if __name__ == "__main__":
    main()
