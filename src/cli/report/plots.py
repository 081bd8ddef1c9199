"""Draws what `onefold report` measured: reads report.json from standard input, and writes an object with the plot of
each chapter as a data URI (SVG) to standard output."""

import base64
import io
import json
import math
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot, ticker  # noqa: E402 (the backend has to be chosen first)

# Colours that people with any colour vision tell apart (Okabe & Ito), and a marker each for paper without colours.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
MODES = ["left fold", "native", "wide", "kahan", "exact"]

pyplot.rcParams.update({"font.size": 10, "axes.grid": True, "grid.color": "0.9", "axes.spines.top": False,
                        "axes.spines.right": False, "legend.frameon": False, "axes.axisbelow": True,
                        "svg.hashsalt": "onefold"})


def series(row):
    return f"{row['ran']}, {row['location']} data" if row["ran"] == "cuda" else row["ran"]


def reduction(row):
    return f"{row['op']} {row['dtype']}"


def count(n):
    return f"2^{n.bit_length() - 1}" if n >= 1024 and n & (n - 1) == 0 else f"{n:,}"


def grouped(rows, name):
    groups = {}
    for row in rows:
        groups.setdefault(name(row), []).append(row)
    return groups


def styles(names):
    return {name: {"color": COLOURS[i % 7], "marker": MARKERS[i % 7], "markersize": 4.5, "linewidth": 1.4}
            for i, name in enumerate(names)}


def panels(number, width=4.6, height=3.6, most=2):
    """Axes in rows of at most `most`, and their figure; a single one is wide."""
    columns = min(number, most)
    lines = math.ceil(number / columns)
    size = (8.5, 4.3) if number == 1 else (width * columns, height * lines)
    figure, axes = pyplot.subplots(lines, columns, figsize=size, layout="constrained", squeeze=False)
    figure.get_layout_engine().set(h_pad=0.1)
    flat = list(axes.flat)
    for unused in flat[number:]:
        unused.set_visible(False)
    return figure, flat[:number]


def against_length(axes, label, base=2):
    axes.set_xscale("log", base=base)
    axes.set_yscale("log")
    axes.set_xlabel("elements")
    axes.set_ylabel(label)
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda y, _: f"{y:g}"))
    axes.yaxis.set_minor_formatter(ticker.LogFormatter())  # labels where there is less than a decade


def in_seconds(axes):
    axes.set_ylabel("a call")
    axes.yaxis.set_major_formatter(ticker.EngFormatter(unit="s"))
    axes.yaxis.set_minor_formatter(ticker.NullFormatter())


def legend_below(figure, handles, columns=4):
    """A legend below all panels, in room of its own (matplotlib 3.6 has no loc="outside ...")."""
    columns = min(columns, len(handles))
    room = (0.25 * math.ceil(len(handles) / columns) + 0.1) / figure.get_size_inches()[1]
    figure.get_layout_engine().set(rect=(0, room, 1, 1 - room))
    figure.legend(handles=handles, loc="lower center", ncols=columns)


def lines_of(rows, label, y):
    """A panel for each reduction, a line for each way to compute it: y(row) against the length."""
    figure, all_axes = panels(len(grouped(rows, reduction)))
    style = styles(grouped(rows, series))
    for axes, (title, members) in zip(all_axes, grouped(rows, reduction).items()):
        for name, its in grouped(members, series).items():
            points = [(r["n"], y(r)) for r in its if y(r) is not None]
            axes.plot(*zip(*points), label=name, **style[name])
            noisy = [(r["n"], y(r)) for r in its if r["noisy"] and y(r) is not None]
            if noisy:  # hollow
                axes.plot(*zip(*noisy), **{**style[name], "linestyle": "", "markerfacecolor": "white", "zorder": 3})
        against_length(axes, label)
        axes.set_title(title)
    return figure, all_axes


def bandwidth(report):
    rows = rows_of(report, "bandwidth")
    figure, all_axes = lines_of(rows, "GB/s", lambda r: r["gb_per_s"])
    for axes, members in zip(all_axes, grouped(rows, reduction).values()):
        kernel = [(r["n"], r["gb_per_s"] * r["seconds"] / r["device_seconds"]) for r in members if r["device_seconds"]]
        if kernel:
            axes.plot(*zip(*kernel), ":", color="0.3", label="cuda, kernel alone")
        limits = {}
        for r in members:
            limits[r["n"]] = max(limits.get(r["n"], 0), r["limit_gb_per_s"] or 0)
        limits = [(n, limit) for n, limit in sorted(limits.items()) if limit]
        if limits:
            axes.plot(*zip(*limits), "--", color="0.6", label="CPU read limit")
    legend_below(figure, all_axes[0].get_legend_handles_labels()[0])
    return figure


def speedup(report):
    rows = rows_of(report, "bandwidth")
    figure, all_axes = lines_of(rows, "speed-up against sequential", lambda r: r["speedup"])
    for axes in all_axes:
        axes.axhline(1, color="0.5", linewidth=0.8)
    legend_below(figure, all_axes[0].get_legend_handles_labels()[0])
    return figure


