#!/usr/bin/env python3
"""Makes the tables of scans and row operations in docs/performance.md, of the newest results on a CPU.

usage: line_tables.py --update docs/performance.md  renews the parts of the file between the markers
       line_tables.py --check docs/performance.md   exit code 1 if those parts are not up to date

The results are peers.json of scripts/bench-peers RESULTS --only '^(cumsum|[a-z_]*(softmax|norm)-)', stored as
bench/results/cpu/MACHINE-DATE-COMMIT-lines.json.
"""
import argparse
import json
import pathlib

import report
from tables import table, verdict

RESULTS = pathlib.Path(__file__).resolve().parent / "results" / "cpu"
PLAIN = "-O3"
#: How many times as fast as std::inclusive_scan sums are in the caches, and two threads as one.
IN_CACHES, TWO_THREADS = 2, 1.6
CACHED = range(10, 19)  # log2 of the elements


class Lines:
    """Times of scans and row operations."""

    def __init__(self, content):
        self.context = content["context"]
        self.ns = {}
        for r in content["speeds"] + content["shapes"]:
            threads = "1" if r["where"] == "1 thread" else r["where"].rpartition(" ")[2]
            self.ns[r["op"], r["dtype"], r.get("shape", r["n"]), threads, r["who"], r["flags"]] = r["ns"]

    def time(self, op, kind, size, who, threads="1", flags=PLAIN):
        return self.ns.get((op, kind, size, threads, who, flags))

    def over(self, op, kind, size, who, flags=PLAIN):
        """Another's time over onefold's; None where it was not measured."""
        other, ours = self.time(op, kind, size, who, flags=flags), self.time(op, kind, size, "onefold")
        return other / ours if other and ours else None

    def gain(self, op, kind, size, who="onefold"):
        """The time of one thread over that of two, of the backend that is faster."""
        two = [t for t in (self.time(op, kind, size, who, b) for b in ("openmp", "tbb")) if t]
        one = self.time(op, kind, size, who)
        return one / min(two) if two and one else None

    def shared(self):
        """Whether other programs took so much of the processors that times of two threads say nothing."""
        return self.context["load"][0] > self.context["cores"]

    def sizes(self, op, kind):
        return sorted({k[2] for k in self.ns if k[:2] == (op, kind)}, key=str if op != "cumsum" else None)


def newest():
    found = [(json.loads(path.read_text())["context"]["date"], path) for path in RESULTS.glob("*-lines.json")]
    return max(found)[1]


def ratio(x):
    return f"{x:.2f}" if x else "-"


def power(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else f"{n:,}"


def scans(m):
    head = ["cumsum", "elements", "ns", "std::inclusive_scan", "a loop", "NumPy", "copy", "kahan, ns", "Kahan's loop",
            "two threads", "copy by two"]
    rows = []
    for kind in ("f32", "f64"):
        for op in ("cumsum", "cumsum_unaligned"):
            for n in m.sizes(op, kind):
                name = power(n) if op == "cumsum" else f"{n - 1:,}, unaligned"
                kahan = m.time(op, kind, n, "onefold, kahan")
                loop = m.time(op, kind, n, "a loop, kahan")
                rows.append([kind, name, f"{m.time(op, kind, n, 'onefold') / n:.2f}",
                             ratio(m.over(op, kind, n, "std::inclusive_scan")), ratio(m.over(op, kind, n, "a loop")),
                             ratio(m.over(op, kind, n, "NumPy", "as installed")),
                             ratio(m.over(op, kind, n, "copying alone")), f"{kahan / n:.2f}", ratio(loop and loop / kahan),
                             ratio(m.gain(op, kind, n)), ratio(m.gain(op, kind, n, "copying alone"))])
    return table(head[:-2], [row[:-2] for row in rows]) if m.shared() else table(head, rows)


def bars(m):
    cached = [(m.over("cumsum", kind, n, "std::inclusive_scan"), f"{kind}, {power(n)}") for kind in ("f32", "f64")
              for n in m.sizes("cumsum", kind) if n.bit_length() - 1 in CACHED]
    both = [(m.gain("cumsum", kind, n), f"{kind}, {power(n)}") for kind in ("f32", "f64")
            for n in m.sizes("cumsum", kind) if n >= 1 << 18]

    def row(text, bar, cells):
        met = sum(speed >= bar for speed, _ in cells)
        return [text, f"{bar:g}", f"{min(cells)[0]:.2f} ({min(cells)[1]})",
                f"{verdict(met == len(cells))}, {met} of {len(cells)}"]

    two = "two threads, 2^18 elements and more, of one thread's speed"
    return table(["target", "at least", "worst", "result"],
                 [row("one thread, 2^10 to 2^18 elements, of std::inclusive_scan's speed", IN_CACHES, cached),
                  [two, f"{TWO_THREADS:g}", "", "not measured: other programs had the processors"] if m.shared() else
                  row(two, TWO_THREADS, both)])


def rows(m):
    head = ["operation", "shape"] + [f"{kind}{what}" for kind in ("f32", "f16", "bf16")
                                     for what in (": ns", ", loops", ", copy")] + ["f32, NumPy"]
    found = []
    for op in ("softmax", "log_softmax", "layer_norm", "rms_norm"):
        for shape in sorted(m.sizes(op, "f32"), key=lambda s: [-int(x) for x in s.split(" ")[0].split("x")]):
            lines, length = map(int, shape.split(" ")[0].split("x"))
            cells = []
            for kind in ("f32", "f16", "bf16"):
                cells += [f"{m.time(op, kind, shape, 'onefold') / (lines * length):.2f}",
                          ratio(m.over(op, kind, shape, "loops")), ratio(m.over(op, kind, shape, "copying alone"))]
            found.append([f"`{op}`", f"{lines}x{length}", *cells, ratio(m.over(op, "f32", shape, "NumPy", "as installed"))])
    return table(head, found)


def parts(path):
    m = Lines(json.loads(path.read_text()))
    c = m.context
    source = f"{c['cpu']}, {c['cores']} cores, {c['compiler']}, commit {c['commit']}, {c['date']}.\n\n"
    return {"scans": source + scans(m) + "\n" + bars(m), "rows": source + rows(m)}


def main():
    options = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2])
    given = options.add_mutually_exclusive_group(required=True)
    given.add_argument("--update", type=pathlib.Path)
    given.add_argument("--check", type=pathlib.Path)
    given = options.parse_args()
    report.renew(given.update or given.check, parts(newest()), bool(given.check), "bench/line_tables.py")


if __name__ == "__main__":
    main()
