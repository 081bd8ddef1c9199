#!/usr/bin/env python3
"""Makes a page of what compare_peers.py and cuda/compare.py compared: Markdown from peers.json.

usage: peers_page.py PEERS.json...
The file has "context", "speeds" (one comparison of the library with one peer each), where they were measured "shapes"
(the same of sums over an axis) and "answers" (how many different ones a peer gave, and the error of the worst).
"""
import json
import math
import pathlib
import sys

import tables

NOT_PEERS = ("onefold", "reading alone")  # and names that begin so
WIDTH = {"f32": 4, "f64": 8}


def write_json(path, found):
    """A line for each comparison."""
    lists = [f'"{name}": [\n' + ",\n".join(map(json.dumps, found[name])) + "\n]"
             for name in ("speeds", "shapes", "answers") if name in found]
    path.write_text('{"context": ' + json.dumps(found["context"], indent=1) + ",\n" + ",\n".join(lists) + "}\n")


def size(count):
    for unit in ["B", "KB", "MB", "GB"]:
        if count < 1024 or unit == "GB":
            return f"{count:.4g} {unit}"
        count /= 1024


def unique(values):
    return list(dict.fromkeys(values))


def ours_first(names):
    """The library, the read limit, the peers."""
    return sorted(unique(names), key=lambda who: (not who.startswith("onefold"), not who.startswith("reading"), who))


def label(row):
    """A peer with what sets its flags apart."""
    return row["who"] + (", fast-math" if "-ffast-math" in row["flags"] else "")


def figure(x):
    return f"{x:.3g}" if x < 1000 else f"{x:.0f}"


def speed_table(rows):
    """Gigabytes a second of each contender for each shape or size, and how many times as fast the library is."""
    def column(r):
        return r.get("shape") or size(r["n"] * WIDTH[r["dtype"]])

    columns = unique(column(r) for r in (rows if "shape" in rows[0] else sorted(rows, key=lambda r: r["n"])))
    lines = []
    for who in ours_first(label(r) for r in rows):
        mine = {column(r): r for r in rows if label(r) == who}
        cells = []
        for name in columns:
            if name not in mine:
                cells.append("")
                continue
            r = mine[name]
            rate = figure(r["n"] * WIDTH[r["dtype"]] / r["ns"])
            cells.append(f"**{rate}**" if who == "onefold" else f"{rate} ({r['onefold_speed']:.2f})")
        lines.append([f"**{who}**" if who == "onefold" else who] + cells)
    peers = [r for r in rows if not r["who"].startswith(NOT_PEERS)]
    fastest = []
    for name in columns:
        best = min((r for r in peers if column(r) == name), key=lambda r: r["onefold_speed"], default=None)
        if best is None:
            fastest.append("")
        elif best["onefold_speed"] >= 1:
            fastest.append(f"onefold, {best['onefold_speed']:.2f} x {label(best)}")
        else:
            fastest.append(f"{label(best)}, {1 / best['onefold_speed']:.2f} x onefold")
    lines.append(["fastest"] + fastest)
    return tables.table(["GB/s", *columns], lines)


def answer_table(rows):
    """Each contender's different answers and its error, the sizes side by side."""
    if all(r["answers_over_threads"] == 1 and r["ulps"] == 0 for r in rows):
        return f"All of them give the exact answer: {', '.join(ours_first(label(r) for r in rows))}.\n"
    sizes = sorted({r["n"] for r in rows})
    lines = []
    for who in ours_first(label(r) for r in rows):
        mine = {r["n"]: r for r in rows if label(r) == who}
        threads = next(iter(mine.values()))["threads"]
        line = [f"**{who}**" if who.startswith("onefold") else who,
                "" if not threads else "1" if threads == [1] else f"{threads[0]} to {threads[-1]}"]
        for n in sizes:
            r = mine.get(n)
            line += [str(r["answers_in_runs"]), str(r["answers_over_threads"]), figure(r["ulps"])] if r else [""] * 3
        lines.append(line)
    head = ["", "threads"]
    for n in sizes:
        bytes_of = size(n * WIDTH[rows[0]["dtype"]])
        head += [f"{bytes_of}: answers in {rows[0]['runs']} runs", "in all runs", "error, ulps"]
    return tables.table(head, lines)


def wins(speeds):
    """Of how many comparisons the library is the faster side, and by how much."""
    peers = [r for r in speeds if not r["who"].startswith(NOT_PEERS)]
    if not peers:
        return ""
    mean = math.exp(sum(math.log(r["onefold_speed"]) for r in peers) / len(peers))
    faster = sum(r["onefold_speed"] >= 1 for r in peers)
    return f"onefold is the faster side of {faster} of {len(peers)} comparisons; {mean:.2f} times as fast by their " \
           "geometric mean.\n"


def machine(context):
    if "gpu" in context:
        return (f"{context['gpu']}, {context['libraries']}, commit {context['commit']}, {context['date']}. The "
                "device's time is that of a graph's replay; of PyTorch and CuPy, of calls one after the other.")
    return (f"{context['cpu']}, {context['cores']} cores, {context['compiler']}, commit {context['commit']}, "
            f"{context['date']}; {', '.join(context['versions'])}. onefold and all others are built with -O3; "
            f"\"fast-math\" is {context['fast_flags']}.")


def page(found):
    """The page of one file."""
    text = ["# onefold and its peers\n", machine(found["context"]) + "\n",
            "Every call reduces another copy of the array, which no cache has, but arrays of shapes of up to 2 MB: they "
            "are one array each, in the caches. GB/s are medians; in parentheses: how many times as fast onefold is.\n", wins(found["speeds"])]
    for op, kind, where in unique((r["op"], r["dtype"], r["where"]) for r in found["speeds"]):
        rows = [r for r in found["speeds"] if (r["op"], r["dtype"], r["where"]) == (op, kind, where)]
        text += [f"## {op} of {kind}, {where}\n", speed_table(rows)]
    shapes = found.get("shapes", [])
    if shapes:
        text += ["## Sums over an axis\n", wins(shapes)]
    for kind, where in unique((r["dtype"], r["where"]) for r in shapes):
        rows = [r for r in shapes if (r["dtype"], r["where"]) == (kind, where)]
        text += [f"### sum of {kind} over an axis, {where}\n", speed_table(rows)]
    if found["answers"]:
        text.append("## The same answer?\n")
        text.append("Different answers to the same question: in the runs with one number of threads (the most of "
                    "them), and in all. The error is that of the worst answer, in units in the last place of the "
                    "exact one.\n")
    for op, kind in unique((r["op"], r["dtype"]) for r in found["answers"]):
        rows = [r for r in found["answers"] if (r["op"], r["dtype"]) == (op, kind)]
        text += [f"### {op} of {kind}\n", answer_table(rows)]
    return "\n".join(text)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print("\n".join(page(json.loads(pathlib.Path(path).read_text())) for path in sys.argv[1:]))


if __name__ == "__main__":
    main()