def crossover(report):
    rows = rows_of(report, "bandwidth")
    figure, all_axes = lines_of(rows, "seconds of a call", lambda r: r["seconds"])
    style = styles(grouped(rows, series))
    for axes, title in zip(all_axes, grouped(rows, reduction)):
        in_seconds(axes)
        for crossing in report["crossover"]:
            if crossing["reduction"] == title and crossing["n"]:
                colour = style[crossing["faster"]]["color"]
                axes.axvline(crossing["n"], color=colour, linestyle=":", linewidth=1)
                axes.annotate(f" {crossing['faster']}", (crossing["n"], 0.02), xycoords=("data", "axes fraction"),
                              rotation=90, va="bottom", ha="right", fontsize=8, color=colour)
    legend_below(figure, all_axes[0].get_legend_handles_labels()[0])
    return figure


def latency(report):
    rows = rows_of(report, "latency")
    figure, all_axes = lines_of(rows, "seconds of a call", lambda r: r["seconds"])
    for axes in all_axes:
        in_seconds(axes)
    legend_below(figure, all_axes[0].get_legend_handles_labels()[0])
    return figure


def shape_of(row):
    if not row["shape"]:
        return "whole array"
    width = row["shape"].split("x")[-1]
    return f"rows of\n{width}" if row["axes"] == "1" else f"{width}\ncolumns"


def shapes(chapter):
    def drawn(report):
        rows = rows_of(report, chapter)
        groups = grouped(rows, lambda r: f"{reduction(r)}, n = {r['n']:,}")
        figure, all_axes = panels(len(groups), width=8.5, most=1)
        names = list(grouped(rows, series))
        width = 0.8 / len(names)
        for axes, (title, members) in zip(all_axes, groups.items()):
            places = list(grouped(members, shape_of))
            for i, name in enumerate(names):
                for noisy in (False, True):
                    its = [r for r in members if series(r) == name and r["noisy"] == noisy]
                    axes.bar([places.index(shape_of(r)) + (i - (len(names) - 1) / 2) * width for r in its],
                             [r["gb_per_s"] for r in its], width, color="none" if noisy else COLOURS[i % 7],
                             edgecolor=COLOURS[i % 7])  # hollow where noisy
            limit = max((r["limit_gb_per_s"] or 0 for r in members), default=0)
            if limit:
                axes.axhline(limit, linestyle="--", color="0.6")
            rates = [r["gb_per_s"] for r in members]
            if max(rates) > 100 * min(rates):  # a device beside one thread
                axes.set_yscale("log")
                axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda y, _: f"{y:g}"))
            axes.set_xticks(range(len(places)), places, fontsize=8)
            axes.grid(axis="x", visible=False)
            axes.set_ylabel("GB/s")
            axes.set_title(title)
        handles = [pyplot.Rectangle((0, 0), 1, 1, color=COLOURS[i % 7], label=name) for i, name in enumerate(names)]
        if any(r["limit_gb_per_s"] for r in rows):
            handles.append(pyplot.Line2D([], [], linestyle="--", color="0.6", label="CPU read limit"))
        legend_below(figure, handles, 5)
        return figure
    return drawn


def costs(chapter):
    highest = 10  # times the native mode; what is beyond is written on its bar

    def drawn(report):
        rows = rows_of(report, chapter)
        groups = grouped(rows, lambda r: f"{reduction(r)}, n = {count(r['n'])}")
        figure, all_axes = panels(len(groups), height=3)
        names = list(grouped(rows, series))
        present = [m for m in MODES if any(r["accuracy"] == m for r in rows)]
        width = 0.8 / len(present)
        for axes, (title, members) in zip(all_axes, groups.items()):
            native = {series(r): r["seconds"] for r in members if r["accuracy"] == "native"}
            for i, mode in enumerate(present):
                its = {series(r): r["seconds"] / native.get(series(r), math.nan) for r in members
                       if r["accuracy"] == mode}
                places = [j + (i - (len(present) - 1) / 2) * width for j in range(len(names))]
                values = [its.get(name, 0) for name in names]
                bars = axes.bar(places, [min(v, highest) for v in values], width, label=mode,
                                color=COLOURS[MODES.index(mode)], edgecolor="white", linewidth=0.5)
                axes.bar_label(bars, [f"{v:.0f}" if v > highest else "" for v in values], fontsize=7)
            axes.set_xticks(range(len(names)), [name.replace(", ", ",\n") for name in names], fontsize=8)
            axes.grid(axis="x", visible=False)
            axes.axhline(1, color="0.5", linewidth=0.8)
            axes.set_ylabel("time over native's")
            axes.set_title(title)
        legend_below(figure, all_axes[0].get_legend_handles_labels()[0])
        return figure
    return drawn


