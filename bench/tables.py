"""The tables of a results file: which bars are met, the speeds of docs/results.md, the thresholds."""
import bars
from bars import GIB, KIB, MIB

SIZES = {64 * KIB: "64 KB", 256 * KIB: "256 KB", MIB: "1 MB", 16 * MIB: "16 MB", GIB: "1 GB"}


def table(head, rows):
    """A Markdown table; no rows, no table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n" if rows else ""


def verdict(met):
    return "met" if met else "**missed**"


def short(name):
    """A contender as people call it."""
    contender, flavor = name.split("/")[4:6]
    return f"{contender} ({flavor})" if flavor in ("plain", "fast") else contender


def bar_table(m):
    rows = []
    for text, cells_of in bars.SPEED:
        cells = list(cells_of(m))
        if not cells:
            rows.append([text, "", "", "", "not measured"])
            continue
        worst = min(cells, key=lambda c: c.speed / c.bar)
        met = sum(c.met for c in cells)
        rows.append([text, f"{worst.bar:.2f}", f"{worst.speed:.2f} ({worst.least:.2f})",
                     f"{worst.row}, {short(worst.other)}", f"{verdict(met == len(cells))}, {met} of {len(cells)}"])
    calls = list(bars.calls(m))
    if calls:
        name, ns, least, _ = max(calls, key=lambda c: c[1])
        n = int(name.split("/")[2]) // (4 if "/f32/" in name else 8)
        met = sum(c[1] <= bars.CALL_NS and c[3] == 0 for c in calls)
        _, kind, _, _, _, op = name.split("/")
        limit = f"{bars.CALL_NS} ns"
        rows.append([f"a call by plan, 1 to 64 elements: at most {limit}, no allocation", limit,
                     f"{ns:.1f} ns ({least:.1f}), {max(c[3] for c in calls)} allocations", f"{op}, {kind}, n = {n}",
                     f"{verdict(met == len(calls))}, {met} of {len(calls)}"])
    head = ["bar", "at least", "worst ratio of medians (of the shortest times)", "where, against", "result"]
    return table(head, rows)


def cell_table(m):
    """Every cell of every bar."""
    rows = []
    for text, cells_of in bars.SPEED:
        for c in cells_of(m):
            ours = " ".join(c.ours.split("/")[4:])
            rows.append([c.row, ours, short(c.other), f"{m.gb_per_s(c.ours):.1f}", f"{m.gb_per_s(c.other):.1f}",
                         f"{c.bar:.2f}", f"{c.speed:.2f}", f"{c.least:.2f}", verdict(c.met)])
    for name, ns, least, allocations in bars.calls(m):
        rows.append([name, "plan", "", "", "", f"{bars.CALL_NS} ns", f"{ns:.1f} ns", f"{least:.1f} ns",
                     verdict(ns <= bars.CALL_NS and allocations == 0)])
    return table(["row", "ours", "other", "GB/s", "other GB/s", "bar", "medians", "shortest", "result"], rows)


def speeds(m, rows, lines):
    """GB/s of each line's contender in each row; lines that were never measured are left out."""
    found = []
    for label, contender, flavor in lines:
        names = [m.find(row, contender, flavor) for row in rows]
        if any(names):
            found.append([label] + [f"{m.gb_per_s(n):.3g}" if n else "" for n in names])
    return found


def peer_lines(m, rows):
    seen = {}
    for row in rows:
        for name in m.names(row):
            contender, flavor = name.split("/")[4:6]
            if contender not in ("onefold", "read", "read-streams"):
                seen.setdefault((contender, flavor))
    lines = []
    for contender, flavor in sorted(seen, key=lambda s: (s[0], s[1] == "fast")):
        label = f"{contender}, fast-math" if flavor == "fast" else contender
        lines.append((label, contender, flavor))
    return lines


def heads(rows, op):
    parts = [row.split("/") for row in rows]
    return [op] + [f"{SIZES[int(p[2])]}{', 2 threads' if p[3] == '2' else ''}" for p in parts]


def threshold_lines(m):
    """For each backend, hot and cold: the least size from which on it is faster than sequential."""
    lines = []
    for backend in ["openmp", "tbb"]:
        for state in ["hot", "cold"]:
            sizes = sorted({int(n.split("/")[2]) for n in m.rounds
                            if n.startswith("thresholds/") and n.endswith(f"/{backend}/{state}")})
            gains = {}
            for size in sizes:
                row = f"thresholds/f32/{size}/2"
                gains[size] = m.speed(m.find(row, backend, state), m.find(row, "sequential", state))[0]
            slower = [size for size in sizes if gains[size] < 1]
            least = next((size for size in sizes if not slower or size > slower[-1]), None)
            if sizes:
                # Two pages: each thread folds one, which is half of the sequential time.
                first = f"thresholds/f32/{sizes[0]}/2"
                cost = m.ns(m.find(first, backend, state)) - m.ns(m.find(first, "sequential", state)) / 2
                lines.append([backend, state, f"{cost / 1000:.2f} us",
                              f"{least >> 10} KiB" if least else "beyond all sizes",
                              ", ".join(f"{size >> 10}: {gain:.2f}" for size, gain in gains.items())])
    return table(["backend", "state", "fork and join", "gains from", "speed against sequential by KiB"], lines)


def page(m):
    """The part of docs/results.md: speeds beside the peers, accuracies and operations, calls."""
    c = m.context
    text = [f"{c['cpu']}, {c['cores']} cores, {c['compiler']}, commit {c['commit']}, {c['date']}. "
            "GB/s, f32; medians, of CPU time for one thread. "
            f"\"fast-math\" is {c['fast_flags']}; all others, onefold too, are built without it. "
            "The read limit is the faster of two loops that only read.\n"]
    for op in ["sum", "max"]:
        rows = [f"{op}/f32/{size}/1" for size in SIZES] + [f"{op}/f32/{size}/2" for size in (MIB, GIB)]
        lines = speeds(m, rows, [("**onefold**", "onefold", None)])
        limits = [[n for n in (m.find(r, "read"), m.find(r, "read-streams")) if n] for r in rows]
        lines.append(["read limit"] + [f"{max(m.gb_per_s(n) for n in names):.3g}" if names else "" for names in limits])
        text.append(table(heads(rows, op), lines + speeds(m, rows, peer_lines(m, rows))))
    rows = [f"modes/f32/{size}/1" for size in (MIB, 16 * MIB, GIB)]
    lines = [("sum", "sum", None), ("sum, wide", "sum-wide", None), ("sum, kahan", "sum-kahan", None),
             ("mean and variance", "moments", None), ("max", "max", None), ("argmax", "argmax", None),
             ("minmax", "minmax", None)]
    text.append(table(heads(rows, "onefold"), speeds(m, rows, lines)))
    calls = sorted((int(name.split("/")[2]) // 4, ns) for name, ns, _, _ in bars.calls(m)
                   if name.startswith("calls/f32/") and name.endswith("/sum"))
    if calls:
        head = ["elements"] + [str(n) for n, _ in calls]
        text.append(table(head, [["ns a call by plan"] + [f"{ns:.1f}" for _, ns in calls]]))
    return "\n".join(t for t in text if t)