def errors(report):
    rows, studies = rows_of(report, "errors"), report["studies"]
    figure, all_axes = panels(len(studies), most=3, width=3.6)
    names = list(grouped(rows, series))
    relative = {(s["data"], s["dtype"], f["mode"]): float(f["relative"]) for s in studies for f in s["findings"]}
    finite = [e for e in relative.values() if 0 < e < math.inf]
    floor = min(finite, default=1e-20) / 10  # where errors of zero are drawn
    for axes, study in zip(all_axes, studies):
        its = [r for r in rows if (r["data"], r["dtype"]) == (study["data"], study["dtype"])]
        points = [(f["seconds"] / study["n"], f["mode"], "sequential")
                  for f in study["findings"] if f["mode"] == MODES[0]]
        points += [(r["seconds"] / r["n"], r["accuracy"], series(r)) for r in its]
        for seconds, mode, who in points:
            error = relative[study["data"], study["dtype"], mode]
            axes.plot(seconds, error if 0 < error < math.inf else floor, MARKERS[names.index(who)],
                      color=COLOURS[MODES.index(mode)], markersize=6, alpha=0.85)
        if any(f["relative"] == 0 for f in study["findings"]):
            axes.axhline(floor, color="0.8", linewidth=0.8, zorder=0)
            axes.annotate("no error", (1, floor), xycoords=("axes fraction", "data"), ha="right", va="bottom",
                          color="0.5", fontsize=8)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.xaxis.set_major_formatter(ticker.EngFormatter(unit="s"))
        axes.xaxis.set_minor_formatter(ticker.NullFormatter())
        axes.set_xlabel("time an element")
        axes.set_ylabel("relative error")
        axes.set_title(f"{study['data']}, {study['dtype']}")
    shown = [m for m in MODES if any(mode == m for _, _, mode in relative)]
    handles = [pyplot.Line2D([], [], color=COLOURS[MODES.index(m)], marker=".", markersize=12, linestyle="", label=m)
               for m in shown]
    handles += [pyplot.Line2D([], [], color="0.4", marker=MARKERS[i], linestyle="", label=name)
                for i, name in enumerate(names)]
    legend_below(figure, handles, 5)
    return figure


def rungs(chapter):
    def drawn(report):
        groups = grouped(rows_of(report, chapter), lambda r: f"{reduction(r)}, n = {count(r['n'])}")
        figure, all_axes = panels(len(groups), most=3, width=3.6)
        for i, (axes, (title, members)) in enumerate(zip(all_axes, groups.items())):
            seconds = [r["device_seconds"] or r["seconds"] for r in members]
            rates = [r["gb_per_s"] * r["seconds"] / s for r, s in zip(members, seconds)]
            places = range(len(members))
            bars = axes.barh(places, rates, color=COLOURS[0])
            steps = ["first"] + [f"step {a / b:.2f}" for a, b in zip(seconds, seconds[1:])]
            axes.bar_label(bars, [f"{rate:.0f}, {step}" for rate, step in zip(rates, steps)], padding=3, fontsize=8)
            axes.set_yticks(places, [r["kernel"].replace("_", " ") for r in members] if i % 3 == 0 else [])
            axes.invert_yaxis()
            axes.set_xlim(0, max(rates) * 1.45)
            axes.grid(axis="y", visible=False)
            axes.set_xlabel("GB/s, device time")
            axes.set_title(title)
        return figure
    return drawn


def notebook(report):
    rows = rows_of(report, "notebook")
    def way(row):
        if row["ran"] != "cuda":
            return "one CPU core"
        kernel = {"sequential_addressing": "shared memory"}.get(row["kernel"], row["kernel"])
        return f"{row['location']} data, {kernel}"
    figure, [axes] = panels(1)
    style = styles(grouped(rows, way))
    for name, its in grouped(rows, way).items():
        axes.plot([r["n"] for r in its], [r["speedup"] for r in its], label=name, **style[name])
    against_length(axes, "speed-up against one core", base=10)
    legend_below(figure, axes.get_legend_handles_labels()[0], 3)
    return figure


def rows_of(report, chapter):
    return report["parts"].get(chapter, {"rows": []})["rows"]


# What each plot is drawn from, and by whom.
PLOTS = {"bandwidth": ("bandwidth", bandwidth), "speedup": ("bandwidth", speedup),
         "crossover": ("bandwidth", crossover), "latency": ("latency", latency), "errors": ("errors", errors),
         "notebook": ("notebook", notebook),
         **{name: (name, costs(name)) for name in ("modes", "modes-cached")},
         **{name: (name, shapes(name)) for name in ("shapes", "shapes-cached")},
         **{name: (name, rungs(name)) for name in ("ladder", "ladder-1m", "harris-4m")}}


def main():
    report = json.load(sys.stdin)
    uris = {}
    for name, (chapter, draw) in PLOTS.items():
        if not rows_of(report, chapter) or (chapter == "errors" and not report["studies"]):
            continue
        figure = draw(report)
        image = io.BytesIO()
        figure.savefig(image, format="svg", metadata={"Date": None, "Creator": None})
        pyplot.close(figure)
        uris[name] = "data:image/svg+xml;base64," + base64.b64encode(image.getvalue()).decode()
    json.dump(uris, sys.stdout)


main()
